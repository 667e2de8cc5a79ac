// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/table_sum.h"

#include <algorithm>

namespace fovea::graph {
namespace {

constexpr std::size_t kBlockEntries = 512;  // offsets and sums of a block stay in the first-level cache

}  // namespace

TableSum::TableSum(std::span<const VariableId> scope, std::span<const std::uint32_t> cardinalities, std::size_t whole)
    : scope_(scope.begin(), scope.end()), outer_(scope.size()) {
  for (const VariableId v : scope) cardinalities_.push_back(cardinalities[v]);
  for (const std::uint32_t k : cardinalities_) entry_count_ *= k;
  while (outer_ > 0 && (scope_.size() - outer_ < whole || block_ * cardinalities_[outer_ - 1] <= kBlockEntries))
    block_ *= cardinalities_[--outer_];
  values_.resize(outer_);
  sums_.resize(block_);
}

void TableSum::add(std::span<const VariableId> scope, std::span<const double> entries) {
  Source source;
  source.entries = entries.data();
  source.strides.assign(scope_.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = scope.size(); i-- > 0;) {
    const auto position = static_cast<std::size_t>(std::ranges::find(scope_, scope[i]) - scope_.begin());
    source.strides[position] = stride;
    stride *= cardinalities_[position];
  }
  source.block_offset.assign(1, 0);
  for (std::size_t i = outer_; i < scope_.size(); ++i) {
    std::vector<std::uint32_t> finer;
    for (const std::uint32_t offset : source.block_offset)
      for (std::size_t k = 0; k < cardinalities_[i]; ++k)
        finer.push_back(static_cast<std::uint32_t>(offset + k * source.strides[i]));
    source.block_offset = std::move(finer);
  }
  source.is_contiguous = true;
  for (std::size_t i = 0; i < block_; ++i) source.is_contiguous &= source.block_offset[i] == i;
  sources_.push_back(std::move(source));
}

void TableSum::rewind() {
  std::ranges::fill(values_, 0);
  for (Source& source : sources_) source.at = 0;
}

void TableSum::sum_block() {
  std::ranges::fill(sums_, 0.0);
  for (const Source& source : sources_) {
    const double* const entries = source.entries + source.at;
    if (source.is_contiguous)
      for (std::size_t i = 0; i < block_; ++i) sums_[i] += entries[i];
    else
      for (std::size_t i = 0; i < block_; ++i) sums_[i] += entries[source.block_offset[i]];
  }
}

void TableSum::next_block() {
  std::size_t i = outer_;
  while (i > 0) {
    --i;
    const bool wraps = ++values_[i] == cardinalities_[i];
    for (Source& source : sources_)
      if (wraps) source.at -= source.strides[i] * (cardinalities_[i] - 1);
      else source.at += source.strides[i];
    if (!wraps) return;
    values_[i] = 0;
  }
}

std::vector<double> TableSum::entries() {
  std::vector<double> all(entry_count_);
  for_each_block([&](std::size_t first, std::span<const double> sums) {
    std::ranges::copy(sums, all.begin() + static_cast<std::ptrdiff_t>(first));
    return true;
  });
  return all;
}

}  // namespace fovea::graph
