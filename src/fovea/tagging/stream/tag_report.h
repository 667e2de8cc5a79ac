// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/tagging/model/tagger_kinds.h"
#include "fovea/tagging/stream/tag_options.h"

namespace fovea::tagging {

/// Request, work and cost of tagging; starts as "not run". Gaussian processes have no options for decoding: their
/// reports are short, and only counts and `seconds` are filled in.
struct TagReport {
  TaggerFamily family = TaggerFamily::kCrf;
  sequence::DecodeOptions asked;
  TagOptions options;
  sequence::Plan used;
  StopReason stopped_by = StopReason::kNotRun;  ///< first limit that cut a sequence; settled: none did
  std::uint64_t sequences = 0, items = 0;
  Work work;
  std::uint64_t runs = 0, whole_runs = 0;  ///< of method doeblin: asked for, and completed
  double read_seconds = 0;   ///< reading and waiting for input; this and the next four are summed over threads
  double score_seconds = 0;  ///< attributes and their weights
  double start_seconds = 0;
  double decode_seconds = 0;
  double write_seconds = 0;
  double seconds = 0;  ///< all, from process start
  int threads = 1;
  std::vector<std::string> warnings;  ///< on the input (input_warnings)

  /// One line.
  std::string brief() const;
  /// A table of what was given and what was used, then counts and seconds of each phase. One line without an end for
  /// Gaussian processes.
  std::string full() const;
  std::string json() const;
};

}  // namespace fovea::tagging
