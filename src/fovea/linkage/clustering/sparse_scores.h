// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::linkage {

/// Score of a pair of values, in either order.
struct ValuePairScore {
  std::uint32_t value = 0, other = 0;
  float score = 0;
};

/// Scores of pairs of values, where all pairs except a few have the same score: sets of co-authors, for example, few of
/// which overlap. Memory, and the time to list a value's exceptions, grow with the number of exceptions, not with
/// value_count^2.
class SparseScores {
 public:
  /// A value and the score of its pair minus `default_score`.
  struct Exception {
    std::uint32_t value = 0;
    float excess = 0;
  };

  /// Each unordered pair is listed at most once. A value paired with itself has the default score unless it is listed.
  SparseScores(std::size_t value_count, float default_score, std::span<const ValuePairScore> exceptions);

  std::size_t value_count() const { return begin_.size() - 1; }
  double default_score() const { return default_score_; }
  /// Exceptions of this value, sorted by the other value.
  std::span<const Exception> exceptions(std::uint32_t value) const {
    return std::span(exceptions_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
  }
  /// Score minus default_score.
  double excess(std::uint32_t value, std::uint32_t other) const {
    return (bits_[value] & bit_of(other)) != 0 && (bits_[other] & bit_of(value)) != 0 ? find(value, other) : 0;
  }

  double least_excess() const { return least_; }  ///< of any pair; <= 0
  double most_excess() const { return most_; }    ///< of any pair; >= 0

 private:
  /// excess() by a search of the shorter list.
  double find(std::uint32_t value, std::uint32_t other) const;

  float default_score_;
  float least_ = 0, most_ = 0;
  /// Sets one of 64 bits for a value. Two values have an exception only if each has the other's bit.
  static std::uint64_t bit_of(std::uint32_t value) { return std::uint64_t{1} << (value % 64); }

  std::vector<std::size_t> begin_;     // [value + 1]
  std::vector<std::uint64_t> bits_;    // [value]: bit_of() of all that it has exceptions with
  std::vector<Exception> exceptions_;  // of each value, by rising other value
};

}  // namespace fovea::linkage
