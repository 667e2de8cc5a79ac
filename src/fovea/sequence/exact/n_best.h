// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/mcmc/enumeration.h"
#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// The n best feasible labelings of one sequence, best first, with their log scores (double precision); fewer if fewer
/// are feasible. `values` holds the sequence's own labels, one per token. With log Z of ForwardBackward,
/// exp(score - log Z) is the probability of the labeling. Any factor size; an empty sequence has one labeling, which is
/// empty.
///
/// The forward pass of Viterbi gives the best score of any labeling of the tokens up to t that ends in a state; a
/// best-first search from the last token backwards, with this as its bound, finds whole labelings in the order of their
/// scores (Soong and Huang 1991, "A tree-trellis based fast search for finding the n-best sentence hypotheses").
///
/// Cost: the forward pass, length * states * labels, and about n * length * (states before one) queue operations.
/// Throws LimitError if the forward pass needs more than kMaxNBestBytes (8 bytes per token and state).
std::vector<mcmc::ScoredAssignment> n_best(const SequenceStates& states, const LabelSequences& sequences,
                                           std::size_t sequence, std::size_t n);

/// The same with the sequences' own n-grams; builds their states.
std::vector<mcmc::ScoredAssignment> n_best(const LabelSequences& sequences, std::size_t sequence, std::size_t n);

inline constexpr std::size_t kMaxNBestBytes = std::size_t{2} << 30;

}  // namespace fovea::sequence
