// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/gestures/alignment_lattice.h"
#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

/// The law of alignments to be summed: that of u, or the law that A leaves invariant, with the features of letters and
/// of the word.
enum class AlignmentLaw : std::uint8_t { kStart, kChain };

/// A word of the dictionary, the first of those that are typed by the same letters, and the log of its sum.
struct WordSum {
  std::uint32_t word = 0;
  double log_sum = 0;
};

/// Number of observations above which word_sums() would take too much memory: it keeps the square of about seven
/// times as many numbers.
inline constexpr std::size_t kMostSummedKeys = 500;

/// Exact sums for all words of a dictionary at once:
///
///   log sum over {z : y(z) = w} of exp(score of z)    (log domain, unnormalised)
///
/// The labels between the starts of two letters, # and continued letters, do not depend on the word. So they are summed
/// once for each pair of a start and a later start, and a node of the trie costs a product of a vector with
/// the part of that table for its letter and its parent's. O(P^2 k) + O(nodes reached n^2), for n observations of k
/// labels and P = n k / 2 possible starts. Words that no alignment spells are left out. There may be no more than
/// kMostSummedKeys observations.
std::vector<WordSum> word_sums(const AlignmentLattice& lattice, const WordTrie& words, AlignmentLaw law);

}  // namespace fovea::gestures
