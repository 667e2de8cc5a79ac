// SPDX-License-Identifier: Apache-2.0
// fovea solve: the likeliest assignment, marginals or the partition function of a discrete model, under limits.
#include "fovea/graph/solve/solve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <optional>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/run_control.h"
#include "fovea/base/temporary_file.h"
#include "fovea/base/text.h"
#include "fovea/cli/graph/model_notes.h"
#include "fovea/cli/graph/model_options.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/process.h"
#include "fovea/graph/format/evidence_file.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/format/solution_file.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/report/picture.h"
#include "fovea/graph/report/solve_report.h"
#include "fovea/io/output_file.h"

namespace fovea::cli {
namespace {

struct SolveCommandOptions {
  std::string query, start, policy, output, image, heatmap, trace;
  bool report = false;

  template <class V>
  static void describe(V&& visit) {
    using O = SolveCommandOptions;
    visit(&O::query, OptionInfo{.name = "query",
                                .description = "MMAP: the variables to maximise over, a UAI query file.",
                                .value_name = "FILE",
                                .file = FileRole::kInput});
    visit(&O::start, OptionInfo{.name = "start",
                                .description = "MAP: an assignment to begin with, as 'solve' writes it.",
                                .value_name = "FILE",
                                .file = FileRole::kInput});
    visit(&O::policy,
          OptionInfo{.name = "policy",
                     .description = "MAP of grids: where to sample, as 'fovea tune' learned it, or 'universal' "
                                    "(the default) or 'hot-bits', which come with the program.",
                     .value_name = "FILE",
                     .file = FileRole::kInput});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the answer; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::image, OptionInfo{.name = "image",
                                .description = "MAP of grids: also draw the answer, as PNG.",
                                .value_name = "FILE",
                                .file = FileRole::kOutput});
    visit(&O::heatmap, OptionInfo{.name = "heatmap",
                                  .description = "MAP of grids: draw where the visits went, over the answer, as PNG.",
                                  .value_name = "FILE",
                                  .file = FileRole::kOutput});
    visit(&O::trace, OptionInfo{.name = "trace",
                                .description = "Write every improvement as a line of JSON: seconds, score, bound, who.",
                                .value_name = "FILE",
                                .file = FileRole::kOutput});
    visit(&O::report, OptionInfo{.name = "report",
                                 .description = "Afterwards, on standard error: what was given and used, seconds and "
                                                "outcome of each phase."});
  }
};

struct SolveLimitOptions {
  std::string time_limit, budget, memory_limit = "4GB";

  template <class V>
  static void describe(V&& visit) {
    using O = SolveLimitOptions;
    visit(
        &O::time_limit,
        OptionInfo{.name = "time-limit",
                   .description = "Wall clock from process start to exit, as in 10s or 200ms; without limits, MAP and "
                                  "estimates end after 60s.",
                   .value_name = "TIME"});
    visit(&O::budget, OptionInfo{.name = "budget",
                                 .description = "Work, as in '1000 sweeps' or '1e6 transitions': the same answer on "
                                                "every run, at any number of threads.",
                                 .value_name = "COUNT"});
    visit(&O::memory_limit, OptionInfo{.name = "memory-limit",
                                       .description = "Tables of exact methods stay below this; what would need more "
                                                      "is answered in another way.",
                                       .value_name = "BYTES"});
  }
};

constexpr double kDefaultSeconds = 60;
/// What is kept of a time limit for putting the answer together and writing it.
constexpr double kReservedSeconds = 0.002, kReservedSecondsPerValue = 40e-9;

class Solve : public Command {
 public:
  void bind(Binder& binder) override {
    model_.bind(binder);
    binder.options(options_);
    binder.options(solve_, "What to compute");
    binder.options(limits_, "Limits");
  }

  void run(const Context& context) override {
    const Budget budget = parse_budget(limits_.budget, limits_.time_limit);
    if (budget.seconds_per_item || budget.per_item) throw UsageError("a model is one item: leave out '/item'");
    if (budget.factors < Budget::kUnlimited || budget.oracle_calls < Budget::kUnlimited)
      throw UsageError("--budget: 'solve' counts sweeps or transitions");
    check_options();
    graph::SolveReport report;
    report.asked = solve_;
    report.time_limit = limits_.time_limit;
    report.budget = limits_.budget;
    report.memory_limit = limits_.memory_limit;
    report.memory_bytes = parse_byte_count("--memory-limit", limits_.memory_limit);
    report.threads = resolve_threads(context.common.threads);
    const graph::ModelFile model = read_all(context, budget, report);
    const std::size_t columns = picture_columns(model.graph);
    std::optional<graph::StripRule> rule;
    if (!options_.policy.empty()) rule = graph::strip_rule_of(options_.policy);
    std::optional<io::OutputFile> trace;
    if (!options_.trace.empty()) trace.emplace(options_.trace);
    report.result = graph::solve({.graph = model.graph,
                                  .evidence = report.evidence,
                                  .query = report.query,
                                  .start = start_,
                                  .cost_bound = model.cost_bound,
                                  .options = solve_,
                                  .limits = {.stop = stop_for(context, budget, model.graph),
                                             .budget = budget,
                                             .memory_bytes = report.memory_bytes,
                                             .threads = report.threads},
                                  .grid_rule = rule ? &*rule : nullptr,
                                  .random = Random(context.common.seed).child("solve"),
                                  .on_improvement = observer(context, trace)});
    context.console.clear_progress();
    report.seconds = seconds_since(context.started);
    write(context, report, trace);
    tell_of_missing_answers(context, report.result);
    draw(context, report.result, columns);
  }

 private:
  void check_options() const {
    if (solve_.task == graph::SolveTask::kMarginalMap && options_.query.empty())
      throw UsageError("--task MMAP needs --query");
    if (solve_.task != graph::SolveTask::kMarginalMap && !options_.query.empty())
      throw UsageError("--query is for --task MMAP");
    if (solve_.task != graph::SolveTask::kMap && !options_.start.empty()) throw UsageError("--start is for --task MAP");
    if (solve_.task != graph::SolveTask::kMap && (wants_pictures() || !options_.policy.empty()))
      throw UsageError("--policy, --image and --heatmap are for --task MAP");
    if (solve_.task != graph::SolveTask::kMap && solve_.diverse > 1) throw UsageError("--diverse is for --task MAP");
  }

  void tell_of_missing_answers(const Context& context, const graph::SolveResult& result) const {
    const std::size_t found = result.diverse.size();
    if (solve_.diverse == 1 || found == static_cast<std::size_t>(solve_.diverse)) return;
    if (result.diverse_is_complete)
      context.console.note(
          fmt::format("{} of {} answers, complete: no other assignment differs from each of them in {} "
                      "variables or more",
                      found, solve_.diverse, solve_.distance));
    else
      context.console.warn(
          fmt::format("{} of {} answers, stopped by the limits: there may be more", found, solve_.diverse));
  }

  bool wants_pictures() const { return !options_.image.empty() || !options_.heatmap.empty(); }

  /// The columns of the grid that pictures show; 0 where none is asked for.
  std::size_t picture_columns(const graph::FactorGraph& graph) const {
    if (!wants_pictures()) return 0;
    const std::optional<graph::GridModel> grid = graph::GridModel::detect(graph);
    if (!grid) throw UsageError("--image and --heatmap need a model of a grid, its variables numbered along the rows");
    return grid->shape().columns;
  }

  void draw(const Context& context, const graph::SolveResult& result, std::size_t columns) const {
    if (!options_.image.empty()) graph::write_png(graph::label_picture(result.best.values, columns), options_.image);
    if (options_.heatmap.empty()) return;
    if (result.visits.empty())
      context.console.warn(
          "no heat map: the answer was proved, or evidence took the grid apart, before strips were visited; "
          "--method search visits them");
    else graph::write_png(graph::heat_picture(result.best.values, result.visits, columns), options_.heatmap);
  }

  /// Under a time limit a watchdog ends the process if reading takes longer: there is no answer yet to save.
  graph::ModelFile read_all(const Context& context, const Budget& budget, graph::SolveReport& report) {
    Watchdog::Clock::time_point deadline = Watchdog::Clock::time_point::max();
    if (budget.seconds < Budget::kUnlimited)
      deadline = context.started + std::chrono::duration_cast<Watchdog::Clock::duration>(
                                       std::chrono::duration<double>(std::min(budget.seconds, 1e9)));
    const Watchdog watchdog(deadline, [&] {
      const LimitError late(
          fmt::format("{}: not read when the time limit ({}) ended; give more time, or a packed or "
                      "smaller file",
                      model_.model, limits_.time_limit));
      context.console.report(failure_of(std::make_exception_ptr(late)), context.common.json);
      context.console.out().flush();
      remove_temporary_files();
      ::_exit(static_cast<int>(ExitCode::kLimit));
    });
    graph::ModelFile model = read_model_aloud(context, model_.model, model_.from);
    if (solve_.task != graph::SolveTask::kMap) warn_of_unheeded_bound(context, model);
    report.names = model.names;
    report.variables = model.graph.variable_count();
    report.factors = model.graph.factor_count();
    report.table_entries = model.graph.entry_count();
    report.evidence = graph::evidence_argument(model_.evidence, model.graph, model.names,
                                               static_cast<std::size_t>(model_.evidence_sample));
    if (!options_.query.empty()) report.query = graph::read_query(io::ByteSource(options_.query), model.graph);
    if (!options_.start.empty()) start_ = graph::read_assignment(io::ByteSource(options_.start), model.graph);
    report.read_seconds = seconds_since(context.started);
    return model;
  }

  Stop stop_for(const Context& context, const Budget& budget, const graph::FactorGraph& graph) const {
    Stop stop = {.cancel = &context.cancel};
    double seconds = budget.seconds;
    if (limits_.time_limit.empty() && limits_.budget.empty()) seconds = kDefaultSeconds;
    if (!(seconds < 1e9)) return stop;
    double values = 0;
    for (const std::uint32_t cardinality : graph.cardinalities()) values += cardinality;
    const double reserved = std::min(seconds / 4, kReservedSeconds + kReservedSecondsPerValue * values);
    stop.deadline = context.started + std::chrono::duration_cast<Stop::Clock::duration>(
                                          std::chrono::duration<double>(seconds - reserved));
    return stop;
  }

  graph::ImprovementFunction observer(const Context& context, std::optional<io::OutputFile>& trace) const {
    ProgressFunction progress = context.console.progress();
    if (!progress && !trace) return {};
    return [progress, &trace](const graph::Improvement& improvement) {
      if (trace) trace->write(graph::trace_line(improvement) + "\n");
      if (progress)
        progress(
            {.phase = "solving", .seconds = improvement.seconds, .figure = "log score", .value = improvement.score});
    };
  }

  void write(const Context& context, const graph::SolveReport& report, std::optional<io::OutputFile>& trace) const {
    io::OutputFile output(options_.output);
    if (context.common.json) output.write(report.json() + "\n");
    else graph::write_solution(report, output);
    output.finish();
    if (trace) trace->finish();
    if (options_.report) context.console.note(report.full());
    else if (!context.common.json) context.console.note(report.brief());
  }

  ModelOptions model_;
  Assignment start_;
  SolveCommandOptions options_;
  graph::SolveOptions solve_;
  SolveLimitOptions limits_;
};

}  // namespace

CommandEntry solve_command() {
  return {.name = "solve",
          .summary = "Find the likeliest assignment, marginals or partition function of a discrete model.",
          .description =
              "Plans under the limits: reductions and a junction tree where they fit; else bounds, proofs and searches "
              "side by side. Writes the answer as the UAI competitions do (task, then values, marginals or log10 Z); "
              "--json says how good it is: score, bound, gap, optimal, errors. Ctrl-C keeps the best so far.",
          .examples =
              "  fovea solve model.uai.gz --evidence model.evid --task MAP --time-limit 10s --json\n"
              "  fovea solve net.bif --task MAR --evidence 'smoke=yes' --time-limit 60s\n"
              "  fovea solve model.cfn --task PR --memory-limit 8GB\n"
              "  fovea solve model.uai --task MMAP --query vars.txt\n"
              "  fovea solve model.uai --start assignment.txt --diverse 5 --distance 10\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Solve>(); }};
}

}  // namespace fovea::cli
