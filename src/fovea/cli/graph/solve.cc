// fovea solve: finds the likeliest assignment, marginals or the partition function of a discrete model, under limits.
#include <fmt/format.h>
#include <unistd.h>

#include "fovea/base/error.h"
#include "fovea/base/temporary_file.h"
#include "fovea/cli/graph/model_argument.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/process.h"
#include "fovea/graph/solve/solve_job.h"
#include "fovea/graph/solve/solve_page.h"

namespace fovea::cli {
namespace {

class Solve : public Command {
 public:
  void bind(Binder& binder) override {
    bind_model(binder, job_.source);
    binder.options(job_.files);
    binder.option(report_, option("report",
                                  "Write a report to standard error at the end: what was given and used, and the "
                                  "seconds and outcome of each phase."));
    binder.options(job_.options, "What to compute");
    binder.options(job_.limits, "Limits");
  }

  void run(const Context& context) override {
    job_.check();
    const Run run = run_of(context).child("solve");
    const graph::SolveInputs inputs = read(context, run);
    const graph::SolveReport report = graph::answer_job(job_, inputs, run);
    context.console.clear_progress();
    graph::write_answer(job_, report, context.common.json);
    if (report_) context.console.note(report.full());
    else if (!context.common.json) context.console.note(report.brief());
    graph::tell_of_missing_answers(report, run);
    graph::draw_pictures(job_, inputs, report, run);
    if (!job_.files.report_html.empty())
      graph::solve_page(job_.source.model, report, inputs.picture_columns).write(job_.files.report_html);
  }

 private:
  /// Under a time limit a watchdog ends the process if reading takes longer: no answer exists yet that could be saved.
  graph::SolveInputs read(const Context& context, const Run& run) const {
    const Watchdog watchdog(job_.deadline(run), [&] {
      const LimitError late(
          fmt::format("{}: not read when the time limit ({}) ended; give more time, or a packed or smaller file",
                      job_.source.model, job_.limits.time_limit));
      context.console.report(failure_of(std::make_exception_ptr(late)), context.common.json);
      context.console.out().flush();
      remove_temporary_files();
      ::_exit(static_cast<int>(ExitCode::kLimit));
    });
    return graph::read_inputs(job_, run);
  }

  graph::SolveJob job_;
  bool report_ = false;
};

}  // namespace

CommandEntry solve_command() {
  return command_of<Solve>("solve",
                           "Find the likeliest assignment, marginals or the partition function of a discrete model.",
                           "Plans its work under the limits: reductions and a junction tree where they fit, otherwise "
                           "bounds, proofs and searches side by side. Writes the answer in the format of the UAI "
                           "competitions (task, then values, marginals or log10 Z); --json also says how good it is: "
                           "score, bound, gap, optimal, errors. Ctrl-C keeps the best answer so far.",
                           "  fovea solve model.uai.gz --evidence model.evid --task MAP --time-limit 10s --json\n"
                           "  fovea solve net.bif --task MAR --evidence 'smoke=yes' --time-limit 60s\n"
                           "  fovea solve model.cfn --task PR --memory-limit 8GB\n"
                           "  fovea solve model.uai --task MMAP --query vars.txt\n"
                           "  fovea solve model.uai --time-limit 5s --report-html answer.html\n"
                           "  fovea solve model.uai --start assignment.txt --diverse 5 --distance 10\n");
}

}  // namespace fovea::cli
