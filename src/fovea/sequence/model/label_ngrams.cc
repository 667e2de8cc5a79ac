// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/label_ngrams.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

constexpr std::uint32_t kZeroRow = 0;

}  // namespace

LabelNgrams::LabelNgrams(int label_count, int factor_size, std::span<const LabelNgram> ngrams)
    : label_count_(label_count),
      factor_size_(factor_size),
      stride_(row_stride(label_count)),
      context_count_(label_context_count(label_count, factor_size)) {
  FOVEA_CHECK(label_count > 0 && label_count < 65535);
  for (const LabelNgram& ngram : ngrams) {
    FOVEA_CHECK(ngram.size >= 2 && ngram.size <= factor_size);
    for (int i = 0; i < ngram.size; ++i) FOVEA_CHECK(ngram.labels[i] < label_count);
  }
  rows_.reserve(most_rows(ngrams) * stride_);
  rows_.assign(stride_, 0.0f);
  row_index_.resize(factor_size * context_count_);
  for (int slot = 0; slot < factor_size; ++slot) fill_slot(slot, ngrams);
}

/// Upper bound on the number of rows: the zero row and, for each slot, one row for each n-gram that covers it, but no
/// more than the contexts.
std::size_t LabelNgrams::most_rows(std::span<const LabelNgram> ngrams) const {
  std::array<std::size_t, kMaxFactorSize + 1> count{};  // by size
  for (const LabelNgram& ngram : ngrams) ++count[ngram.size];
  std::size_t rows = 1, contexts = 1;
  for (int n = 2; n <= factor_size_; ++n) {
    contexts *= label_count_ + 1;
    rows += n * std::min(count[n], contexts);
  }
  return rows;
}

std::uint32_t LabelNgrams::append_row_like(std::uint32_t row) {
  const std::size_t end = rows_.size();
  rows_.resize(end + stride_);
  std::copy_n(rows_.begin() + row * stride_, stride_, rows_.begin() + end);
  return static_cast<std::uint32_t>(end / stride_);
}

// Level n holds, for the n - 1 context labels nearest the window's end, the row that includes all n-grams of size <= n.
// An n-gram covers `slot` if n >= q - slot. Level n starts as level n - 1 with its most significant label ignored.
void LabelNgrams::fill_slot(int slot, std::span<const LabelNgram> ngrams) {
  const std::size_t base = label_count_ + 1;
  std::vector<std::uint32_t> level = {kZeroRow};
  for (int n = 2; n <= factor_size_; ++n) {
    const std::vector<std::uint32_t> shorter = std::move(level);
    level.resize(shorter.size() * base);
    for (std::size_t c = 0; c < level.size(); ++c) level[c] = shorter[c % shorter.size()];
    const int free = slot - (factor_size_ - n);  // the slot's place within an n-gram
    if (free < 0) continue;
    const std::size_t first_new_row = row_count();
    for (const LabelNgram& ngram : ngrams) {
      if (ngram.size != n) continue;
      std::size_t c = 0;
      for (int i = 0; i < n; ++i)
        if (i != free) c = c * base + ngram.labels[i];
      if (level[c] < first_new_row || level[c] == kZeroRow) level[c] = append_row_like(level[c]);
      rows_[level[c] * stride_ + ngram.labels[free]] += ngram.score;
    }
  }
  std::copy(level.begin(), level.end(), row_index_.begin() + slot * context_count_);
}

std::size_t label_context_count(int label_count, int factor_size) {
  if (factor_size < 1 || factor_size > kMaxFactorSize)
    throw UsageError(fmt::format("factor size {} is outside [1, {}]", factor_size, kMaxFactorSize));
  std::size_t contexts = 1;
  for (int others = 1; others < factor_size; ++others) {
    contexts *= static_cast<std::size_t>(label_count) + 1;
    if (contexts > LabelNgrams::kMaxContexts)
      throw UsageError(
          fmt::format("factor size {} with {} labels needs more than {} contexts; use a smaller factor size",
                      factor_size, label_count, LabelNgrams::kMaxContexts));
  }
  return contexts;
}

}  // namespace fovea::sequence
