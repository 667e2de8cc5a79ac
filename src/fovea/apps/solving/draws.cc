// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/solving/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/sample/diagnostics.h"

namespace fovea {
namespace {

constexpr double kMixed = 1.01;  // the threshold of Vehtari et al. (2021)

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

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
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
    rows.push_back({.variable = table.variables[v],
                    .mean = mean,
                    .standard_deviation = deviation_of(chains, mean),
                    .standard_error = standard_error_of_mean(chains),
                    .r_hat = rank_normalised_r_hat(chains),
                    .bulk_effective_samples = bulk_effective_sample_size(chains),
                    .tail_effective_samples = tail_effective_sample_size(chains)});
  }
  return rows;
}

std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows) {
  std::vector<const VariableDiagnosis*> order;
  std::size_t width = 8, mixed = 0;
  for (const VariableDiagnosis& row : rows) {
    order.push_back(&row);
    width = std::max(width, row.variable.size());
    mixed += !(row.r_hat > kMixed);
  }
  const auto badness = [](const VariableDiagnosis* row) { return std::isnan(row->r_hat) ? 0 : row->r_hat; };
  std::ranges::stable_sort(order, [&](auto* a, auto* b) { return badness(a) > badness(b); });
  std::string text = fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9}\n", "variable", width, "mean", "sd",
                                 "se", "R-hat", "bulk ESS", "tail ESS");
  for (const VariableDiagnosis* row : order)
    text += fmt::format("{:<{}} {:>10.4g} {:>10.4g} {:>10.2g} {:>7.3f} {:>9.0f} {:>9.0f}\n", row->variable, width,
                        row->mean, row->standard_deviation, row->standard_error, row->r_hat,
                        row->bulk_effective_samples, row->tail_effective_samples);
  return text + fmt::format("{} of {} variables at R-hat <= {}{}\n", mixed, rows.size(), kMixed,
                            mixed == rows.size() ? "" : ": run longer, or warm up longer");
}

std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows) {
  nlohmann::ordered_json json = {{"variables", nlohmann::ordered_json::array()}};
  for (const VariableDiagnosis& row : rows)
    json["variables"].push_back({{"variable", row.variable},
                                 {"mean", number_or_null(row.mean)},
                                 {"standard_deviation", number_or_null(row.standard_deviation)},
                                 {"standard_error", number_or_null(row.standard_error)},
                                 {"r_hat", number_or_null(row.r_hat)},
                                 {"bulk_effective_samples", number_or_null(row.bulk_effective_samples)},
                                 {"tail_effective_samples", number_or_null(row.tail_effective_samples)}});
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea
