// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/solve_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>
#include <type_traits>
#include <variant>

#include "fovea/base/text.h"
#include "fovea/graph/format/solution_file.h"

namespace fovea::graph {
namespace {

using Json = nlohmann::ordered_json;

double log10_of(double natural) { return natural / std::numbers::ln10; }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

bool has_names(const ModelNames& names) { return !names.variables.empty() || !names.values.empty(); }

Json named_assignment(const ModelNames& names, const Assignment& values, const std::vector<VariableId>& query) {
  Json named = Json::object();
  if (query.empty())
    for (std::size_t v = 0; v < values.size(); ++v) named[names.variable(v)] = names.value(v, values[v]);
  for (const VariableId v : query) named[names.variable(v)] = names.value(v, values[v]);
  return named;
}

Json named_marginals(const ModelNames& names, const std::vector<std::vector<double>>& marginals) {
  Json named = Json::object();
  for (std::size_t v = 0; v < marginals.size(); ++v)
    for (std::size_t k = 0; k < marginals[v].size(); ++k) named[names.variable(v)][names.value(v, k)] = marginals[v][k];
  return named;
}

void add(const SolveReport& report, const BestResult& r, Json& json) {
  json["score"] = number(r.best.score);
  json["log10_score"] = number(log10_of(r.best.score));
  json["bound"] = number(r.bound);
  json["gap"] = number(r.gap());
  json["optimal"] = r.is_exact();
  json["score_is_estimate"] = r.status == SolveStatus::kEstimate;
  json["values"] = r.best.values;
  if (!report.query.empty()) json["query"] = report.query;
  if (has_names(report.names)) json["named"] = named_assignment(report.names, r.best.values, report.query);
}

void add(const SolveReport& report, const MapResult& r, Json& json) {
  add(report, static_cast<const BestResult&>(r), json);
  if (!r.diverse.empty()) json["diverse_status"] = r.diverse_is_complete ? "complete" : "stopped";
  for (const ScoredAssignment& other : r.diverse)
    json["diverse"].push_back({{"score", number(other.score)}, {"values", other.values}});
  json["searchers"] = Json::array();
  for (const SearcherRecord& searcher : r.searchers)
    json["searchers"].push_back(
        {{"name", searcher.name}, {"seconds", searcher.seconds}, {"improvements", searcher.rises.size()}});
}

void add(const SolveReport&, const PartitionResult& r, Json& json) {
  json["log10_partition"] = number(log10_of(r.log_partition));
  json["log_partition"] = number(r.log_partition);
  json["log10_partition_error"] = number(log10_of(r.log_partition_error));
  json["log10_partition_bound"] = number(log10_of(r.log_partition_bound));
}

void add(const SolveReport& report, const MarginalsResult& r, Json& json) {
  add(report, static_cast<const PartitionResult&>(r), json);
  json["exact_variables"] = r.exact_variables;
  json["max_standard_error"] = number(r.max_standard_error);
  json["max_r_hat"] = number(r.max_r_hat);
  json["min_effective_samples"] = number(r.min_effective_samples);
  json["mixing"] = r.mixing ? Json(word_of(*r.mixing)) : Json(nullptr);
  json["unmoved_variables"] = r.unmoved_variables;
  json["marginals"] = r.marginals;
  if (has_names(report.names)) json["named"] = named_marginals(report.names, r.marginals);
}

void add(const SolveReport&, std::monostate, Json&) {}

std::string given_used_line(std::string_view name, std::string_view given, std::string_view used) {
  return fmt::format("{:<16} {:>16}   {}\n", name, given.empty() ? "none" : given, used);
}

std::string searchers_text(const std::vector<SearcherRecord>& searchers) {
  if (searchers.empty()) return "";
  std::string text = fmt::format("\n{:<24} {:>10} {:>14}\n", "searcher", "seconds", "improvements");
  for (const SearcherRecord& searcher : searchers)
    text += fmt::format("{:<24} {:>10.4f} {:>14}\n", searcher.name, searcher.seconds, searcher.rises.size());
  return text + "\n";
}

}  // namespace

SolveFacts SolveReport::facts() const {
  return std::visit(
      [](const auto& answer) -> SolveFacts {
        if constexpr (std::is_base_of_v<SolveFacts, std::decay_t<decltype(answer)>>) return answer;
        else return {};
      },
      result);
}

std::string SolveReport::brief() const {
  return std::visit(
      [](const auto& answer) -> std::string {
        if constexpr (std::is_base_of_v<SolveFacts, std::decay_t<decltype(answer)>>) return answer.brief();
        else return "not run";
      },
      result);
}

std::string SolveReport::full() const {
  const SolveFacts r = facts();
  std::string text = given_used_line("", "Given", "Used");
  text += given_used_line("task", word_of(asked.task), word_of(asked.task));
  text += given_used_line("method", word_of(asked.method), r.method);
  text +=
      given_used_line("time limit", time_limit, fmt::format("{:.3f} s, {:.3f} of them reading", seconds, read_seconds));
  text += given_used_line("budget", budget,
                          fmt::format("{} transitions, {} oracle calls", r.work.transitions, r.work.oracle_calls));
  text +=
      given_used_line("memory limit", memory_limit, byte_count_text(static_cast<double>(memory_bytes)) + " for tables");
  text += given_used_line("threads", "", fmt::to_string(threads));
  text += fmt::format("{} variables, {} of them observed; {} factors, {} table entries\n\n", variables, evidence.size(),
                      factors, table_entries);
  text += fmt::format("{:<24} {:>10} {:>14}   {}\n", "phase", "seconds", "transitions", "outcome");
  for (const SolvePhase& phase : r.phases)
    text +=
        fmt::format("{:<24} {:>10.4f} {:>14}   {}\n", phase.name, phase.seconds, phase.work.transitions, phase.outcome);
  if (const auto* map = std::get_if<MapResult>(&result)) text += searchers_text(map->searchers);
  return text + brief() + "\n";
}

std::string SolveReport::json() const {
  const SolveFacts r = facts();
  Json json = {{"task", word_of(asked.task)}, {"status", word_of(r.status)}, {"method", r.method}};
  std::visit([&](const auto& answer) { add(*this, answer, json); }, result);
  json["seconds"] = seconds;
  json["work"] = {
      {"transitions", r.work.transitions}, {"factors", r.work.factors}, {"oracle_calls", r.work.oracle_calls}};
  json["given"] = {{"options", Json::parse(options_json(asked))},
                   {"time_limit", time_limit},
                   {"budget", budget},
                   {"memory_bytes", memory_bytes},
                   {"observed", evidence.size()}};
  json["model"] = {{"variables", variables}, {"factors", factors}, {"table_entries", table_entries}};
  json["phases"] = Json::array({{{"name", "reading"}, {"seconds", read_seconds}}});
  for (const SolvePhase& phase : r.phases)
    json["phases"].push_back({{"name", phase.name},
                              {"seconds", phase.seconds},
                              {"transitions", phase.work.transitions},
                              {"outcome", phase.outcome}});
  // Names may be bytes of any encoding; JSON may not.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_solution(const SolveReport& report, io::OutputFile& output) {
  if (const auto* sums = std::get_if<PartitionResult>(&report.result))
    return write_log_partition(sums->log_partition, output);
  if (const auto* sums = std::get_if<MarginalsResult>(&report.result)) return write_marginals(sums->marginals, output);
  if (const auto* map = std::get_if<MapResult>(&report.result))
    return map->diverse.empty() ? write_assignment(map->best.values, output) : write_assignments(map->diverse, output);
  Evidence values;
  const auto& best = std::get<MarginalMapResult>(report.result).best;
  for (const VariableId v : report.query) values.push_back({.variable = v, .value = best.values[v]});
  write_marginal_map(values, output);
}

std::string trace_line(const Progress& progress) {
  const Json json = {{"seconds", progress.seconds},
                     {"score", number(progress.value)},
                     {"bound", number(progress.bound)},
                     {"method", progress.method},
                     {"transitions", progress.work.transitions}};
  return json.dump();
}

}  // namespace fovea::graph
