// SPDX-License-Identifier: Apache-2.0
// fovea synth dnf: a formula of linear inequalities that predicts the label of each row.
#include "fovea/cli/run/commands.h"
#include "fovea/synthesis/job/rule_file.h"

namespace fovea::cli {
namespace {

class SynthDnf : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "EXAMPLES", "Rows with labels; - is standard input.");
    binder.options(job_.rule.search, "The search");
    binder.options(job_.rule.options);
    binder.options(job_.files);
    binder.options(job_.reading, "Reading tables");
  }

  void run(const Context& context) override {
    job_.as_json = context.common.json;
    const synthesis::LearnedRule rule = synthesis::learn_rule_file(job_, run_of(context));
    if (!job_.as_json) context.console.note(rule.brief());
  }

 private:
  synthesis::RuleFileJob job_;
};

}  // namespace

CommandEntry synth_dnf_command() {
  return command_of<SynthDnf>(
      "synth dnf", "Find a formula that predicts the label of each row of integers.",
      "Reads a table (CSV, TSV, JSON lines, SQLite) of integers, with true, false, 1 or 0 in the last column. Writes a "
      "disjunction of conjunctions of linear inequalities that holds for exactly the rows labelled true. Exit status "
      "4: rows contradict each other. Exit status 5: no formula was found within the limits; reports what came "
      "nearest.",
      "  fovea synth dnf examples.csv --terms 3 --atoms 3\n"
      "  fovea synth dnf examples.csv --terms 2 --stages 2 --temperature .5 --budget '1e7 transitions'\n"
      "  fovea synth dnf examples.csv --octagons --equations --coefficients 0 --time-limit 10s --json\n");
}

}  // namespace fovea::cli
