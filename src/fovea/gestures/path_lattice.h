// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/gestures/path_features.h"
#include "fovea/gestures/path_kernels.h"
#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

/// A word that a swipe may mean, and its score (log domain, unnormalised).
struct PathCandidate {
  std::uint32_t word = 0;
  float score = 0;
};

/// Scores of all words at once, of low order: the best way to pass the word's letters in order, at points
/// t_1 <= ... <= t_m,
///
///   max over t of  sum_j letter(role_j, c_j, t_j) + sum_j stroke(c_{j-1}, c_j, t_{j-1} .. t_j)
///                  + head, tail, frequency.
///
/// A stroke's score is a sum over the steps of the path, so it is a difference of two prefix sums. A node of the trie
/// therefore costs one pass over the points, however many words lie below it. This is the u of this model, exact except
/// for pruning.
class PathLattice {
 public:
  static constexpr std::size_t kPoints = SwipePath::kPoints;
  static constexpr std::size_t kAnyNumber = 8;  ///< letters that follow from which on their number is not looked at

  /// `weights` and `words` must outlive the lattice.
  PathLattice(const PathWeights& weights, const WordTrie& words);

  /// Sets another swipe and computes the scores of letters at points and of strokes, O(26^2 points).
  void set(const SwipePath& path);
  const SwipePath& path() const { return path_; }
  const WordTrie& words() const { return words_; }

  /// The `count` best words, best first. A prefix is followed as long as its bound, for any letters that could follow,
  /// is above the words found. Where kAnyNumber letters or more may follow, the bound takes no score of one of them
  /// above 0, so a word may be missed.
  std::vector<PathCandidate> best_words(std::size_t count);

  /// The points of the best alignment of a word's letters. O(m points).
  std::vector<std::size_t> align(std::span<const Key> letters) const;

  /// The score of a word of the dictionary at its best alignment. O(m points).
  float score(std::uint32_t word) const;

  /// The word's features with this alignment: score = weights . features.
  std::array<float, PathFeature::kCount> features(std::span<const Key> letters, std::span<const std::size_t> points,
                                                  float log_frequency) const;

 private:
  using Row = PathRow;
  /// A prefix with the scores of arriving at each point, where its last letter comes next; that letter's own score is
  /// not yet included. It is -inf where no total can be high enough.
  struct Prefix {
    std::uint32_t node = WordTrie::kRoot;
    float bound = 0;
    Row arrived;
  };

  void set_rest();
  void set_rest_of_any_length(const LetterRows& inner);
  const Row& left_letter(std::uint32_t node, Key next) const;
  void start(std::uint32_t child, Prefix& longer) const;
  void extend(const Prefix& prefix, std::uint32_t child, float worst, Prefix& longer) const;
  float frequency_score(float log_frequency) const;
  void offer(const Prefix& prefix, std::size_t count, std::vector<PathCandidate>& best) const;

  const PathWeights& weights_;
  const WordTrie& words_;
  const std::vector<std::uint8_t>& roles_;  // [before][letter][after]
  SwipePath path_;
  RoleRows letters_{};
  PairRows strokes_;                   // [from][to][t]: sum of the steps up to t
  std::vector<RestBounds> rests_;      // [most letters that follow], in the end for any number of them
  PairScores lengths_{}, straight_{};  // the weighted length
  std::vector<Prefix> stack_;
};

}  // namespace fovea::gestures
