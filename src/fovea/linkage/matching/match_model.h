// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/clustering/attribute_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/weights/isotonic_regression.h"
#include "fovea/linkage/weights/match_mixture.h"
#include "fovea/linkage/weights/match_weights.h"

namespace fovea::linkage {

/// Parameters of how records of one entity agree, for a list of comparisons.
struct MatchParameters {
  /// Added to the score of the mixture, if that has related pairs; they are 0 then unless labels have corrected it.
  MatchWeights weights;
  /// [comparison] share of random pairs that are equal in it: agreement on a rarer value counts more, on a more
  /// frequent one less (TermFrequencies); 0 where all values count the same. Empty: 0 everywhere.
  std::vector<double> equal_share = {};
  TermFrequencyOptions term_frequency = {};
  /// Maps the share of a chain's clusterings that have two rows together to the probability that they are of one
  /// entity.
  MonotoneMap calibration = {};
  /// Scores pairs if it has related ones (MixtureScore).
  MatchMixture mixture = {};
};

/// Rows in groups: those that no comparison tells apart are one group.
struct EqualRows {
  std::vector<std::uint32_t> rows;    ///< [group] its first row
  std::vector<std::uint32_t> counts;  ///< [group] number of rows it stands for
  std::vector<std::uint32_t> group;   ///< [place among the given rows] its group

  bool is_any_several() const { return rows.size() < group.size(); }
};

/// Scores pairs of a table's rows: log odds that two are of one entity.
class MatchModel {
 public:
  /// Contribution of one comparison to a score, in nats.
  struct Term {
    Level level = kMissingLevel;
    double weight = 0;      ///< of the level
    double adjustment = 0;  ///< for how rare the value is

    double sum() const { return weight + adjustment; }
  };

  /// `comparisons` must outlive the model.
  MatchModel(std::span<const Comparison> comparisons, MatchParameters parameters);

  std::span<const Comparison> comparisons() const { return comparisons_; }
  const MatchParameters& parameters() const { return parameters_; }

  /// True if scores are sums of one term for each comparison, whatever the others are.
  bool is_additive() const { return !mixture_; }

  /// prior_log_odds + the sum of all terms; with a mixture, its score besides.
  double score(RowPair pair) const {
    return score_by_terms([&](std::size_t c) { return term(c, pair); });
  }
  /// The same if the levels are known, [comparison].
  double score(RowPair pair, std::span<const Level> levels) const {
    return score_by_terms([&](std::size_t c) {
      return level_term(c, levels[c], comparisons_[c].value(pair.first), comparisons_[c].value(pair.second));
    });
  }

  /// Score of a pair with nothing but missing values.
  double prior_score() const;
  /// The part of each comparison in the score, [comparison]. Without an additive model: what it adds to the ones before
  /// it, all in all.
  std::vector<Term> terms(RowPair pair) const;

  /// Rows with the same value in every comparison are one group if two such rows score more than `least_score`. Those
  /// that stay alone, [i], are groups of their own; none if it is empty.
  EqualRows merge_equal(std::span<const std::uint32_t> rows, double least_score,
                        const std::vector<bool>& stays_alone = {}) const;

  /// The same scores, minus `least_score`, for all pairs of these rows, as records 0, 1, ...: values are compared once,
  /// however many rows hold them. For each comparison it takes the square of the number of distinct values, unless
  /// there are many and Comparison::compare_all() has a faster way. Throws CancelledError or LimitError when `stop` is
  /// requested. Only for additive models.
  AttributePairs pairs_of(std::span<const std::uint32_t> rows, double least_score = 0, const Stop& stop = {}) const;

  /// Bounds of scores, whatever pairs agree in: with the classes k of matches (one if the model is additive),
  ///
  ///   score <= log sum_k exp(prior_of_class(k) + sum_c (class_weight(k, c, level) + adjustment_c))
  ///
  /// where related pairs, which make scores lower, are left out.
  std::size_t match_class_count() const { return mixture_ ? match_classes_.size() : 1; }
  double prior_of_class(std::size_t k) const;
  double class_weight(std::size_t k, std::size_t comparison, Level level) const;
  /// The most that class_weight() and the adjustment can be for any pair ...
  double most_of(std::size_t k, std::size_t comparison) const;
  /// ... and for a pair of which a record has this value; kNoId if it is missing.
  double most_of(std::size_t k, std::size_t comparison, std::uint32_t value) const;
  /// The adjustment for a pair at the highest level of a comparison.
  double adjustment(std::size_t comparison, RowPair pair) const {
    const Comparison& c = comparisons_[comparison];
    return adjustment_of(comparison, c.value(pair.first), c.value(pair.second));
  }

  /// The distinct values of some rows, renumbered 0, 1, ... in order of appearance.
  struct LocalValues {
    std::vector<std::uint32_t> of_row;  ///< local numbers, or kMissingValue
    std::vector<std::uint32_t> values;  ///< [local number]
    bool has_missing = false;
  };
  static LocalValues renumber(const Comparison& comparison, std::span<const std::uint32_t> rows);

 private:
  void add_table(std::size_t comparison, const std::optional<SparseLevels>& levels, LocalValues local, const Stop& stop,
                 AttributePairs& pairs) const;
  void add_sparsely(std::size_t comparison, const SparseLevels& levels, LocalValues local, AttributePairs& pairs) const;

  /// term(c): that of a comparison.
  template <class TermOf>
  double score_by_terms(TermOf&& term) const {
    double score = parameters_.weights.prior_log_odds;
    if (!mixture_) {
      for (std::size_t c = 0; c < comparisons_.size(); ++c) score += term(c).sum();
      return score;
    }
    MixtureScore::Sums sums = mixture_->start();
    double corrections = 0;
    for (std::size_t c = 0; c < comparisons_.size(); ++c) {
      const Term found = term(c);
      mixture_->add(sums, c, found.level, found.adjustment);
      corrections += found.weight;
    }
    return score + (mixture_->score(sums) + corrections);
  }
  Term term(std::size_t comparison, RowPair pair) const {
    const Comparison& c = comparisons_[comparison];
    return value_term(comparison, c.value(pair.first), c.value(pair.second));
  }
  Term value_term(std::size_t comparison, std::uint32_t a, std::uint32_t b) const {
    return level_term(comparison, comparisons_[comparison].compare_values(a, b), a, b);
  }
  Term level_term(std::size_t comparison, Level level, std::uint32_t a, std::uint32_t b) const {
    const bool is_highest = level + 1U == comparisons_[comparison].levels().size();
    return {.level = level,
            .weight = parameters_.weights.weights[comparison][level],
            .adjustment = is_highest ? adjustment_of(comparison, a, b) : 0};
  }
  /// For equality of two values: of the more frequent one, as a value with two spellings is as frequent as that.
  double adjustment_of(std::size_t comparison, std::uint32_t a, std::uint32_t b) const {
    const double equal_share = parameters_.equal_share[comparison];
    if (equal_share == 0) return 0;
    const Comparison& c = comparisons_[comparison];
    return frequencies_[comparison].adjustment(c.count(a) > c.count(b) ? a : b, equal_share);
  }
  double most_with(std::size_t k, std::size_t comparison, double adjustment) const;

  std::span<const Comparison> comparisons_;
  MatchParameters parameters_;
  std::vector<TermFrequencies> frequencies_;  // [comparison]
  std::vector<double> most_adjustment_;       // [comparison] that of the rarest value
  std::optional<MixtureScore> mixture_;
  std::vector<std::size_t> match_classes_;  // of the mixture
};

/// Probability with these log odds.
double probability_of(double log_odds);

}  // namespace fovea::linkage
