// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {
namespace {

double cell_number(const io::DelimitedReader& reader, std::size_t column) {
  const std::string_view cell = reader.cells()[column];
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value)) return value;
  throw InputError(reader.location(),
                   fmt::format("'{}' in column '{}' is not a number", cell, reader.columns()[column]),
                   "Give values as numbers, as 'fovea sample' writes them");
}

/// Roles of the columns of a file. Names are those of 'fovea sample', of Stan and of R's posterior.
struct DrawColumns {
  std::optional<std::size_t> chain, draw;
  std::vector<std::size_t> variables;
};

/// True for columns that are not variables: Stan's, except lp__, describe its sampler, and a column without a name
/// numbers the rows.
bool is_no_variable(const std::string& name) {
  return name.empty() || name == "Unnamed: 0" || (name.ends_with("__") && name != "lp__");
}

DrawColumns columns_of(const io::DelimitedReader& reader) {
  DrawColumns columns;
  for (std::size_t i = 0; i < reader.columns().size(); ++i) {
    const std::string& name = reader.columns()[i];
    if (name == "chain" || name == ".chain") columns.chain = i;
    else if (name == "draw" || name == ".iteration" || (name == ".draw" && !columns.draw)) columns.draw = i;
    else if (name != ".draw" && !is_no_variable(name)) columns.variables.push_back(i);
  }
  return columns;
}

/// Gathers the draws of files, one after the other.
class DrawReading {
 public:
  void add(io::ByteSource source) {
    file_ = source.name();
    io::DelimitedReader reader(io::LineReader(std::move(source)), {.comment = '#'});
    const DrawColumns columns = columns_of(reader);
    take_names(reader, columns);
    chains_.clear();
    for (double row = 0; reader.next(); ++row) add_row(reader, columns, row);
  }

  DrawTable finish() && {
    if (table_.variables.empty() || table_.draws[0].empty())
      throw InputError({.file = file_}, "a table without draws", "Write some with 'fovea sample'");
    make_chains_equal();
    return std::move(table_);
  }

 private:
  /// Cuts all chains to the shortest: a sampler that was stopped leaves some a little shorter.
  void make_chains_equal() {
    constexpr double kLeastShare = .9;
    const auto [shortest, longest] = std::ranges::minmax(table_.draws[0], {}, &std::vector<double>::size);
    const std::size_t least = shortest.size(), most = longest.size();
    if (static_cast<double>(least) < kLeastShare * static_cast<double>(most))
      throw InputError({.file = file_}, fmt::format("chains of {} and of {} draws", most, least),
                       "Leave out the draws that only some chains have");
    for (const std::vector<double>& chain : table_.draws[0]) table_.left_out += chain.size() - least;
    for (auto& variable : table_.draws)
      for (std::vector<double>& chain : variable) chain.resize(least);
  }

  void take_names(const io::DelimitedReader& reader, const DrawColumns& columns) {
    std::vector<std::string> names;
    for (const std::size_t column : columns.variables) names.push_back(reader.columns()[column]);
    if (table_.variables.empty()) {
      table_.draws.resize(names.size());
      table_.variables = std::move(names);
    } else if (names != table_.variables) {
      throw InputError(reader.location(), "the variables are not those of the file before", "Give files of one model");
    }
  }

  /// Adds a draw. A file without a column of chains is one chain; without a column of draws they come row by row.
  void add_row(const io::DelimitedReader& reader, const DrawColumns& columns, double row) {
    const double draw = columns.draw ? cell_number(reader, *columns.draw) : row;
    const double chain = columns.chain ? cell_number(reader, *columns.chain) : 0;
    const auto [at, is_new] = chains_.try_emplace(chain, count_, draw);
    if (is_new) ++count_;
    auto& [index, last] = at->second;
    if (!is_new && !(draw > last))
      throw InputError(reader.location(), fmt::format("draw {} of chain {} comes after draw {}", draw, chain, last),
                       "Sort the rows by chain and draw");
    last = draw;
    for (std::size_t v = 0; v < columns.variables.size(); ++v) {
      table_.draws[v].resize(count_);
      table_.draws[v][index].push_back(cell_number(reader, columns.variables[v]));
    }
  }

  std::string file_;
  DrawTable table_;
  std::map<double, std::pair<std::size_t, double>> chains_;  // of the file: number -> (index, last draw)
  std::size_t count_ = 0;                                    // chains of all files
};

using ChainDraws = std::vector<std::vector<double>>;  // [chain][draw]

