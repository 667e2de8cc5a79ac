// SPDX-License-Identifier: Apache-2.0
// fovea synth inv: an inductive invariant that proves a loop.
#include "fovea/cli/run/commands.h"
#include "fovea/synthesis/job/loop_file.h"

namespace fovea::cli {
namespace {

class SynthInv : public Command {
 public:
  void bind(Binder& binder) override {
    binder.input(job_.file, "PROBLEM", "Invariant problem in SyGuS format, or Horn clauses; - is standard input.");
    binder.options(job_.loop.search, "The search");
    binder.options(job_.loop.options);
    binder.options(job_.files);
  }

  void run(const Context& context) override {
    job_.as_json = context.common.json;
    const synthesis::LoopProof proof = synthesis::prove_loop_file(job_, run_of(context));
    if (!job_.as_json) context.console.note(proof.brief());
  }

 private:
  synthesis::LoopFileJob job_;
};

}  // namespace

CommandEntry synth_inv_command() {
  return command_of<SynthInv>(
      "synth inv", "Find an inductive invariant that proves a loop.",
      "Reads an invariant problem in the format of the SyGuS competitions (track Inv, version 1 or 2, linear integer "
      "arithmetic and Booleans), or constrained Horn clauses in SMT-LIB, with any number of predicates. Proposes "
      "formulas "
      "that fit all examples; Z3 tests them, and the states at which they fail become examples; Z3's own search "
      "(Spacer) "
      "runs in a second thread, and alone where clauses do not form a loop or are of other theories. Writes the "
      "invariant, or "
      "all "
      "predicates, as define-funs, which a fresh Z3 has proved. Exit status 4: the loop breaks its postcondition; "
      "writes "
      "a run that does. Exit status 5: no invariant was found within the time.",
      "  fovea synth inv loop.sl --time-limit 30s\n"
      "  fovea synth inv clauses.smt2\n"
      "  fovea synth inv loop.sl --terms 4 --atoms 4 --seed 7 --no-spacer\n"
      "  fovea synth inv loop.sl --json -o loop.json\n");
}

}  // namespace fovea::cli
