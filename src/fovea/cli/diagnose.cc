// SPDX-License-Identifier: Apache-2.0
// fovea diagnose: whether chains have mixed, and what their draws are worth.
#include "fovea/apps/solving/draws.h"
#include "fovea/cli/commands.h"

namespace fovea::cli {
namespace {

class Diagnose : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        draws_,
        {.name = "DRAWS", .description = "CSV of draws; - or none is standard input.", .file = FileRole::kInput},
        Binder::Presence::kOptional);
  }

  void run(const Context& context) override {
    const std::vector<VariableDiagnosis> rows = diagnose(read_draws(ByteSource(draws_)));
    if (context.common.json) context.console.out() << diagnosis_json(rows) << '\n';
    else context.console.out() << diagnosis_text(rows);
  }

 private:
  std::string draws_;
};

}  // namespace

CommandEntry diagnose_command() {
  return {
      .name = "diagnose",
      .summary = "Tell whether chains have mixed: R-hat and effective sample sizes.",
      .description =
          "Reads a table with the columns chain and draw and one of numbers for each variable, as 'fovea sample' and "
          "other samplers write it. Rank-normalised split R-hat, bulk and tail effective sample sizes (Vehtari et "
          "al. 2021), and the standard error of the mean. Chains have mixed where R-hat is at most 1.01 and at least "
          "400 "
          "draws are effective; of a variable that never moved it cannot be told.",
      .examples =
          "  fovea sample model.uai --chains 4 --draws 1000 | fovea diagnose\n"
          "  fovea diagnose --json draws.csv.gz\n",
      .create = []() -> std::unique_ptr<Command> { return std::make_unique<Diagnose>(); }};
}

}  // namespace fovea::cli
