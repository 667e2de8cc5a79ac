// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/pair_chain_draws.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Options of a RestartDecoder.
struct RestartDecoderOptions {
  double rate = .25;   ///< epsilon, in (0, 1]
  int runs = 16;       ///< restarts of each sequence
  double settled = 0;  ///< stops at a sequence once labels lead by this many standard errors; 0: after all runs
};

/// Summary of a decode(). A run is whole if it made all of its Geometric(epsilon) sweeps.
struct RestartSummary : RunSummary {
  std::uint64_t runs = 0;  ///< requested: options.runs for each sequence with a possible labeling
  std::uint64_t whole_runs = 0;
};

/// Token marginals of a tagger's strong Doeblin chain: exact restarts from u, the chain of label pairs, followed by
/// Gibbs sweeps A from left to right in the model of all label n-grams. Its stationary law is
///
///   pi~ = sum_t epsilon (1 - epsilon)^t A^t u,
///
/// and the last labels of a run of Geometric(epsilon) sweeps are an exact draw from it. Marginals are averages over
/// every labeling of every run, where the start of a run counts with the exact marginals of u. Such an average is a
/// ratio of two random sums: its bias is of the order of 1 / runs and vanishes only as the number of runs grows. The
/// lengths of the runs are stratified. The spectral gap is at least epsilon, whatever the model (proposition 3.1 of
/// Steinhardt and Liang 2015). All this holds only for runs that were not cut short; RestartSummary counts those.
class RestartDecoder {
 public:
  /// `pairs`: the n-grams of u, which must outlive the decoder.
  RestartDecoder(const LabelNgrams& pairs, const RestartDecoderOptions& options);

  /// Sets each token to its likeliest label by the estimated marginals. Writes the estimates to
  /// marginals[position][stride] and adds the visits to visits[position], unless these are empty. A sequence without a
  /// possible labeling keeps its labels. Limits end decoding early, even in the middle of a run; sequences that were
  /// not reached are decided by u.
  RestartSummary decode(const LabelSequences& sequences, const Run& limits, const Random& random, Assignment& labels,
                        std::span<float> marginals, std::span<std::uint32_t> visits);

 private:
  struct Decoding;
  void decode_sequence(const LabelSequences& sequences, std::size_t sequence, Random random, Decoding& run,
                       Assignment& labels, std::span<float> marginals, std::span<std::uint32_t> visits);
  bool is_settled(std::size_t length, int runs_done) const;
  void answer(std::size_t begin, std::size_t length, Assignment& labels, std::span<float> marginals);

  const LabelNgrams* pairs_;
  RestartDecoderOptions options_;
  PairChainDraws draws_;
  ForwardBackward sums_;
  AlignedVector<float> start_;   // [token][label] marginals of u
  AlignedVector<float> counts_;  // [token][label] over runs
};

}  // namespace fovea::sequence
