// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/model/tagger_kinds.h"
#include "fovea/tagging/train/train.h"

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

/// The same for a tagger in memory, on sequences numbered for it (TrainingSequences::of_tagger). Throws UsageError for
/// a family that takes no policy, for sequences of another tagger, and if they hold no item.
sequence::Policy tune_tagger(const Tagger& tagger, TrainingSequences sequences, const sequence::TuneOptions& options,
                             const Run& run);

}  // namespace fovea::tagging
