// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/matching/comparison_meter.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/unsupervised_matching.h"

namespace fovea::linkage {

/// Which records are compared, how, and when they match.
struct MatchingOptions {
  std::string compare = "", block = "";
  double threshold = .5;
  int max_block = 5000;

  template <class V>
  static void describe(V&& visit) {
    using O = MatchingOptions;
    visit(&O::compare, OptionInfo{.name = "compare",
                                  .description = "How two records are compared: 'name:jaro_winkler, born:date, city'.",
                                  .value_name = "LIST",
                                  .letter = 'c'});
    visit(&O::block,
          OptionInfo{.name = "block",
                     .description = "Which records are compared: those that agree in one of these rules, 'surname, "
                                    "soundex(name)+year(born)'.",
                     .value_name = "LIST",
                     .letter = 'b'});
    visit(&O::threshold, OptionInfo{.name = "threshold",
                                    .description = "Two records match if probability > threshold.",
                                    .min = 1e-9,
                                    .max = 1 - 1e-9});
    visit(&O::max_block, OptionInfo{.name = "max-block",
                                    .description = "Blocks of more records are left out, with a warning.",
                                    .min = 2,
                                    .max = 1e9});
  }

  /// The threshold as log odds.
  double least_score() const;
};

/// The records of a table, or of two laid end to end, and how pairs of them are told to match.
class RecordMatching {
 public:
  /// `table` must outlive the object and stay as it is. Throws UsageError and InputError for lists that are none or
  /// name what is not there.
  RecordMatching(const io::Table& table, const MatchingOptions& options, const PairScope& scope = {});

  const io::Table& table() const { return *table_; }
  const std::vector<Comparison>& comparisons() const { return comparisons_; }
  const std::vector<BlockingRule>& rules() const { return rules_; }
  const CandidatePairs& candidates() const { return candidates_; }

  /// What the user should know before anything is compared, a line each: blocks left out, or nothing to compare.
  std::vector<std::string> warnings() const;

  /// Parameters by which nothing matches, for want of anything to learn from.
  MatchParameters nothing_known() const;

  MatchModelDescription describe(MatchParameters parameters) const;

 private:
  const io::Table* table_;
  MatchingOptions options_;
  std::vector<Comparison> comparisons_;
  std::vector<BlockingRule> rules_;
  CandidatePairs candidates_;
};

/// Two tables laid end to end: the columns of both, by name.
io::Table stack_tables(const io::Table& first, const io::Table& second);

}  // namespace fovea::linkage
