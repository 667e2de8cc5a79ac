// SPDX-License-Identifier: Apache-2.0
// fovea check: scores an assignment of a discrete model, independently of the solvers.
#include <fmt/format.h>

#include "fovea/base/error.h"
#include "fovea/cli/graph/model_argument.h"
#include "fovea/cli/run/commands.h"
#include "fovea/graph/format/solution_file.h"
#include "fovea/graph/report/solution_check.h"

namespace fovea::cli {
namespace {

class Check : public Command {
 public:
  void bind(Binder& binder) override {
    bind_model(binder, model_);
    binder.input(assignment_, "ASSIGNMENT",
                 "UAI solution file (MAP), or a list of the values of all variables; - is standard input.");
  }

  void run(const Context& context) override {
    const auto [model, evidence] = graph::read_observed_model(model_, context.console.warnings());
    const Assignment values = graph::read_assignment(io::ByteSource(assignment_), model.graph);
    const graph::SolutionCheck check = graph::check_solution(model.graph, values, evidence, model.cost_bound);
    const graph::SolutionReport report{model.graph, model.names, values, evidence, check};
    context.console.out() << (context.common.json ? report.json() + "\n" : report.text()) << std::flush;
    if (check.reaches_bound())
      throw InfeasibleError(
          fmt::format("the assignment costs {:.12g}, which the upper bound of the model, {:.12g}, "
                      "excludes",
                      -check.log_score, check.bound_reached));
    if (!check.is_feasible())
      throw InfeasibleError(fmt::format("the assignment breaks {} hard constraints and contradicts {} observations",
                                        check.broken_factors.size(), check.contradicted.size()));
  }

 private:
  graph::ModelSource model_;
  std::string assignment_;
};

}  // namespace

CommandEntry check_command() {
  return command_of<Check>(
      "check", "Score an assignment of a discrete model, independently of the solvers.",
      "Looks up every factor and adds the logarithms, natural and to base 10. Names the hard constraints that the "
      "assignment breaks, the observations that it contradicts and the model's upper bound of costs if it is reached; "
      "in each of these cases the exit status is 4.",
      "  fovea check model.uai.gz model.uai.MAP\n"
      "  fovea check net.bif assignment.txt --evidence \"smoke=yes\" --json\n");
}

}  // namespace fovea::cli
