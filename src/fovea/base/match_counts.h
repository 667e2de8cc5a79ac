// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fovea {

/// Numbers of items of one kind: those in the gold data, those predicted, and those predicted correctly. A rate whose
/// denominator is 0 is 0, as in conlleval.
struct MatchCounts {
  std::uint64_t gold = 0, predicted = 0, correct = 0;

  double precision() const { return ratio(correct, predicted); }
  double recall() const { return ratio(correct, gold); }
  /// The harmonic mean 2 p r / (p + r), from the counts: 2 correct / (gold + predicted).
  double f1() const { return ratio(2 * correct, gold + predicted); }

  MatchCounts& operator+=(const MatchCounts& other) {
    gold += other.gold;
    predicted += other.predicted;
    correct += other.correct;
    return *this;
  }
  friend bool operator==(const MatchCounts&, const MatchCounts&) = default;
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace fovea
