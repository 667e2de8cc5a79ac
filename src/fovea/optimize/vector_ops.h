// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "fovea/base/parallel.h"

namespace fovea::optimize::internal {

/// Multi-threaded operations on long vectors, in chunks of fixed size: sums are in double and in chunk order, so the
/// result is the same to the bit at any number of threads.
class VectorOps {
 public:
  explicit VectorOps(int threads) : threads_(threads) {}

  /// sum_i a_i b_i
  template <class Real>
  double dot(std::span<const Real> a, std::span<const Real> b) const {
    return sum(a.size(), [&](std::size_t i) { return double{a[i]} * double{b[i]}; });
  }

  /// sum_i term(i)
  template <class Term>
  double sum(std::size_t count, const Term& term) const {
    return parallel_sum(count, kGrain, threads_, [&](std::size_t begin, std::size_t end) {
      // Independent partial sums: otherwise each addition would wait for the one before.
      double partial[kPartialSums] = {};
      std::size_t i = begin;
      for (; i + kPartialSums <= end; i += kPartialSums)
        for (std::size_t lane = 0; lane < kPartialSums; ++lane) partial[lane] += term(i + lane);
      for (; i < end; ++i) partial[0] += term(i);
      double total = 0;
      for (const double p : partial) total += p;
      return total;
    });
  }

  /// body(i) for every i; writes only to element i.
  template <class Body>
  void each(std::size_t count, const Body& body) const {
    parallel_for(count, kGrain, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

 private:
  static constexpr std::size_t kGrain = 1 << 14;
  static constexpr std::size_t kPartialSums = 8;

  int threads_;
};

}  // namespace fovea::optimize::internal
