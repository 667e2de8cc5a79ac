// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_kinds.h"

namespace fovea::tagging {

/// A tagger, and labelled sequences that it was not trained on, in files.
struct TuneJob {
  std::string model = "";
  std::vector<std::string> files = {};  ///< "-" is standard input
  FeaturesOption features = {};
  std::string unknown_label = "";  ///< stands for an unknown label; empty: nothing does
  sequence::TuneOptions options = {};
};

/// Learns where to sample, and what each method costs and gains, for one tagger. Throws CancelledError if it was
/// stopped before that was complete.
sequence::Policy tune_tagger(const TuneJob& job, const Run& run);

}  // namespace fovea::tagging
