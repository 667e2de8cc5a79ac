// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/error.h"

namespace fovea::linkage {

SparseScores::SparseScores(std::size_t value_count, float default_score, std::span<const ValuePairScore> exceptions)
    : default_score_(default_score), begin_(value_count + 1, 0), bits_(value_count, 0) {
  FOVEA_CHECK(std::isfinite(default_score));
  for (const ValuePairScore& pair : exceptions) {
    FOVEA_CHECK(pair.value < value_count && pair.other < value_count && std::isfinite(pair.score));
    ++begin_[pair.value + 1];
    if (pair.other != pair.value) ++begin_[pair.other + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  exceptions_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const ValuePairScore& pair : exceptions) {
    const float excess = pair.score - default_score;
    exceptions_[next[pair.value]++] = {pair.other, excess};
    bits_[pair.value] |= bit_of(pair.other);
    bits_[pair.other] |= bit_of(pair.value);
    if (pair.other != pair.value) exceptions_[next[pair.other]++] = {pair.value, excess};
    least_ = std::min(least_, excess);
    most_ = std::max(most_, excess);
  }
  for (std::size_t value = 0; value < value_count; ++value) {
    const auto list = std::span(exceptions_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
    std::ranges::sort(list, {}, &Exception::value);
    FOVEA_CHECK(std::ranges::adjacent_find(list, {}, &Exception::value) == list.end());
  }
}

double SparseScores::find(std::uint32_t value, std::uint32_t other) const {
  std::span<const Exception> list = exceptions(value);
  if (const auto others = exceptions(other); others.size() < list.size()) {
    list = others;
    other = value;
  }
  const auto found = std::ranges::lower_bound(list, other, {}, &Exception::value);
  return found != list.end() && found->value == other ? double{found->excess} : 0;
}

}  // namespace fovea::linkage
