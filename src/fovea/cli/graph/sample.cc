// SPDX-License-Identifier: Apache-2.0
// fovea sample: draws from a discrete model by Gibbs chains.
#include "fovea/base/error.h"
#include "fovea/cli/graph/model_argument.h"
#include "fovea/cli/run/commands.h"
#include "fovea/graph/solve/sample_job.h"

namespace fovea::cli {
namespace {

class Sample : public Command {
 public:
  void bind(Binder& binder) override {
    bind_model(binder, job_.source);
    binder.options(job_.files);
    binder.options(job_.draw, "How to draw");
  }

  void run(const Context& context) override {
    if (context.common.json && (job_.files.output.empty() || job_.files.output == "-"))
      throw UsageError("--json is a summary on standard output: give the table of draws a file by -o");
    const graph::SampleReport report = graph::sample(job_, run_of(context).child("sample"));
    context.console.clear_progress();
    if (context.common.json) context.console.out() << report.json() << '\n';
    context.console.note(report.text());
  }

 private:
  graph::SampleJob job_;
};

}  // namespace

CommandEntry sample_command() {
  return command_of<Sample>(
      "sample", "Draw assignments from a discrete model, by Gibbs chains or perfectly.",
      "Writes a table with the chain, the draw and the number of each variable's value. Chains visit variables in "
      "colour order, which leaves the model's distribution invariant; schedules that look at values would not. The "
      "same seed gives the same draws with any number of threads. 'fovea diagnose' shows what the draws are worth; "
      "where chains disagree, --temperatures helps. --restart-rate draws from a chain that is guaranteed to mix fast: "
      "the smaller the rate, the nearer its distribution is to the model's. --perfect needs no mixing: its draws have "
      "the "
      "model's own distribution. --json, with -o, reports how many trades "
      "between temperatures were accepted. --exactness is for variables with hundreds of factors, of which it looks "
      "at a part; the report says at how many.",
      "  fovea sample model.uai --chains 4 --draws 1000 -o draws.csv\n"
      "  fovea sample net.bif.gz --evidence 'smoke=yes' --thin 5 -o draws.csv.gz\n"
      "  fovea sample model.uai --temperatures 8 --hottest 10 --json -o draws.csv\n"
      "  fovea sample model.uai --exactness bounded:0.05 --json -o draws.csv\n"
      "  fovea sample net.bif --perfect --draws 1000 -o draws.csv\n"
      "  fovea sample model.uai --restart-rate .02 --draws 1000 -o draws.csv\n");
}

}  // namespace fovea::cli
