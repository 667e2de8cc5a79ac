// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/factor_slice.h"

#include "fovea/base/run_control.h"

namespace fovea::graph {

bool FactorSlice::gather(std::span<const double> source, const Stop& stop) {
  std::size_t size = 1;
  for (const std::uint32_t cardinality : cardinalities_) size *= cardinality;
  table_.resize(size);
  digits_.assign(cardinalities_.size(), 0);
  const std::size_t last_count = cardinalities_.back(), last_stride = strides_.back();
  std::size_t from = 0;
  StopMeter meter;
  for (std::size_t to = 0; to < size; to += last_count) {
    for (std::size_t k = 0; k < last_count; ++k) table_[to + k] = source[from + k * last_stride];
    for (std::size_t j = digits_.size() - 1; j-- > 0;) {
      from += strides_[j];
      if (++digits_[j] < cardinalities_[j]) break;
      from -= std::size_t{strides_[j]} * cardinalities_[j];
      digits_[j] = 0;
    }
    if (meter.is_late(last_count, stop)) return false;
  }
  return true;
}

}  // namespace fovea::graph
