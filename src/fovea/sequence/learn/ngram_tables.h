// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// Label n-gram scores that change one at a time, as stochastic training needs them. LabelNgrams folds all sizes into
/// one row per context, so that a bigram is spread over thousands of rows; here each size keeps its own rows, a change
/// costs `size` additions, and a conditional distribution 2 + 3 + .. + q row look-ups instead of q.
class NgramTables {
 public:
  /// N-gram i of `ngrams` has id i. The limits are those of LabelNgrams.
  NgramTables(int label_count, int factor_size, std::span<const LabelNgram> ngrams);

  int label_count() const { return label_count_; }
  int factor_size() const { return factor_size_; }
  int order() const { return factor_size_ - 1; }
  std::size_t stride() const { return stride_; }
  Value pad() const { return static_cast<Value>(label_count_); }

  void add(std::size_t ngram, float change);

  /// Appends the rows [label] that together score the label at *position, given its neighbours: labels with order()
  /// pads on both sides. Rows of zeros are left out.
  void collect_rows(const Value* position, std::vector<const float*>& rows) const;

  /// Calls visit(row number) for the same rows.
  template <class Visit>
  void for_each_row(const Value* position, const Visit& visit) const {
    for (const Level& level : levels_)
      for (int slot = 0; slot < level.size; ++slot) {
        const std::uint32_t row = level.slots[slot][context(level.size, slot, position - slot)];
        if (row != 0) visit(row);
      }
  }

  /// The row that scores the label after `before` by pairs alone; 0 without such a pair, or at factor size 1.
  std::uint32_t row_after(Value before) const { return levels_.empty() ? 0 : levels_[0].slots[1][before]; }

  std::size_t row_count() const { return rows_.size() / stride_; }
  /// The n-gram that a row scores at a label, or kNone.
  std::uint32_t ngram_of(std::uint32_t row, Value label) const { return id_of_cell_[row * stride_ + label]; }
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Calls visit(id) for the known n-grams that end at *position.
  template <class Visit>
  void for_each_ending_at(const Value* position, const Visit& visit) const {
    for (const Level& level : levels_) {
      const std::uint32_t row = level.slots.back()[context(level.size, level.size - 1, position - level.size + 1)];
      if (row == 0 || *position >= label_count_) continue;
      const std::uint32_t id = id_of_cell_[row * stride_ + *position];
      if (id != kNone) visit(id);
    }
  }

 private:
  /// The n-grams of one size: for each slot, context of the other labels -> row, or 0 without an n-gram.
  struct Level {
    int size;
    std::vector<std::vector<std::uint32_t>> slots;
  };

  std::size_t context(int size, int slot, const Value* window) const {
    std::size_t c = 0;
    for (int j = 0; j < size; ++j)
      if (j != slot) c = c * (label_count_ + 1) + window[j];
    return c;
  }

  int label_count_;
  int factor_size_;
  std::size_t stride_;
  std::vector<Level> levels_;
  AlignedVector<float> rows_;              // [row][label]; row 0 is zero
  std::vector<std::uint32_t> id_of_cell_;  // [row][label] -> n-gram
  std::vector<std::uint32_t> cells_;       // of all n-grams, cells_[first_cell_[id] + slot]: row * stride + label
  std::vector<std::uint32_t> first_cell_;
};

}  // namespace fovea::sequence
