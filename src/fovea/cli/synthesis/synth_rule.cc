// SPDX-License-Identifier: Apache-2.0
// fovea synth rule: rules that say which rows of a table are of which class.
#include "fovea/cli/run/commands.h"
#include "fovea/synthesis/job/table_rules_file.h"

namespace fovea::cli {
namespace {

class SynthRule : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "TABLE", "Rows with classes; - is standard input.");
    binder.options(job_.rules.learning, "Learning");
    binder.options(job_.rules.options);
    binder.options(job_.files);
    binder.options(job_.reading, "Reading tables");
  }

  void run(const Context& context) override {
    job_.as_json = context.common.json;
    const synthesis::TableRulesFileResult result = synthesis::learn_rules_file(job_, run_of(context));
    context.console.note(result.brief());
  }

 private:
  synthesis::TableRulesFileJob job_;
};

}  // namespace

CommandEntry synth_rule_command() {
  return command_of<SynthRule>(
      "synth rule", "Learn short rules that say which rows of a table are of which class.",
      "Reads a table (CSV, TSV, JSON lines, SQLite) of numbers and categories, cells of which may be missing, with a "
      "column of classes. Writes a disjunction of conjunctions of comparisons for one of two classes, or for each of "
      "more: in words, SQL, Python or SMT-LIB. Rows may contradict each other: rules are as long as cross-validation "
      "finds useful, and no longer. 'synth dnf' instead finds a formula that is right on every row.",
      "  fovea synth rule data.csv --target y\n"
      "  fovea synth rule data.csv --target y --language sql --curve curve.tsv\n"
      "  fovea synth rule data.csv --target y --report-html rules.html\n"
      "  fovea synth rule examples.csv --only true --variables 1 --terms 2 --json\n");
}

}  // namespace fovea::cli