/// Sum of term(x) over all draws, and the number of draws.
template <class Term>
std::pair<double, double> sum_over(const ChainDraws& chains, const Term& term) {
  double sum = 0, count = 0;
  for (const std::vector<double>& chain : chains) {
    for (const double x : chain) sum += term(x);
    count += static_cast<double>(chain.size());
  }
  return {sum, count};
}

double mean_of(const ChainDraws& chains) {
  const auto [sum, count] = sum_over(chains, [](double x) { return x; });
  return sum / count;
}

double deviation_of(const ChainDraws& chains, double mean) {
  const auto [sum, count] = sum_over(chains, [&](double x) { return (x - mean) * (x - mean); });
  return count > 1 ? std::sqrt(sum / (count - 1)) : 0;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string known(double value, const char* format) {
  return std::isnan(value) ? "unknown" : fmt::format(fmt::runtime(format), value);
}

std::string verdict(const std::vector<VariableDiagnosis>& rows) {
  const auto count = [&](mcmc::Mixing mixing) {
    return std::ranges::count(rows, mixing, [](const VariableDiagnosis& row) { return row.chains.mixing; });
  };
  std::string text =
      fmt::format("{} of {} variables have mixed (R-hat at most {}, at least {} effective draws)",
                  count(mcmc::Mixing::kMixed), rows.size(), mcmc::kMixedRHat, mcmc::kFewestEffectiveDraws);
  if (const auto apart = count(mcmc::Mixing::kNotMixed); apart > 0)
    text += fmt::format("; for {} the chains disagree: run longer, or warm up longer", apart);
  if (const auto unknown = count(mcmc::Mixing::kCannotTell); unknown > 0)
    text += fmt::format("; for {} it is unknown: they never moved, or there are too few draws", unknown);
  return text + "\n";
}

}  // namespace

DrawTable read_draws(std::vector<io::ByteSource> sources) {
  DrawReading reading;
  for (io::ByteSource& source : sources) reading.add(std::move(source));
  return std::move(reading).finish();
}

std::vector<VariableDiagnosis> diagnose(const DrawTable& table) {
  std::vector<VariableDiagnosis> rows;
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    const auto& chains = table.draws[v];
    const double mean = mean_of(chains);
    rows.push_back({.variable = table.variables[v],
                    .mean = mean,
                    .standard_deviation = deviation_of(chains, mean),
                    .chains = mcmc::diagnose(chains)});
  }
  return rows;
}

std::vector<std::size_t> worst_first(const std::vector<VariableDiagnosis>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t v) {
    const mcmc::Diagnosis& chains = rows[v].chains;
    if (chains.mixing == mcmc::Mixing::kNotMixed) return chains.r_hat;
    return chains.mixing == mcmc::Mixing::kCannotTell ? mcmc::kMixedRHat : 0;
  });
  return order;
}

std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows) {
  std::size_t width = 8;
  for (const VariableDiagnosis& row : rows) width = std::max(width, row.variable.size());
  std::string text = fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9}  {}\n", "variable", width, "mean", "sd",
                                 "se", "R-hat", "bulk ESS", "tail ESS", "chains");
  for (const std::size_t v : worst_first(rows)) {
    const VariableDiagnosis& row = rows[v];
    text += fmt::format("{:<{}} {:>10.4g} {:>10.4g} {:>10} {:>7} {:>9} {:>9}  {}\n", row.variable, width, row.mean,
                        row.standard_deviation, known(row.chains.standard_error, "{:.2g}"),
                        known(row.chains.r_hat, "{:.3f}"), known(row.chains.bulk_effective_samples, "{:.0f}"),
                        known(row.chains.tail_effective_samples, "{:.0f}"), word_of(row.chains.mixing));
  }
  return text + verdict(rows);
}

std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows) {
  nlohmann::ordered_json json = {{"variables", nlohmann::ordered_json::array()}};
  for (const VariableDiagnosis& row : rows)
    json["variables"].push_back({{"variable", row.variable},
                                 {"mean", number_or_null(row.mean)},
                                 {"standard_deviation", number_or_null(row.standard_deviation)},
                                 {"standard_error", number_or_null(row.chains.standard_error)},
                                 {"chains", word_of(row.chains.mixing)},
                                 {"r_hat", number_or_null(row.chains.r_hat)},
                                 {"bulk_effective_samples", number_or_null(row.chains.bulk_effective_samples)},
                                 {"tail_effective_samples", number_or_null(row.chains.tail_effective_samples)}});
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea::graph
