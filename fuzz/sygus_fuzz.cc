// SPDX-License-Identifier: Apache-2.0
// Invariant problems that are read are written as text that means the same; Horn clauses have a loop that does.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/synthesis/input/sygus.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](std::string_view text) -> std::string {
    const auto system = fovea::synthesis::read_sygus(fovea::io::ByteSource::from_memory(text, "fuzz"));
    for (const auto term : {system.pre, system.trans, system.post})
      if (system.terms.written_size(term) > fovea::synthesis::TermPool::kMostWritten) return {};
    return fovea::synthesis::sygus_text(system);
  };
  std::string written;
  try {  // either language
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto problem = fovea::synthesis::read_problem(fovea::io::ByteSource::from_memory(text, "fuzz"));
    fovea::fuzz::require(problem.loop.has_value() == problem.why_no_loop.empty());
    for (const auto& predicate : problem.clauses.predicates)
      fovea::fuzz::require(predicate.parameters.size() == predicate.sorts.size());
  } catch (const fovea::InputError&) {
  }
  try {
    written = read({reinterpret_cast<const char*>(data), size});
  } catch (const fovea::InputError&) {
    return 0;
  }
  if (!written.empty()) fovea::fuzz::require(read(written) == written);
  return 0;
}
