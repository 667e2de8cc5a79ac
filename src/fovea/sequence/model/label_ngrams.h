// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/assignment.h"

namespace fovea::sequence {

/// Largest factor size: label n-grams of up to this many labels.
inline constexpr int kMaxFactorSize = 6;

/// One label n-gram and its log-domain score; size counts the labels used (2 <= size <= factor size).
struct LabelNgram {
  std::array<Value, kMaxFactorSize> labels{};
  std::uint16_t size = 0;
  float score = 0;
};

/// The label n-gram scores that all sequences of a tagger share.
///
/// With factor size q (order q - 1), a sequence y_0 .. y_{T-1} scores
///
///   sum_i unary_i(y_i) + sum_i window(y_{i-q+1}, ..., y_i),
///   window(l_0, ..., l_{q-1}) = sum_{n=2..q} w_n(l_{q-n}, ..., l_{q-1}),
///
/// where positions outside the sequence hold the pad label, number K = label_count(), and an n-gram with a pad scores
/// 0. Thus all orders up to q are folded into one window, and sequence ends need no special case.
///
/// For each slot j of the window and each context (the other q - 1 labels, pads included, as a number in base K + 1,
/// leftmost label most significant) row(j, context)[k] adds up the window's n-grams that cover slot j, with label k
/// there: what a conditional distribution needs, one row per window that covers the variable. (The n-grams that do not
/// cover slot j cancel in a conditional and are left out; slot q - 1 is covered by all.) A context with no n-gram of
/// its own shares the row of the longest shorter one, so 49 labels at factor size 4 take a few megabytes instead of 92.
class LabelNgrams {
 public:
  /// Throws UsageError if factor_size is outside [1, kMaxFactorSize] or (label_count + 1)^(factor_size - 1) contexts
  /// exceed kMaxContexts. Scores of a repeated n-gram add up; -inf forbids it. Labels are < label_count.
  LabelNgrams(int label_count, int factor_size, std::span<const LabelNgram> ngrams = {});

  static constexpr std::size_t kMaxContexts = std::size_t{1} << 22;

  int label_count() const { return label_count_; }
  int factor_size() const { return factor_size_; }
  int order() const { return factor_size_ - 1; }
  /// Floats per row: label_count() rounded up to whole cache lines; lanes past label_count() are 0.
  std::size_t stride() const { return stride_; }
  Value pad() const { return static_cast<Value>(label_count_); }
  std::size_t context_count() const { return context_count_; }

  /// Scores over the label in `slot`, given the other labels of the window; 64-byte aligned.
  const float* row(int slot, std::size_t context) const {
    return rows_.data() + std::size_t{row_index_[slot * context_count_ + context]} * stride_;
  }
  /// The number of distinct rows, and the row numbers of one slot (context_count() of them), for kernels that hoist
  /// them.
  std::size_t row_count() const { return rows_.size() / stride_; }
  const std::uint32_t* row_index(int slot) const { return row_index_.data() + slot * context_count_; }
  const float* rows() const { return rows_.data(); }

  /// The context of `slot` in the window that starts at window[0]; reads the q labels except window[slot].
  std::size_t context(int slot, const Value* window) const {
    std::size_t c = 0;
    for (int j = 0; j < factor_size_; ++j)
      if (j != slot) c = c * (label_count_ + 1) + window[j];
    return c;
  }

  /// window(l_0, ..., l_{q-1}) for q labels, pads allowed.
  float window_score(const Value* window) const {
    const int last = factor_size_ - 1;
    return window[last] == pad() ? 0.0f : row(last, context(last, window))[window[last]];
  }

 private:
  void fill_slot(int slot, std::span<const LabelNgram> ngrams);
  std::size_t most_rows(std::span<const LabelNgram> ngrams) const;
  std::uint32_t append_row_like(std::uint32_t row);

  int label_count_;
  int factor_size_;
  std::size_t stride_;
  std::size_t context_count_;
  std::vector<std::uint32_t> row_index_;  // [slot][context] -> row
  AlignedVector<float> rows_;             // [row][label]
};

/// (label_count + 1)^(factor_size - 1), the number of combinations of the other labels of a window, pads included.
/// Tables of label n-grams hold a row number for each. Throws UsageError if factor_size is outside [1, kMaxFactorSize],
/// or if there are more contexts than LabelNgrams::kMaxContexts.
std::size_t label_context_count(int label_count, int factor_size);

}  // namespace fovea::sequence
