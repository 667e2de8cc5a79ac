// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Two numbers as one key.
constexpr std::uint64_t pair_key(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

/// Hash of a pair_key. Its lower bits depend on both numbers, for tables that use only the lower bits.
struct PairHash {
  std::size_t operator()(std::uint64_t pair) const {
    const std::uint64_t mixed = pair * 0x9E3779B97F4A7C15;
    return mixed ^ (mixed >> 32);
  }
};

}  // namespace fovea
