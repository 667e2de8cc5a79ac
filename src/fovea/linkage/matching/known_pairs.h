// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fovea/base/pair_hash.h"
#include "fovea/linkage/matching/labelled_pairs.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Pairs of records of which somebody knows whether they are of one entity. What must hold decides: the score is so
/// high or so low that clusters keep to it. Answers are evidence: they are taken to be wrong once in twenty times, so
/// that they decide where the comparisons leave doubt.
class KnownPairs {
 public:
  struct Pair {
    RowPair rows;
    double evidence;  ///< nats that are added to the score of a match
  };

  KnownPairs() = default;
  /// Pairs that must hold count more than answers, the first of several answers more than later ones. Throws InputError
  /// if `certain` contradict each other: a pair that does not match, though others connect its records. `name_of` names
  /// rows in messages.
  KnownPairs(const std::vector<LabelledRowPair>& certain, const std::vector<LabelledRowPair>& answers,
             std::size_t row_count, const std::function<std::string(std::uint32_t row)>& name_of);

  bool empty() const { return pairs_.empty(); }
  const std::vector<Pair>& pairs() const { return pairs_; }
  bool holds(RowPair pair) const { return numbers_.contains(pair_key(pair.first, pair.second)); }

  /// Gives the known pairs among these links the scores that they have by `model` and what is known. Those that score
  /// more than `floor` are links; others are not.
  void apply(const MatchModel& model, double floor, std::vector<ScoredPair>& links) const;

 private:
  void add(const LabelledRowPair& pair, double evidence);

  std::vector<Pair> pairs_;                                         // each once
  tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> numbers_;  // rows -> number of the pair
};

}  // namespace fovea::linkage
