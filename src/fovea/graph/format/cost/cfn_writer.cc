// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/cost/cfn.h"
#include "fovea/graph/format/cost/cost_network.h"

namespace fovea::graph {
namespace {

bool can_be_string(const std::string& name) {
  constexpr std::size_t kMaxBytes = 1024;
  const auto is_illegal = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || std::string_view("/#[]{}:,\"\\").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kMaxBytes && std::none_of(name.begin(), name.end(), is_illegal);
}

/// True if the format takes the text as a name: it takes anything that begins like a number as a number.
bool can_be_name(const std::string& name) {
  return can_be_string(name) && std::string_view("0123456789-.+").find(name[0]) == std::string_view::npos;
}

bool can_be_names(const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), can_be_name);
}

/// Number of decimals needed to read every score again, but at most `limit`.
int decimals_of(const FactorGraph& graph, int limit) {
  int decimals = 0;
  for (TableId t = 0; t < graph.table_count(); ++t)
    for (const double score : graph.shared_table(t)) {
      if (!std::isfinite(score)) continue;
      for (; decimals < limit; ++decimals) {
        double again = 0;
        const std::string text = fmt::format("{:.{}f}", score, decimals);
        std::from_chars(text.data(), text.data() + text.size(), again);
        if (again == score) break;
      }
      if (decimals >= limit) return limit;
    }
  return decimals;
}

/// A whole number above the absolute value of any sum of negative costs, one from each function.
double total_of_negative_costs(const FactorGraph& graph) {
  constexpr double kMargin = 1e-9;  // more than the rounding of any sum
  double total = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    total += std::max(0.0, *std::max_element(graph.table(f).begin(), graph.table(f).end()));
  return std::floor(total * (1 + kMargin)) + 1;
}

class CfnWriter {
 public:
  CfnWriter(const ModelFile& model, io::OutputFile& output) : model_(model), graph_(model.graph), output_(output) {}

  void write() {
    constexpr double kMaxSum = 1e17;  // toulbar2 refuses bounds of 1e18 units
    constexpr int kMaxDecimals = 15;
    bound_ = upper_bound_of_costs(graph_);
    forbidden_ = bound_ + total_of_negative_costs(graph_);
    const double room = std::floor(std::log10(kMaxSum / forbidden_));
    decimals_ = decimals_of(graph_, static_cast<int>(std::clamp(room, 0.0, double{kMaxDecimals})));
    bound_ = std::min(bound_, bound_in_decimals());
    write_problem();
    write_variables();
    write_functions();
    text_ += "}\n";
    output_.write(text_);
  }

 private:
  /// The least number of decimals_ decimals that is not below the model's bound.
  double bound_in_decimals() const {
    if (model_.cost_bound == kInfinity) return kInfinity;
    constexpr double kRounding = 1e-12;
    const double unit = std::pow(10, decimals_), units = model_.cost_bound * unit, nearest = std::round(units);
    return (std::abs(units - nearest) <= std::abs(units) * kRounding ? nearest : std::ceil(units)) / unit;
  }

  void write_problem() {
    const std::string& name = model_.names.model;
    text_ = fmt::format("{{\n\"problem\": {{\"name\": \"{}\", \"mustbe\": \"<{:.{}f}\"}},\n",
                        can_be_string(name) ? name : "model", bound_, decimals_);
  }

  void write_variables() {
    const bool are_named = can_be_names(model_.names.variables);
    text_ += are_named ? "\"variables\": {" : "\"variables\": [";
    for (VariableId v = 0; v < graph_.variable_count(); ++v) {
      text_ += v == 0 ? "\n" : ",\n";
      if (are_named) append("\"{}\": ", model_.names.variables[v]);
      if (!model_.names.values.empty() && can_be_names(model_.names.values[v]))
        append("[\"{}\"]", fmt::join(model_.names.values[v], "\", \""));
      else append("{}", graph_.cardinality(v));
      flush();
    }
    text_ += are_named ? "\n},\n" : "\n],\n";
  }

  void write_functions() {
    text_ += "\"functions\": {";
    // The last factor with a table spells it out: the format lets functions share tables that come later.
    const std::vector<FactorId> first = first_alike(graph_);
    std::vector<FactorId> last(graph_.factor_count());
    for (FactorId f = 0; f < graph_.factor_count(); ++f) last[first[f]] = f;
    for (FactorId f = 0; f < graph_.factor_count(); ++f) {
      append("{}\n\"f{}\": {{\"scope\": [{}], ", f == 0 ? "" : ",", f, fmt::join(graph_.scope(f), ", "));
      const std::size_t arity = graph_.scope(f).size();
      const FactorId owner = arity == 2 || arity == 3 ? last[first[f]] : f;  // toulbar2 shares no others
      if (owner != f) append("\"costs\": \"f{}\"}}", owner);
      else write_costs(f);
    }
    text_ += "\n}\n";
  }

  /// Writes all costs or, if that is shorter, a default and the others. Tables of more than three variables always have
  /// a default: without it toulbar2 reads a different table.
  void write_costs(FactorId f) {
    constexpr std::size_t kMaxDenseArity = 3;
    const std::size_t arity = graph_.scope(f).size();
    const std::span<const double> table = graph_.table(f);
    const double common = most_frequent(table);
    const auto tuples = table.size() - static_cast<std::size_t>(std::count(table.begin(), table.end(), common));
    const bool is_sparse = arity > kMaxDenseArity || tuples * (arity + 1) < table.size();
    if (is_sparse) append("\"defaultcost\": {:.{}f}, ", cost(common), decimals_);
    text_ += "\"costs\": [";
    const char* separator = "";
    for (std::size_t entry = 0; entry < table.size(); ++entry) {
      if (is_sparse && table[entry] == common) continue;
      text_ += std::exchange(separator, ", ");
      if (is_sparse) append_values(f, entry);
      append("{:.{}f}", cost(table[entry]), decimals_);
      flush();
    }
    text_ += "]}";
  }

  void append_values(FactorId f, std::size_t entry) {
    for (const std::uint32_t stride : graph_.strides(f)) {
      append("{}, ", entry / stride);
      entry %= stride;
    }
  }

  double cost(double score) const { return score > -kInfinity ? 0.0 - score : forbidden_; }

  template <class... Arguments>
  void append(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void flush() {
    constexpr std::size_t kMaxBytes = std::size_t{1} << 15;
    if (text_.size() > kMaxBytes) output_.write_and_clear(text_);
  }

  const ModelFile& model_;
  const FactorGraph& graph_;
  io::OutputFile& output_;
  double bound_ = 1, forbidden_ = 1;
  int decimals_ = 0;
  std::string text_;
};

}  // namespace

void write_cfn(const ModelFile& model, io::OutputFile& output) { CfnWriter(model, output).write(); }

}  // namespace fovea::graph
