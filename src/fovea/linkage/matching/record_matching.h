// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/unsupervised_matching.h"

namespace fovea::linkage {

/// Options of matching: which records are compared, how, and when they match.
struct MatchingOptions {
  std::string compare = "", block = "", date_format = "";
  double threshold = .5;
  std::optional<int> max_block = {};  ///< 5000 if not given; a preset or model may have its own

  static constexpr int kMaxBlock = 5000;

  static void describe(auto&& visit) {
    using O = MatchingOptions;
    visit(&O::compare,
          OptionInfo{.name = "compare",
                     .description = "Comparisons of two records, for example 'name:jaro_winkler, born:date, city'.",
                     .value_name = "LIST",
                     .letter = 'c'});
    visit(&O::block,
          OptionInfo{.name = "block",
                     .description = "Rules that choose the records to compare: those that agree in at least one of "
                                    "them, for example 'surname, soundex(name)+year(born)'.",
                     .value_name = "LIST",
                     .letter = 'b'});
    visit(
        &O::date_format,
        option("date-format",
               "How dates are written, for comparisons of the kind date and for the functions year and month: dmy, mdy "
               "or ymd, where years may have two digits (69 to 99 are 1969 to 1999), or a pattern such as '%d.%m.%y' "
               "or '%b %d, %Y'. If omitted, dates of numbers begin with the day or with a year of four digits. A time "
               "after the date is ignored.",
               "FORMAT"));
    visit(&O::threshold,
          number_in(1e-9, 1 - 1e-9, "threshold", "Two records match if their probability is above this."));
    visit(&O::max_block, number_in(2, 1e9, "max-block",
                                   "Blocks of more records than this are left out, with a warning; 5000 if not given, "
                                   "or as the preset or the model has it."));
  }

  /// The threshold as log odds.
  double least_score() const;
};

/// The records of a table, or of several laid end to end (stack_tables), and how pairs of them are matched.
class RecordMatching {
 public:
  /// `table` must outlive the object and must not change. Throws UsageError and InputError for lists that are malformed
  /// or name columns that are missing. `statistics`, if given, count instead of the table's; InputError if they are of
  /// other comparisons. Values and keys are prepared on up to `threads` threads (0: all cores).
  RecordMatching(const io::Table& table, const MatchingOptions& options, const PairScope& scope = {},
                 std::shared_ptr<const MatchStatistics> statistics = {}, int threads = 1);

  const io::Table& table() const { return *table_; }
  const std::vector<Comparison>& comparisons() const { return comparisons_; }
  const std::vector<BlockingRule>& rules() const { return rules_; }
  const CandidatePairs& candidates() const { return candidates_; }

  /// The pairs of other rules, with the same limits.
  CandidatePairs pairs_of(std::span<const BlockingRule> rules) const {
    return {*table_, rules, static_cast<std::size_t>(max_block()), candidates_.scope()};
  }

  /// Warnings for the user before anything is compared, a line each: blocks left out, cells that cannot be read, or
  /// nothing to compare. Throws InputError where more than half of a comparison's cells cannot be read.
  std::vector<std::string> warnings() const;

  /// Notes for the user: frequent words that rules with any() pass over.
  std::vector<std::string> notes() const;

  /// Parameters with which nothing matches, if there is nothing to learn from.
  MatchParameters nothing_known() const;

  /// The model with these parameters, and with the statistics by which this object compares, reduced.
  MatchModelDescription describe(MatchParameters parameters) const;

 private:
  int max_block() const { return options_.max_block.value_or(MatchingOptions::kMaxBlock); }

  const io::Table* table_;
  MatchingOptions options_;
  std::shared_ptr<const MatchStatistics> statistics_;  // null: those of the table
  std::vector<Comparison> comparisons_;
  std::vector<BlockingRule> rules_;
  CandidatePairs candidates_;
};

}  // namespace fovea::linkage
