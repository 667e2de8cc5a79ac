// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace fovea::graph {

/// Key of a subproblem: two independent hashes of its variable and the values of its context. Two subproblems that
/// share a place in the cache are confused with probability 2^-64.
struct SubproblemKey {
  std::uint64_t place = 0;
  std::uint64_t check = 0;

  /// Adds `other`; adding the same key twice removes it again.
  void toggle(const SubproblemKey& other) {
    place ^= other.place;
    check ^= other.check;
  }
};

/// Stores upper bounds of subproblems in bounded memory. Grows by starting afresh at twice the size; the previous
/// generation is still read until the next one, so growing never moves entries. A new entry takes a free place of its
/// set, or that of the subproblem that cost the least work.
class BoundCache {
 public:
  struct Entry {
    std::uint64_t check = 0;
    double bound = 0;                 ///< log domain
    std::uint64_t work : 63 = 0;      ///< nodes spent on it; 0: the entry is free
    std::uint64_t is_solved : 1 = 0;  ///< the bound is the maximum
  };

  explicit BoundCache(std::size_t max_bytes);

  /// Returns nullptr if the subproblem is not known.
  const Entry* find(const SubproblemKey& key) const;
  void store(const SubproblemKey& key, double bound, bool is_solved, std::uint64_t work);

 private:
  static constexpr std::size_t kWays = 4;
  using Set = std::array<Entry, kWays>;
  struct Release {
    void operator()(Set* sets) const { std::free(sets); }
  };
  /// Zeroed memory that costs nothing until it is used, so that a cache of gigabytes is available at once.
  struct Generation {
    std::unique_ptr<Set[], Release> sets = {};
    std::size_t size = 0;  // a power of two, or 0

    void allocate(std::size_t new_size);
    const Entry* find(const SubproblemKey& key) const;
  };
  void grow();

  std::size_t max_sets_;
  std::size_t occupied_ = 0;
  Generation current_, older_;
};

}  // namespace fovea::graph
