// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/loop_file.h"

#include <fmt/format.h>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/input/sygus.h"

namespace fovea::synthesis {
namespace {

void write_proof(const std::string& path, const std::string& text) {
  io::OutputFile output(path);
  output.write(text);
  output.finish();
}

[[noreturn]] void end_without_proof(const LoopFileJob& job, const LoopProof& proof, const Run& run) {
  if (proof.answer.verdict == ProgramVerdict::kInfeasible)
    throw InfeasibleError(fmt::format("{}: no invariant exists: {}", job.file, proof.unsafe_text()));
  if (run.is_cancelled()) throw CancelledError("interrupted; " + proof.work());
  throw LimitError(
      fmt::format("{}: no invariant was found in time: {}. Allow more time (option 'time-limit'), or larger formulas "
                  "from the start (option 'terms', option 'atoms')",
                  job.file, proof.work()));
}

}  // namespace

LoopProof prove_loop_file(const LoopFileJob& job, const Run& run) {
  (void)job.loop.options.seconds();  // a wrong limit is reported before anything is read
  LoopProof proof = prove_loop(read_problem(io::ByteSource(job.file)), job.loop, run);
  if (job.as_json) write_proof(job.files.output, proof.json() + "\n");
  if (proof.answer.verdict != ProgramVerdict::kProved) end_without_proof(job, proof, run);
  if (!job.as_json) write_proof(job.files.output, proof.definition);
  return proof;
}

}  // namespace fovea::synthesis
