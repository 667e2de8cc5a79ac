// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/solution_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

std::string factor_text(const SolutionReport& report, FactorId f) {
  constexpr std::size_t kMaxVariables = 10;
  const std::span<const VariableId> scope = report.graph.scope(f);
  std::string text = fmt::format("factor {} at", f);
  for (const VariableId v : scope.first(std::min(scope.size(), kMaxVariables)))
    text += fmt::format(" {}={}", report.names.variable(v), report.names.value(v, report.values[v]));
  return text + (scope.size() > kMaxVariables ? " ..." : "");
}

nlohmann::ordered_json factor_json(const SolutionReport& report, FactorId f) {
  nlohmann::ordered_json variables = nlohmann::ordered_json::object();
  for (const VariableId v : report.graph.scope(f))
    variables[report.names.variable(v)] = report.names.value(v, report.values[v]);
  return {{"factor", f}, {"values", variables}};
}

template <class List>
auto listed(const List& list) {
  return std::span(list).first(std::min(list.size(), SolutionReport::kMaxListed));
}

}  // namespace

SolutionCheck check_solution(const FactorGraph& graph, std::span<const Value> values,
                             std::span<const Observation> evidence, double cost_bound) {
  SolutionCheck check;
  long double sum = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    std::size_t entry = 0;
    for (const VariableId v : graph.scope(f)) entry = entry * graph.cardinality(v) + values[v];
    const double score = graph.table(f)[entry];
    if (score == kImpossible) check.broken_factors.push_back(f);
    else sum += score;
  }
  check.log_score = check.broken_factors.empty() ? static_cast<double>(sum) : kImpossible;
  const long double rounding = 1e-12L * std::max(1.0, std::abs(cost_bound));
  if (check.broken_factors.empty() && std::isfinite(cost_bound) && !(-sum < cost_bound - rounding))
    check.bound_reached = cost_bound;
  for (const Observation& observation : evidence)
    if (values[observation.variable] != observation.value) check.contradicted.push_back(observation);
  return check;
}

std::string SolutionReport::text() const {
  std::string text =
      fmt::format("feasible: {}\nlog score: {:.12g} (log10 {:.12g})\n", check.is_feasible() ? "yes" : "no",
                  check.log_score, check.log_score / std::numbers::ln10);
  if (!evidence.empty())
    text += fmt::format("evidence: {} of {} observations respected\n", evidence.size() - check.contradicted.size(),
                        evidence.size());
  for (const auto& [variable, value] : listed(check.contradicted))
    text += fmt::format("  {}={}, but {} was observed\n", names.variable(variable),
                        names.value(variable, values[variable]), names.value(variable, value));
  if (check.reaches_bound())
    text += fmt::format("upper bound: its cost {:.12g} reaches that of the model, {:.12g}\n", -check.log_score,
                        check.bound_reached);
  if (!check.broken_factors.empty())
    text +=
        fmt::format("broken hard constraints: {} of {} factors\n", check.broken_factors.size(), graph.factor_count());
  for (const FactorId f : listed(check.broken_factors)) text += fmt::format("  {}\n", factor_text(*this, f));
  return text;
}

std::string SolutionReport::json() const {
  nlohmann::ordered_json contradicted = nlohmann::ordered_json::array(), broken = nlohmann::ordered_json::array();
  for (const auto& [variable, value] : listed(check.contradicted))
    contradicted.push_back({{"variable", names.variable(variable)},
                            {"value", names.value(variable, values[variable])},
                            {"observed", names.value(variable, value)}});
  for (const FactorId f : listed(check.broken_factors)) broken.push_back(factor_json(*this, f));
  const nlohmann::ordered_json document = {{"feasible", check.is_feasible()},
                                           {"log_score", check.log_score},
                                           {"log10_score", check.log_score / std::numbers::ln10},
                                           {"variables", graph.variable_count()},
                                           {"factors", graph.factor_count()},
                                           {"reaches_cost_bound", check.reaches_bound()},
                                           {"observations", evidence.size()},
                                           {"contradicted_count", check.contradicted.size()},
                                           {"contradicted", contradicted},
                                           {"broken_factor_count", check.broken_factors.size()},
                                           {"broken_factors", broken}};
  // Names may hold bytes that are not UTF-8.
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea::graph
