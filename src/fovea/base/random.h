// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <pcg_random.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace fovea {

/// A stream of random decisions. Algorithms draw only through the functions below, each with a meaning, and never a raw
/// number. So a test can replace the stream by one that enumerates every decision with its probability
/// (tests/support/enumerating_random.h).
///
/// One seed names a whole tree of independent streams: child(name, index) depends only on the seed and the path of
/// names, not on what was drawn or by which thread. Not thread-safe: give every task its own child.
class Random {
 public:
  explicit Random(std::uint64_t seed = 1);

  /// Identifies the stream: the seed of a root, otherwise a hash of the path to it.
  std::uint64_t key() const { return key_; }

  /// The stream called (name, index) below this one. O(1), draws nothing.
  Random child(std::string_view name, std::uint64_t index = 0) const;

  /// True with probability p in [0, 1].
  bool bernoulli(double p) { return unit() < p; }

  /// True with probability exp(log_p); log_p <= 0.
  bool bernoulli_log(double log_p) {
    const double u = unit();
    // exp(x) >= 1 + x + x^2/2 for x = -log_p >= 0: most rejections need no exponential.
    return u * (1 - log_p * (1 - log_p / 2)) <= 1 && u < std::exp(log_p);
  }

  /// Uniform on {0, ..., n - 1}; n > 0. By Lemire (2019), "Fast random integer generation in an interval": the high
  /// half of a product, without a division except for a few draws.
  std::uint32_t uniform_index(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{engine_()} * n;
    if (static_cast<std::uint32_t>(product) < n)
      for (const std::uint32_t excess = -n % n; static_cast<std::uint32_t>(product) < excess;)
        product = std::uint64_t{engine_()} * n;
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// k with probability weights[k] / sum. Linear domain; weights are finite and >= 0, at least one is positive.
  /// A weight of zero is never drawn.
  template <class Weight>
  std::uint32_t categorical(std::span<const Weight> weights) {
    Weight total = 0;
    for (Weight w : weights) total += w;
    const Weight target = threshold(total);
    Weight cumulative = 0;
    std::uint32_t chosen = 0;
    for (std::uint32_t k = 0; k < weights.size(); ++k) {
      if (!(weights[k] > 0)) continue;
      chosen = k;
      cumulative += weights[k];
      if (target < cumulative) break;
    }
    return chosen;
  }

  /// A point in [0, total) that a vectorised categorical draw compares with its cumulative weights.
  template <class Weight>
  Weight threshold(Weight total) {
    if constexpr (sizeof(Weight) == sizeof(float)) return static_cast<float>(engine_() >> 8) * 0x1.0p-24f * total;
    else return unit() * total;
  }

  /// Standard normal (Box-Muller, one of the pair).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log1p(-unit()));
    return radius * std::cos(2.0 * std::numbers::pi * unit());
  }

  /// Exponential with rate 1.
  double exponential() { return -std::log1p(-unit()); }

  /// Poisson with this mean, finite and >= 0.
  std::uint64_t poisson(double mean);

 private:
  double unit() {  // 53 random bits in [0, 1)
    const std::uint64_t high = engine_();
    return static_cast<double>((high << 21) ^ (engine_() >> 11)) * 0x1.0p-53;
  }

  std::uint64_t key_;
  pcg32 engine_;
};

/// Puts values into random order, every order equally likely (Fisher and Yates). Fewer than 2^32 values.
template <class Value, std::size_t kExtent, class Random>
void shuffle(std::span<Value, kExtent> values, Random& random) {
  for (auto left = static_cast<std::uint32_t>(values.size()); left > 1; --left)
    std::swap(values[left - 1], values[random.uniform_index(left)]);
}

}  // namespace fovea
