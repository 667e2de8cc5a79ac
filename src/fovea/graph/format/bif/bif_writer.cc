// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/graph/format/bif/bif.h"
#include "fovea/graph/format/tables/number_list.h"

namespace fovea::graph {
namespace {

constexpr std::string_view kRemedy = "BIF holds Bayesian networks only; write another format, such as .uai";

bool is_plain_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.+<>=/").find(c) != std::string_view::npos;
}

std::string quoted_if_needed(const std::string& name) {
  if (name.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
    throw InputError({}, fmt::format("the name '{}' has a line break", name), "BIF cannot hold it; rename it");
  if (!name.empty() && std::ranges::all_of(name, is_plain_byte) && !name.starts_with("//")) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

class BifWriter {
 public:
  BifWriter(const ModelFile& model, io::OutputFile& output)
      : graph_(model.graph), names_(model.names), output_(output) {}

  void write() {
    check_structure();
    output_.write(
        fmt::format("network {} {{\n}}\n", names_.model.empty() ? "unknown" : quoted_if_needed(names_.model)));
    for (VariableId v = 0; v < graph_.variable_count(); ++v) write_variable(v);
    for (FactorId f = 0; f < graph_.factor_count(); ++f) write_probability(f);
  }

 private:
  std::string variable(VariableId v) const {
    return names_.variables.empty() ? fmt::format("x{}", v) : quoted_if_needed(names_.variables[v]);
  }
  std::string value(VariableId v, std::size_t k) const {
    return names_.values.empty() || names_.values[v].empty() ? fmt::format("s{}", k)
                                                             : quoted_if_needed(names_.values[v][k]);
  }

  void check_structure() const {
    std::vector<std::size_t> distributions(graph_.variable_count());
    for (FactorId f = 0; f < graph_.factor_count(); ++f) {
      if (graph_.scope(f).empty()) throw InputError({}, fmt::format("factor {} has no variables", f), kRemedy);
      ++distributions[graph_.scope(f).back()];
      check_sums(f);
    }
    for (VariableId v = 0; v < graph_.variable_count(); ++v)
      if (distributions[v] != 1)
        throw InputError({},
                         fmt::format("the variable {} is the last one of {} factors, not of one", names_.variable(v),
                                     distributions[v]),
                         kRemedy);
    const std::vector<VariableId> cycle = find_directed_cycle(graph_);
    if (!cycle.empty())
      throw InputError({}, fmt::format("the variable {} is on a directed cycle", names_.variable(cycle[0])), kRemedy);
  }

  void check_sums(FactorId f) const {
    const std::span<const double> table = graph_.table(f);
    const std::size_t values = graph_.cardinality(graph_.scope(f).back());
    for (std::size_t row = 0; row < table.size(); row += values) {
      double sum = 0;
      for (const double log_probability : table.subspan(row, values)) sum += std::exp(log_probability);
      if (!(std::abs(sum - 1) <= kBifSumTolerance))
        throw InputError({},
                         fmt::format("a row of factor {}, about the variable {}, sums to {:.6g}, not to 1", f,
                                     names_.variable(graph_.scope(f).back()), sum),
                         kRemedy);
    }
  }

  void write_variable(VariableId v) {
    std::vector<std::string> values(graph_.cardinality(v));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(v, k);
    output_.write(fmt::format("variable {} {{\n  type discrete [ {} ] {{ {} }};\n}}\n", variable(v), values.size(),
                              fmt::join(values, ", ")));
  }

  void write_probability(FactorId f) {
    const std::span<const VariableId> scope = graph_.scope(f);
    std::string head;
    for (std::size_t i = 0; i + 1 < scope.size(); ++i) head += (i == 0 ? " | " : ", ") + variable(scope[i]);
    output_.write(fmt::format("probability ( {}{} ) {{\n", variable(scope.back()), head));
    const std::size_t values = graph_.cardinality(scope.back());
    for (std::size_t row = 0; row < graph_.table(f).size() / values; ++row)
      write_row(f, row, graph_.table(f).subspan(row * values, values));
    output_.write("}\n");
  }

  void write_row(FactorId f, std::size_t row, std::span<const double> log_probabilities) {
    const std::span<const VariableId> scope = graph_.scope(f);
    std::vector<std::string> parents(scope.size() - 1);
    for (std::size_t i = parents.size(); i-- > 0; row /= graph_.cardinality(scope[i]))
      parents[i] = value(scope[i], row % graph_.cardinality(scope[i]));
    std::string text = parents.empty() ? "  table" : fmt::format("  ({})", fmt::join(parents, ", "));
    for (std::size_t k = 0; k < log_probabilities.size(); ++k) {
      text += k == 0 ? " " : ", ";
      append_exponential(text, log_probabilities[k]);
    }
    output_.write(text + ";\n");
  }

  const FactorGraph& graph_;
  const ModelNames& names_;
  io::OutputFile& output_;
};

}  // namespace

void write_bif(const ModelFile& model, io::OutputFile& output) { BifWriter(model, output).write(); }

}  // namespace fovea::graph
