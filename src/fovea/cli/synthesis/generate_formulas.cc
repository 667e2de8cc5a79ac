// SPDX-License-Identifier: Apache-2.0
// fovea generate formulas: rows of integers labelled by a made-up formula.
#include <fmt/format.h>

#include "fovea/cli/run/command.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/examples/generated_formula.h"

namespace fovea::cli {
namespace {

class GenerateFormulas : public Command {
 public:
  void bind(Binder& binder) override {
    binder.options(formula_);
    binder.options(options_);
  }

  void run(const Context& context) override {
    const synthesis::GeneratedFormula generated =
        synthesis::generate_formula(formula_, Random(context.common.seed).child("formula"));
    io::OutputFile output(options_.output);
    output.write(fmt::format("{},holds\n", fmt::join(generated.names, ",")));
    for (std::size_t example = 0; example < generated.examples.size(); ++example)
      output.write(fmt::format("{},{}\n", fmt::join(generated.examples.row(example), ","),
                               generated.examples.kind(example) == synthesis::ExampleKind::kGood));
    output.finish();
    context.console.note(synthesis::simplified(generated.formula).text(generated.names));
  }

 private:
  synthesis::FormulaOptions formula_;
  GenerateOptions options_;
};

}  // namespace

CommandEntry generate_formulas_command() {
  return command_of<GenerateFormulas>(
      "generate formulas", "Write rows of integers labelled by a made-up formula.",
      "Draws a formula in disjunctive normal form, writes it to standard error, and writes distinct rows, every other "
      "of which it holds for, as CSV for 'fovea synth dnf'. Each --seed gives another formula and other rows.",
      "  fovea generate formulas --terms 2 --atoms 2 -o examples.csv\n"
      "  fovea generate formulas --rows 1000 --variables 8 --seed 3 | fovea synth dnf -\n");
}

}  // namespace fovea::cli
