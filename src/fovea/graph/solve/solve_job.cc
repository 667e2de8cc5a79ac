// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/solve_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/text.h"
#include "fovea/graph/format/evidence_file.h"
#include "fovea/graph/format/solution_file.h"
#include "fovea/graph/report/picture.h"
#include "fovea/graph/solve/solve.h"
#include "fovea/graph/solve/solve_page.h"
#include "fovea/io/output_file.h"

namespace fovea::graph {
namespace {

constexpr double kDefaultSeconds = 60;
/// Part of a time limit that is reserved for putting the answer together and writing it.
constexpr double kReservedSeconds = 0.002, kReservedSecondsPerValue = 150e-9;

Budget budget_of(const SolveJob& job) {
  const Budget budget = parse_budget(job.limits.budget, job.limits.time_limit);
  if (budget.seconds_per_item || budget.per_item) throw UsageError("a model is one item: leave out '/item'");
  if (budget.factors < Budget::kUnlimited || budget.oracle_calls < Budget::kUnlimited)
    throw UsageError("option 'budget': 'solve' counts sweeps or transitions");
  return budget;
}

bool wants_pictures(const SolveFiles& files) { return !files.image.empty() || !files.heatmap.empty(); }

std::size_t columns_of_grid(const FactorGraph& graph) {
  const std::size_t columns = grid_columns(graph);
  if (columns == 0)
    throw UsageError(
        "option 'image' and option 'heatmap' need a model of a grid, its variables numbered along the rows");
  return columns;
}

/// Seconds until the end of the search, which comes before the end of the time limit.
double search_seconds(const SolveJob& job, const FactorGraph& graph, double seconds) {
  if (job.limits.time_limit.empty() && job.limits.budget.empty()) seconds = kDefaultSeconds;
  double values = 0;
  for (const std::uint32_t cardinality : graph.cardinalities()) values += cardinality;
  return seconds - std::min(seconds / 4, kReservedSeconds + kReservedSecondsPerValue * values);
}

SolveResult answer(const SolveJob& job, const SolveInputs& inputs, const Run& run) {
  const FactorGraph& graph = inputs.model.file.graph;
  const Evidence& evidence = inputs.model.evidence;
  switch (job.options.task) {
    case SolveTask::kMarginals:
      return solve_marginals(graph, evidence, job.options.sums(), run);
    case SolveTask::kPartition:
      return solve_partition(graph, evidence, job.options.sums(), run);
    case SolveTask::kMarginalMap:
      return solve_marginal_map(graph, inputs.query, evidence, {.method = job.options.method}, run);
    case SolveTask::kMap:
      break;
  }
  MapOptions map = job.options.map();
  map.start = inputs.start;
  map.cost_bound = inputs.model.file.cost_bound;
  map.grid_rule = &inputs.policies.strips;
  map.search_policy = &inputs.policies.search;
  return solve_map(graph, evidence, map, run);
}

}  // namespace

void SolveJob::check() const {
  budget_of(*this);
  parse_byte_count("memory-limit", limits.memory_limit);
  const SolveTask task = options.task;
  if (task == SolveTask::kMarginalMap && files.query.empty())
    throw UsageError("option 'task MMAP' needs option 'query'");
  if (task != SolveTask::kMarginalMap && !files.query.empty())
    throw UsageError("option 'query' is for option 'task MMAP'");
  if (task == SolveTask::kMap) return;
  if (!files.start.empty()) throw UsageError("option 'start' is for option 'task MAP'");
  if (wants_pictures(files) || !files.policy.empty())
    throw UsageError("option 'policy', option 'image' and option 'heatmap' are for option 'task MAP'");
  if (options.diverse > 1) throw UsageError("option 'diverse' is for option 'task MAP'");
}

Stop::Clock::time_point SolveJob::deadline(const Run& run) const {
  return run.ending_after(budget_of(*this).seconds).stop.deadline;
}

SolveInputs read_inputs(const SolveJob& job, const Run& run) {
  run.begin_phase("reading");
  SolveInputs inputs = {.model = read_observed_model(job.source, run.warn)};
  const ModelFile& file = inputs.model.file;
  if (job.options.task != SolveTask::kMap) warn_of_unheeded_bound(file, run.warn);
  if (!job.files.query.empty()) inputs.query = read_query(io::ByteSource(job.files.query), file.graph);
  if (!job.files.start.empty()) inputs.start = read_assignment(io::ByteSource(job.files.start), file.graph);
  inputs.seconds = seconds_since(run.started);
  if (wants_pictures(job.files)) inputs.picture_columns = columns_of_grid(file.graph);
  else if (!job.files.report_html.empty() && job.options.task == SolveTask::kMap)
    inputs.picture_columns = grid_columns(file.graph);
  if (!job.files.report_html.empty()) check_can_be_replaced(job.files.report_html);
  if (!job.files.policy.empty()) inputs.policies = map_policies_of(job.files.policy);
  return inputs;
}

SolveReport answer_job(const SolveJob& job, const SolveInputs& inputs, Run run) {
  const ModelFile& file = inputs.model.file;
  const Budget budget = budget_of(job);
  run = run.ending_after(search_seconds(job, file.graph, budget.seconds));
  run.budget = budget;
  run.memory_bytes = parse_byte_count("memory-limit", job.limits.memory_limit);
  std::optional<io::OutputFile> trace;
  if (!job.files.trace.empty()) trace.emplace(job.files.trace);
  SolveReport report = {.asked = job.options,
                        .time_limit = job.limits.time_limit,
                        .budget = job.limits.budget,
                        .memory_limit = job.limits.memory_limit,
                        .memory_bytes = run.memory_bytes,
                        .variables = file.graph.variable_count(),
                        .factors = file.graph.factor_count(),
                        .table_entries = file.graph.entry_count(),
                        .evidence = inputs.model.evidence,
                        .query = inputs.query,
                        .names = file.names,
                        .read_seconds = inputs.seconds,
                        .threads = run.thread_count()};
  if (trace || !job.files.report_html.empty())
    run.progress = [&trace, &report, progress = run.progress](const Progress& step) {
      if (trace) trace->write(trace_line(step) + "\n");
      report.steps.push_back({step.seconds, step.value, step.bound});
      if (progress) progress(step);
    };
  report.result = answer(job, inputs, run);
  run.begin_phase("writing");
  report.seconds = seconds_since(run.started);
  if (trace) trace->finish();
  return report;
}

void write_answer(const SolveJob& job, const SolveReport& report, bool as_json) {
  io::OutputFile output(job.files.output);
  if (as_json) output.write(report.json() + "\n");
  else write_solution(report, output);
  output.finish();
}

void tell_of_missing_answers(const SolveReport& report, const Run& run) {
  const MapResult* const map = std::get_if<MapResult>(&report.result);
  const auto asked = static_cast<std::size_t>(report.asked.diverse);
  if (!map || asked == 1 || map->diverse.size() == asked) return;
  if (map->diverse_is_complete)
    run.note_that(
        fmt::format("{} of {} answers, complete: no other assignment differs from each of them in {} variables or more",
                    map->diverse.size(), asked, report.asked.distance));
  else
    run.warn_of(fmt::format("{} of {} answers, stopped by the limits: there may be more", map->diverse.size(), asked));
}

void draw_pictures(const SolveJob& job, const SolveInputs& inputs, const SolveReport& report, const Run& run) {
  const MapResult* const map = std::get_if<MapResult>(&report.result);
  if (!map || inputs.picture_columns == 0) return;
  const Assignment& values = map->best.values;
  if (!job.files.image.empty()) write_png(label_picture(values, inputs.picture_columns), job.files.image);
  if (job.files.heatmap.empty()) return;
  if (!map->visits.empty()) write_png(heat_picture(values, map->visits, inputs.picture_columns), job.files.heatmap);
  else
    run.warn_of(
        "no heat map: the answer was proved, or evidence took the grid apart, before strips were visited; "
        "option 'method search' visits them");
}

}  // namespace fovea::graph
