// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/open_labels.h"

namespace fovea::sequence {

/// Forward-backward for a chain of label pairs over the few labels that are open at each token: n of them cost n^2
/// multiplications per token instead of label_count()^2, and tokens with one label are free. Where a cheaper model has
/// left the right labels open, the sums lose little (Weiss, Taskar 2010, "Structured prediction cascades").
///
/// Linear domain, single precision, rescaled at every token. A reusable workspace: one per thread.
class OpenPairChain {
 public:
  /// `pairs`: factor size at most 2; kept as a table of (label_count() + 1)^2 entries.
  explicit OpenPairChain(const LabelNgrams& pairs);

  /// Scores the open labels of all positions by the sequences' unary scores, for decode() with the same two arguments.
  /// The sequences are laid out for factor size 2 or more; their own n-grams play no part.
  void weigh(const LabelSequences& sequences, const OpenLabels& open);

  /// Maximum posterior marginal decoding of one sequence: at tokens with several open labels, `labeling` becomes the
  /// likeliest of them and doubt 1 - its marginal; other tokens keep what they hold. Where several labels have a
  /// marginal of at least `open_share` times the largest, these are opened in `still_open` unless it is null. Labelings
  /// and doubt are indexed by position. Returns false if the open labels allow no labeling, or only ones beyond the
  /// range of single precision; the output is then invalid.
  bool decode(const LabelSequences& sequences, std::size_t sequence, const OpenLabels& open, Assignment& labeling,
              float* doubt, OpenLabels* still_open = nullptr, float open_share = 1);

 private:
  bool decode_run(const OpenLabels& open, std::size_t begin, std::size_t end, Assignment& labeling, float* doubt,
                  OpenLabels* still_open, float open_share);
  bool forward(const OpenLabels& open, std::size_t begin, std::size_t end, Value before);
  const float* pairs_from(Value label) const { return pair_weights_.data() + label * base_; }

  std::size_t base_;                 // labels and the pad
  std::vector<float> pair_weights_;  // [label][next label] exp(score - largest)
  std::vector<float> weights_;       // [as in the open labels] exp(unary - that of the first label)
  std::vector<float> alpha_;         // the same, of the run
  std::vector<float> beta_, next_beta_, marginals_;
};

}  // namespace fovea::sequence
