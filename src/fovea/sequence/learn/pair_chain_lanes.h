// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// Tokens [begin, begin + length) of an array of rows.
struct RowRange {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

/// Forward-backward for chains with few labels and nothing beyond label pairs, several sequences at a time: one
/// sequence in each SIMD lane. With 9 labels, a vector along the labels of one token is half empty and every step waits
/// for the one before. Along sequences, all lanes work and 81 independent multiply-adds hide the latency.
///
/// Linear domain, scaled: with e_t(k) = exp(unary_t(k) - max_t), M(i, k) = exp(pair(i, k)),
///   a_t(k) = e_t(k) sum_i alpha_{t-1}(i) M(i, k),   c_t = sum_k a_t(k),   alpha_t = a_t / c_t,
///   beta_{t-1}(i) = sum_k M(i, k) e_t(k) beta_t(k) / c_t,   p_t(k) = alpha_t(k) beta_t(k),
///   log Z = sum_t max_t + log c_t.
class PairChainLanes {
 public:
  /// Largest number of labels: one row of 16 floats.
  static constexpr int kMaxLabels = 16;
  /// Length of the longest sequence: beyond it, workspaces in every lane would be large, and single floats would count
  /// too coarsely.
  static constexpr std::uint32_t kMaxLength = 512;

  explicit PairChainLanes(int label_count);

  int label_count() const { return label_count_; }

  /// Sets the scores, which are finite; pairs not named score 0.
  void set_pairs(std::span<const LabelNgram> pairs);

  /// For each sequence: replaces its rows of unary scores (16 floats a token, finite) by marginals, and adds to
  /// pair_counts[i * label_count + k] the expected number of label pairs (i, k). `labels` are indexed like rows.
  /// Returns the sum of log Z - score(labels), added up token by token: near a good model both are large and nearly
  /// equal. Sequences whose sums underflow or overflow are left unchanged and appended to `failed`.
  double run(std::vector<RowRange> sequences, const Value* labels, float* rows, double* pair_counts,
             std::vector<RowRange>& failed);

  // For the implementation: scratch arrays, and the scores of all pairs as arrays [i][k].
  struct Workspace {
    AlignedVector<float> alpha, weights, scales, counts;
  };
  struct Table {
    int label_count;
    const float* scores;
    const float* weights;  // exp(score - largest)
    float largest;
  };

 private:
  int label_count_;
  std::vector<float> pair_scores_;   // [i][k] score
  std::vector<float> pair_weights_;  // [i][k] exp(score - largest)
  float largest_ = 0;
  Workspace workspace_;
};

}  // namespace fovea::sequence
