// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace fovea {

/// Puts values into random order, each order being equally likely (Fisher and Yates). Fewer than 2^32 values.
template <class Value, std::size_t kExtent, class Random>
void shuffle(std::span<Value, kExtent> values, Random& random) {
  for (auto left = static_cast<std::uint32_t>(values.size()); left > 1; --left)
    std::swap(values[left - 1], values[random.uniform_index(left)]);
}

}  // namespace fovea
