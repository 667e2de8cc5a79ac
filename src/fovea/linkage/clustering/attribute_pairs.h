// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/linkage/clustering/partition.h"
#include "fovea/linkage/clustering/sparse_scores.h"

namespace fovea::linkage {

/// Value of a record that has no value of a sparse attribute.
inline constexpr std::uint32_t kMissingValue = 0xFFFFFFFF;

/// A PairModel over records with discrete attributes (a first name, a place, a set of co-authors, each given by the
/// number of its value):
///
///   pair_score(m, n) = w_m w_n (bias + sum over attributes a: scores_a[value of m][value of n])
///
/// There are many records but few values: the score of two values is computed once, and sums over a cluster can be kept
/// for each value (cluster_sums.h). The weights w are 1 unless a record stands for several identical records. All
/// scores are finite.
class AttributePairs {
 public:
  AttributePairs(std::size_t records, double bias) : records_(records), bias_(bias), lowest_(bias), highest_(bias) {}

  /// Adds an attribute. values[m] < value_count for each record m; `scores` is symmetric: [value][value], value_count^2
  /// of them.
  void add_attribute(std::vector<std::uint32_t> values, std::size_t value_count, std::vector<float> scores);

  /// Adds an attribute with too many values for a table of pairs. values[m] may be kMissingValue; a pair with a missing
  /// value scores `missing_score`.
  void add_sparse_attribute(std::vector<std::uint32_t> values, SparseScores scores, float missing_score = 0);

  /// Makes record m stand for weights[m] > 0 identical records: a pair then counts for all pairs of these. Pairs within
  /// a record are left out, because no clustering separates them.
  void set_weights(std::vector<std::uint32_t> weights);

  /// An attribute with a score for every pair of values.
  struct DenseAttribute {
    std::vector<std::uint32_t> values;  // [record]
    std::size_t value_count = 0;
    std::vector<float> scores;

    /// Scores of this value with every value, [value].
    std::span<const float> scores_with(std::uint32_t value) const {
      return {scores.data() + value_count * value, value_count};
    }
  };
  struct SparseAttribute {
    std::vector<std::uint32_t> values;  // [record], or kMissingValue
    SparseScores scores;
    double missing_score = 0;
  };

  std::size_t record_count() const { return records_; }
  double bias() const { return bias_; }
  std::span<const DenseAttribute> dense() const { return dense_; }
  std::span<const SparseAttribute> sparse() const { return sparse_; }
  std::size_t attribute_count() const { return dense_.size() + sparse_.size(); }
  double weight(RecordId m) const { return weights_.empty() ? 1 : weights_[m]; }
  /// [record]; empty if all weights are 1.
  std::span<const std::uint32_t> weights() const { return weights_; }

  double pair_score(RecordId m, RecordId n) const {
    const double score = dense_score(m, n);
    return is_plain_ ? score : finish(score, m, n);
  }
  /// Sum of the pair scores of m with each of `others`, which must not contain m.
  double sum_of_scores(RecordId m, std::span<const RecordId> others) const;

  /// Upper bound of |pair_score| over all pairs of m.
  double score_bound(RecordId m) const {
    return weight(m) * largest_weight_ * std::max(std::abs(lowest_), std::abs(highest_));
  }

 private:
  /// Part of the score from the bias and the dense attributes: the whole score of a plain model.
  double dense_score(RecordId m, RecordId n) const {
    double score = bias_;
    for (const DenseAttribute& a : dense_) score += double{a.scores[a.value_count * a.values[m] + a.values[n]]};
    return score;
  }
  double finish(double dense_score, RecordId m, RecordId n) const;

  std::size_t records_;
  double bias_;
  double lowest_, highest_;  // bounds of pair_score at weights of 1
  double largest_weight_ = 1;
  bool is_plain_ = true;  // no sparse attributes, all weights 1
  std::vector<DenseAttribute> dense_;
  std::vector<SparseAttribute> sparse_;
  std::vector<std::uint32_t> weights_;
};

}  // namespace fovea::linkage
