// SPDX-License-Identifier: Apache-2.0
// Evidence (a file, or a list on the command line) and queries: whatever is accepted lies within the model.
#include <cstddef>
#include <cstdint>

#include "fovea/base/error.h"
#include "fovea/graph/format/evidence_file.h"
#include "fuzz/require.h"
#include "tests/support/factorless_graph.h"

namespace {

const fovea::graph::ModelNames& names() {
  static const fovea::graph::ModelNames kNames = {
      .model = "m", .variables = {"smoke", "1", ""}, .values = {{"yes", "no"}, {}, {"a,b", "=", "0", "x"}}};
  return kNames;
}

const fovea::graph::FactorGraph& graph() {
  static const fovea::graph::FactorGraph kGraph = fovea::testing::factorless_graph(3);
  return kGraph;
}

void require_within(const fovea::graph::Evidence& evidence) {
  fovea::fuzz::require(evidence.size() <= graph().variable_count());
  for (const fovea::graph::Observation& observation : evidence)
    fovea::fuzz::require(observation.variable < graph().variable_count() &&
                         observation.value < graph().cardinality(observation.variable));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    require_within(fovea::graph::read_evidence(fovea::io::ByteSource::from_memory(bytes, "fuzz"), graph()));
  } catch (const fovea::InputError&) {
  }
  try {
    for (const fovea::VariableId v :
         fovea::graph::read_query(fovea::io::ByteSource::from_memory(bytes, "fuzz"), graph()))
      fovea::fuzz::require(v < graph().variable_count());
  } catch (const fovea::InputError&) {
  }
  try {
    require_within(fovea::graph::parse_evidence(bytes, graph(), names()));
  } catch (const fovea::UsageError&) {
  }
  return 0;
}
