// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/solving/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/base/infinity.h"
#include "fovea/sample/diagnostics.h"

namespace fovea {
namespace {

double number_in(const DelimitedReader& reader, std::size_t column) {
  const std::string_view cell = reader.cells()[column];
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value)) return value;
  throw InputError(reader.location(), fmt::format("'{}' in column '{}' is no number", cell, reader.columns()[column]),
                   "Give values as numbers, as 'fovea sample' writes them");
}

std::size_t find_column(const DelimitedReader& reader, const char* name) {
  const auto at = std::ranges::find(reader.columns(), name);
  if (at == reader.columns().end())
    throw InputError(reader.location(), fmt::format("no column is called '{}'", name),
                     "The header of a table of draws is chain,draw and the variables, as 'fovea sample' writes it");
  return static_cast<std::size_t>(at - reader.columns().begin());
}

void check_lengths(const DrawTable& table, const DelimitedReader& reader) {
  if (table.variables.empty() || table.draws[0].empty())
    throw InputError({.file = reader.location().file}, "a table without draws", "Write some with 'fovea sample'");
  for (const std::vector<double>& chain : table.draws[0])
    if (chain.size() != table.draws[0][0].size())
      throw InputError({.file = reader.location().file},
                       fmt::format("chains of {} and of {} draws", table.draws[0][0].size(), chain.size()),
                       "Leave out the draws that only some chains have");
}

using ChainDraws = std::vector<std::vector<double>>;  // [chain][draw]

/// The sum of term(x) over all draws, and how many they are.
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

std::pair<double, double> range_of(const ChainDraws& chains) {
  double least = kInfinity, most = -kInfinity;
  for (const std::vector<double>& chain : chains)
    for (const double x : chain) {
      least = std::min(least, x);
      most = std::max(most, x);
    }
  return {least, most};
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string known(double value, const char* format) {
  return std::isnan(value) ? "unknown" : fmt::format(fmt::runtime(format), value);
}

std::string verdict(const std::vector<VariableDiagnosis>& rows) {
  const auto count = [&](Mixing mixing) { return std::ranges::count(rows, mixing, &VariableDiagnosis::mixing); };
  std::string text = fmt::format("{} of {} variables have mixed (R-hat at most {}, at least {} effective draws)",
                                 count(Mixing::kMixed), rows.size(), kMixedRHat, kFewestEffectiveDraws);
  if (const auto apart = count(Mixing::kNotMixed); apart > 0)
    text += fmt::format("; of {} the chains disagree: run longer, or warm up longer", apart);
  if (const auto unknown = count(Mixing::kCannotTell); unknown > 0)
    text += fmt::format("; of {} it cannot be told: they never moved, or there are too few draws", unknown);
  return text + "\n";
}

}  // namespace

DrawTable read_draws(ByteSource source) {
  DelimitedReader reader(LineReader(std::move(source)));
  const std::size_t chain_column = find_column(reader, "chain"), draw_column = find_column(reader, "draw");
  DrawTable table;
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < reader.columns().size(); ++i)
    if (i != chain_column && i != draw_column) {
      columns.push_back(i);
      table.variables.push_back(reader.columns()[i]);
    }
  table.draws.resize(columns.size());
  std::map<double, std::pair<std::size_t, double>> chains;  // number -> (index, last draw)
  while (reader.next()) {
    const double draw = number_in(reader, draw_column);
    const auto [at, is_new] = chains.try_emplace(number_in(reader, chain_column), chains.size(), draw);
    auto& [index, last] = at->second;
    if (!is_new && !(draw > last))
      throw InputError(reader.location(),
                       fmt::format("draw {} of chain {} comes behind draw {}", draw, at->first, last),
                       "Sort the rows by chain and draw");
    last = draw;
    for (std::size_t v = 0; v < columns.size(); ++v) {
      table.draws[v].resize(chains.size());
      table.draws[v][index].push_back(number_in(reader, columns[v]));
    }
  }
  check_lengths(table, reader);
  return table;
}

std::vector<VariableDiagnosis> diagnose(const DrawTable& table) {
  std::vector<VariableDiagnosis> rows;
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    const auto& chains = table.draws[v];
    const double mean = mean_of(chains);
    const auto [least, most] = range_of(chains);
    rows.push_back({.variable = table.variables[v],
                    .mean = mean,
                    .standard_deviation = deviation_of(chains, mean),
                    .standard_error = standard_error_of_mean(chains),
                    .r_hat = rank_normalised_r_hat(chains),
                    .bulk_effective_samples = bulk_effective_sample_size(chains),
                    .tail_effective_samples = tail_effective_sample_size(chains)});
    VariableDiagnosis& row = rows.back();
    row.mixing = mixing_of(row.r_hat, std::min(row.bulk_effective_samples, row.tail_effective_samples), least < most);
  }
  return rows;
}

std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows) {
  std::vector<const VariableDiagnosis*> order;
  std::size_t width = 8;
  for (const VariableDiagnosis& row : rows) {
    order.push_back(&row);
    width = std::max(width, row.variable.size());
  }
  const auto badness = [](const VariableDiagnosis* row) {  // disagreement first, then what cannot be told
    if (row->mixing == Mixing::kNotMixed) return row->r_hat;
    return row->mixing == Mixing::kCannotTell ? kMixedRHat : 0;
  };
  std::ranges::stable_sort(order, [&](auto* a, auto* b) { return badness(a) > badness(b); });
  std::string text = fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9}  {}\n", "variable", width, "mean", "sd",
                                 "se", "R-hat", "bulk ESS", "tail ESS", "chains");
  for (const VariableDiagnosis* row : order)
    text += fmt::format("{:<{}} {:>10.4g} {:>10.4g} {:>10} {:>7} {:>9} {:>9}  {}\n", row->variable, width, row->mean,
                        row->standard_deviation, known(row->standard_error, "{:.2g}"), known(row->r_hat, "{:.3f}"),
                        known(row->bulk_effective_samples, "{:.0f}"), known(row->tail_effective_samples, "{:.0f}"),
                        name_of(row->mixing));
  return text + verdict(rows);
}

std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows) {
  nlohmann::ordered_json json = {{"variables", nlohmann::ordered_json::array()}};
  for (const VariableDiagnosis& row : rows)
    json["variables"].push_back({{"variable", row.variable},
                                 {"mean", number_or_null(row.mean)},
                                 {"standard_deviation", number_or_null(row.standard_deviation)},
                                 {"standard_error", number_or_null(row.standard_error)},
                                 {"chains", name_of(row.mixing)},
                                 {"r_hat", number_or_null(row.r_hat)},
                                 {"bulk_effective_samples", number_or_null(row.bulk_effective_samples)},
                                 {"tail_effective_samples", number_or_null(row.tail_effective_samples)}});
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea
