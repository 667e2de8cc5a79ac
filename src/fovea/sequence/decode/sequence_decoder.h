// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/policy.h"

namespace fovea::sequence {

/// Results requested in addition to the labels.
struct DecodeRequest {
  bool marginals = false;  ///< exact where the method is exact, else Rao-Blackwellised averages over the sweeps
  bool visits = false;     ///< how often each position was visited
};

/// Labels for one set of sequences; starts as "not run".
struct DecodeResult {
  StopReason stopped_by = StopReason::kNotRun;
  Assignment labels;                  ///< over positions
  AlignedVector<float> marginals;     ///< [position][stride], linear domain; empty unless requested
  std::vector<std::uint32_t> visits;  ///< [position]; empty unless requested
  Work work;
  std::uint64_t runs = 0, whole_runs = 0;  ///< of method doeblin: requested, and not cut by a limit
  double start_seconds = 0;                ///< to make the start
  double decode_seconds = 0;               ///< after the start
};

/// Decodes sequences by one method, fixed on construction (kAuto is resolved by plan(), sequence/decode/planner.h,
/// beforehand). Holds work space: use one decoder per thread. The result depends only on sequences, options and random
/// stream.
class SequenceDecoder {
 public:
  /// `ngrams` (those of all sequences to be decoded) and `policy` must outlive the decoder. `policy` and
  /// `restart_pairs`, the label pairs from which method doeblin restarts, may be null. Throws UsageError if the options
  /// need one that is null, LimitError if the method's tables would not fit into memory.
  SequenceDecoder(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options,
                  const DecodeRequest& request = {}, const LabelNgrams* restart_pairs = nullptr);
  ~SequenceDecoder();
  SequenceDecoder(SequenceDecoder&&) noexcept;

  /// The limits bound the visits of icm, gibbs, learned and doeblin; exact and beam ignore them. Reuses `result`'s
  /// memory.
  void decode(const LabelSequences& sequences, const Run& run, DecodeResult& result);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fovea::sequence
