// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/ngram_tables.h"

#include "fovea/base/error.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

NgramTables::NgramTables(int label_count, int factor_size, std::span<const LabelNgram> ngrams)
    : label_count_(label_count), factor_size_(factor_size), stride_(row_stride(label_count)), rows_(stride_) {
  FOVEA_CHECK(label_count > 0);
  (void)label_context_count(label_count, factor_size);  // throws beyond its limit
  for (int size = 2; size <= factor_size; ++size)
    levels_.push_back({size, std::vector(size, std::vector<std::uint32_t>(label_context_count(label_count, size)))});
  id_of_cell_.assign(stride_, kNone);
  for (std::size_t id = 0; id < ngrams.size(); ++id) {
    const LabelNgram& ngram = ngrams[id];
    FOVEA_CHECK(ngram.size >= 2 && ngram.size <= factor_size);
    first_cell_.push_back(static_cast<std::uint32_t>(cells_.size()));
    for (int slot = 0; slot < ngram.size; ++slot) {
      std::uint32_t& row = levels_[ngram.size - 2].slots[slot][context(ngram.size, slot, ngram.labels.data())];
      if (row == 0) {
        row = static_cast<std::uint32_t>(rows_.size() / stride_);
        rows_.resize(rows_.size() + stride_);
        id_of_cell_.resize(rows_.size(), kNone);
      }
      const auto cell = static_cast<std::uint32_t>(row * stride_ + ngram.labels[slot]);
      cells_.push_back(cell);
      id_of_cell_[cell] = static_cast<std::uint32_t>(id);
    }
    add(id, ngram.score);
  }
}

void NgramTables::add(std::size_t ngram, float change) {
  const std::size_t end = ngram + 1 < first_cell_.size() ? first_cell_[ngram + 1] : cells_.size();
  for (std::size_t i = first_cell_[ngram]; i < end; ++i) rows_[cells_[i]] += change;
}

void NgramTables::collect_rows(const Value* position, std::vector<const float*>& rows) const {
  for_each_row(position, [&](std::uint32_t row) { rows.push_back(rows_.data() + row * stride_); });
}

}  // namespace fovea::sequence
