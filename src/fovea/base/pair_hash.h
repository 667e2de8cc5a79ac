// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Two numbers as one key.
constexpr std::uint64_t pair_key(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

/// Of a pair_key. Tables that use a hash's lower bits need them to depend on both numbers.
struct PairHash {
  std::size_t operator()(std::uint64_t pair) const {
    const std::uint64_t mixed = pair * 0x9E3779B97F4A7C15;
    return mixed ^ (mixed >> 32);
  }
};

}  // namespace fovea
