// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/table_rows.h"

#include <algorithm>
#include <utility>

namespace fovea::graph::internal {
namespace {

constexpr std::size_t kShortRun = 8;  // shorter runs cost more to start than to address each entry

void add_run(double* row, const double* table, std::size_t length, std::size_t stride) {
  if (stride == 0)
    for (std::size_t i = 0; i < length; ++i) row[i] += *table;
  else if (stride == 1)
    for (std::size_t i = 0; i < length; ++i) row[i] += table[i];
  else
    for (std::size_t i = 0; i < length; ++i) row[i] += table[i * stride];
}

void scatter_run(const double* row, double* table, std::size_t length, std::size_t stride) {
  if (stride == 0) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += row[i];
    *table += sum;
  } else if (stride == 1) {
    for (std::size_t i = 0; i < length; ++i) table[i] += row[i];
  } else {
    for (std::size_t i = 0; i < length; ++i) table[i * stride] += row[i];
  }
}

}  // namespace

TableRows::TableRows(std::span<const std::size_t> cardinalities)
    : cardinalities_(cardinalities.begin(), cardinalities.end()),
      values_(cardinalities.size(), 0),
      row_begin_(cardinalities.size()) {
  while (row_begin_ > 0 && (row_size_ == 1 || row_size_ * cardinalities_[row_begin_ - 1] <= kMaxRow))
    row_size_ *= cardinalities_[--row_begin_];
}

TableRows::Runs TableRows::find_runs(std::span<const std::size_t> strides) const {
  Runs runs;
  std::size_t d = cardinalities_.size();
  if (d > row_begin_) {
    --d;
    runs = {.length = cardinalities_[d], .stride = strides[d]};
    while (d > row_begin_ && strides[d - 1] == runs.stride * runs.length) runs.length *= cardinalities_[--d];
    if (runs.length < kShortRun && d > row_begin_) {
      d = cardinalities_.size();
      runs = {};
    }
  }
  runs.begins = {0};
  while (d-- > row_begin_) {  // slower variables outside
    std::vector<std::size_t> begins;
    begins.reserve(runs.begins.size() * cardinalities_[d]);
    for (std::size_t k = 0; k < cardinalities_[d]; ++k)
      for (const std::size_t begin : runs.begins) begins.push_back(k * strides[d] + begin);
    runs.begins = std::move(begins);
  }
  return runs;
}

void TableRows::add_source(const double* table, std::vector<std::size_t> strides) {
  Runs runs = find_runs(strides);
  sources_.push_back({table, std::move(strides), std::move(runs)});
}

void TableRows::add_target(double* table, std::vector<std::size_t> strides) {
  Runs runs = find_runs(strides);
  targets_.push_back({table, std::move(strides), std::move(runs)});
}

template <class Table>
void TableRows::shift(std::vector<View<Table>>& views, std::size_t variable, std::ptrdiff_t steps) {
  for (View<Table>& view : views) view.table += steps * static_cast<std::ptrdiff_t>(view.strides[variable]);
}

bool TableRows::advance(std::size_t begin, std::size_t end) {
  for (std::size_t d = end; d-- > begin;) {
    const bool is_next = values_[d] + 1 < cardinalities_[d];
    const std::ptrdiff_t steps = is_next ? 1 : -static_cast<std::ptrdiff_t>(values_[d]);
    values_[d] = is_next ? values_[d] + 1 : 0;
    shift(sources_, d, steps);
    shift(targets_, d, steps);
    if (is_next) return true;
  }
  return false;
}

std::size_t TableRows::count(std::size_t begin, std::size_t end) const {
  std::size_t count = 1;
  for (std::size_t d = begin; d < end; ++d) count *= cardinalities_[d];
  return count;
}

void TableRows::move_to(std::size_t begin, std::size_t end, std::size_t index) {
  for (std::size_t d = end; d-- > begin; index /= cardinalities_[d]) {
    const std::size_t value = index % cardinalities_[d];
    const auto steps = static_cast<std::ptrdiff_t>(value) - static_cast<std::ptrdiff_t>(values_[d]);
    values_[d] = value;
    shift(sources_, d, steps);
    shift(targets_, d, steps);
  }
}

void TableRows::sum(double* row) const {
  std::fill_n(row, row_size_, 0.0);
  for (const View<const double>& view : sources_) {
    const auto& [length, stride, begins] = view.runs;
    if (length == 1)
      for (std::size_t i = 0; i < row_size_; ++i) row[i] += view.table[begins[i]];
    else
      for (std::size_t i = 0; i < begins.size(); ++i) add_run(row + i * length, view.table + begins[i], length, stride);
  }
}

void TableRows::scatter(const double* row) const {
  for (const View<double>& view : targets_) {
    const auto& [length, stride, begins] = view.runs;
    if (length == 1)
      for (std::size_t i = 0; i < row_size_; ++i) view.table[begins[i]] += row[i];
    else
      for (std::size_t i = 0; i < begins.size(); ++i)
        scatter_run(row + i * length, view.table + begins[i], length, stride);
  }
}

}  // namespace fovea::graph::internal
