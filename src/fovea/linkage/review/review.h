// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/matching/match_explanation.h"

namespace fovea::linkage {

struct ReviewOptions {
  std::string answers = "answers.csv", id = "", questions = "";
  std::size_t count = 100;
  int port = 0;

  static void describe(auto&& visit) {
    using O = ReviewOptions;
    visit(&O::answers,
          option("answers",
                 "Table of answers, written after each one. Those that it has already are not asked for again, and "
                 "count when questions are chosen.",
                 "FILE"));
    visit(&O::questions,
          output_file("questions",
                      "Ask nothing: write the pairs as a table to fill in, with both records and an empty column "
                      "'match', for option 'labelled-pairs' of 'fovea dedupe'."));
    visit(&O::count, number_in(1, 1000000, "count", "Number of questions."));
    visit(&O::port, number_in(0, 65535, "port", "Port of option 'browser'; 0: any that is free."));
    visit(&O::id, option("id", "Column of the records' unique ids; default: the first.", "COLUMN"));
  }
};

/// A pair of records of which somebody is asked whether they are of one entity.
struct ReviewQuestion {
  std::size_t number = 0, count = 0;  ///< the first has number 1
  std::array<std::string_view, 2> ids;
  const std::vector<std::string>& columns;
  std::array<std::vector<std::string_view>, 2> cells;  ///< [record][column]
  double probability = 0;                              ///< of a match
  std::function<MatchExplanation()> explain;
};

enum class ReviewAnswer : unsigned char {
  kMatch,
  kNoMatch,
  kSkip,  ///< the answer is not known
  kBack,  ///< to the question before
  kEnd,
};

using AskFunction = std::function<ReviewAnswer(const ReviewQuestion&)>;

/// A table, and what decides which of its pairs are asked about.
struct ReviewJob {
  std::string file = "";  ///< "-" is standard input
  ReviewOptions options = {};
  MatchingJob matching = {};
  DedupeLimitOptions limits = {};  ///< on finding the pairs
  io::TableReadOptions reading = {};

  /// The job that finds the pairs.
  DedupeJob matching_job() const;
};

/// The answers of a review, counted.
struct ReviewResult {
  std::size_t matches = 0, others = 0, skipped = 0;  ///< new answers
  std::size_t answers = 0;                           ///< old and new ones
  /// One line.
  std::string brief() const;
  std::string json() const;
};

/// Asks about pairs of records, and writes the answers to the file of option 'answers' after each, so that none are
/// lost. Then, if option 'save-model' is given, lets all answers correct the model (DedupeJob::pair_labels), and writes
/// it. With option 'questions', writes a table instead of asking. Throws what dedupe() throws.
ReviewResult review(const ReviewJob& job, const AskFunction& ask, const Run& run);

/// The same in a browser of this machine: serves the page of `fovea dedupe` with the most useful pairs first
/// (report/page_server.h), and takes answers in any order, until the page says that this is all or the run is
/// cancelled. `announce` gets the page's address. An answer that could not be written, say to a full disk, stays here
/// and on the page, which says so, and is written as soon as that is possible.
ReviewResult review_in_browser(const ReviewJob& job, const std::function<void(const std::string&)>& announce,
                               const Run& run);

/// Throws UsageError for what is not for a review.
void check(const ReviewJob& job);

}  // namespace fovea::linkage
