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
/// S is refitted because the model's own pair scores rely on the longer n-grams as well. The best `labels` are the
/// high-order model's own answers: imitating them needs no gold labels and overfits less. The problem is convex, with
/// K^2 parameters. Sequences with an unknown label (>= label_count()), or with a label whose unary score is -inf, are
/// left out. Returns S as [label][next label].
std::vector<float> fit_pair_chain_start(const LabelSequences& label_sequences, const Assignment& labels,
                                        double l2 = 0.2);

/// Fits the law of single tokens in the same way: maximises, over its scale and bias, the likelihood of the labels
/// token by token, minus l2 times the squared distance of scale and bias from 1 and 0. Uses at most 20,000 tokens.
UnaryLaw fit_unary_law(const LabelSequences& label_sequences, const Assignment& labels, double l2 = 0.2);

/// Labels and doubts by a chain of label pairs: a start for methods that use longer n-grams. First, each token's own
/// scores rule out labels. Then the chain is summed over the labels that are left. A sequence that is left without a
/// labeling is summed over in full.
class PairChainStart {
 public:
  /// `pairs` must outlive it. `prune`: the share of a token's likeliest label below which a label is left out; 0 keeps
  /// all labels. Labels that fit one vector are always kept, because the whole chain then costs no more.
  PairChainStart(const LabelNgrams& pairs, UnaryLaw law, double prune);

  /// Sets every token to its likeliest label and doubt[position] to 1 - its probability. Unless `open` is null, opens
  /// in it the labels of at least `open_share` times the likeliest one's probability, where there are several.
  void decode(const LabelSequences& label_sequences, Assignment& labeling, float* doubt, OpenLabels* open = nullptr,
              double open_share = 1);

 private:
  UnaryLaw law_;
  double prune_;
  ForwardBackward full_;
  std::optional<OpenPairChain> pruned_;  // empty unless it prunes
  OpenLabels candidates_;
};

}  // namespace fovea::sequence
