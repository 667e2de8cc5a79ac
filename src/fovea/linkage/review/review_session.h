// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/matching/match_explanation.h"
#include "fovea/linkage/review/answers.h"
#include "fovea/linkage/review/review.h"

namespace fovea::linkage {

/// A table under review: the pairs that may match, and the answers. The job and the run must outlive it.
class ReviewSession {
 public:
  ReviewSession(const ReviewJob& job, const Run& run);

  /// Finds the pairs that may match, and lets answers that are there already count. Returns those whose answers are
  /// worth most. `take_page`: gets a page of what was found, those pairs first.
  std::vector<ProbablePair> find_questions(const std::function<void(const report::Page&)>& take_page = {});
  /// Lets all answers correct the model, and saves it, if the job asks for that. A limit of time is one of computing:
  /// that which a person takes to answer does not count.
  void learn_from_answers() const;

  const io::Table& table() const { return table_; }
  std::size_t id_column() const { return id_column_; }
  const io::IdIndex& ids() const { return ids_; }
  std::string_view id(std::size_t row) const { return table_.cell(row, id_column_); }
  ReviewAnswers& answers() { return answers_; }
  /// Explanation of two rows by the model that found them.
  MatchExplanation explain(std::size_t first, std::size_t second) const;

 private:
  DedupeResult dedupe_with_answers(DedupeJob job, const Run& run) const;

  const ReviewJob& job_;
  const Run& run_;
  const io::Table table_;
  const std::size_t id_column_;
  const io::IdIndex ids_;
  ReviewAnswers answers_;
  std::string model_;
};

}  // namespace fovea::linkage
