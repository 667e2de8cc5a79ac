// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/open_pair_chain.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/open_labels.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {

/// Fits the label pairs of a low-order chain to a higher-order model: with the model's unary scores u kept,
///
///   max over S  sum over sequences of log p_S(labels) - l2 |S|^2,   p_S(y) ~ exp(sum_i u_i(y_i) + sum_i
///   S[y_{i-1}][y_i]).
///
/// S is refitted because the model's own pair scores expect the longer n-grams to be there too. `labels` are best the
/// high-order model's own answers: imitating them needs no gold labels and overfits less. Convex, K^2 parameters.
/// Sequences with an unknown label (>= label_count()), or one whose unary score is -inf, are left out. Returns S as
/// [label][next label].
std::vector<float> fit_pair_chain_start(const LabelSequences& label_sequences, const Assignment& labels,
                                        double l2 = 0.2);

/// Fits the law of single tokens likewise: maximises the likelihood of the labels, as they are scored by it token by
/// token, over its scale and bias, less l2 times their squared distance from 1 and 0. Uses 20,000 tokens at most.
UnaryLaw fit_unary_law(const LabelSequences& label_sequences, const Assignment& labels, double l2 = 0.2);

/// Labels and doubts by a chain of label pairs: a start for methods that know longer n-grams. Each token's own scores
/// first rule out labels, then the chain is summed over what is left; a sequence that this leaves without a labeling is
/// summed over in full.
class PairChainStart {
 public:
  /// `pairs` must outlive it. `prune`: the share of a token's likeliest label below which a label is left out; 0 keeps
  /// all, and so do labels that fill one vector, whose whole chain costs no more.
  PairChainStart(const LabelNgrams& pairs, UnaryLaw law, double prune);

  /// Sets every token to its likeliest label, doubt[position] to 1 - its probability, and, unless null, opens in `open`
  /// the labels of at least `open_share` times the likeliest one's probability where there are several.
  void decode(const LabelSequences& label_sequences, Assignment& labeling, float* doubt, OpenLabels* open = nullptr,
              double open_share = 1);

 private:
  UnaryLaw law_;
  double prune_;
  ForwardBackward full_;
  std::optional<OpenPairChain> pruned_;  // where it prunes
  OpenLabels candidates_;
};

}  // namespace fovea::sequence
