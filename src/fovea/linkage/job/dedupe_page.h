// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fovea/report/page.h"

namespace fovea::linkage {

/// A finished job, as its page shows it. What it refers to must outlive it.
struct FinishedDedupe {
  const io::Table& table;
  std::optional<std::size_t> id_column;  ///< none: records go by their rows, from 0
  const RecordMatching& matching;
  const MatchModel& model;
  const MatchModelDescription& description;
  const DedupeResult& found;
  double least_score;            ///< log odds from which pairs count as matches
  std::size_t useful_first = 0;  ///< pairs that come before the others, as their answers are worth most
};

/// Makes a page for people: numbers, what each blocking rule adds, weights of levels, the probabilities of pairs, the
/// doubtful pairs to compare and to label, and the clusters, those with the weakest links first. Shows at most
/// kMostPairsOfAPage pairs, and says so.
report::Page dedupe_page(const FinishedDedupe& job);

inline constexpr std::size_t kMostPairsOfAPage = 100'000;

}  // namespace fovea::linkage
