// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea::synthesis {

/// Choice of the search that goes on next, by past success. A search finds an answer within a step at a rate of its
/// own, lambda, estimated from its answers and steps so far: lambda ~ Gamma(1 + found, kPriorSteps + steps). A rate is
/// drawn for each search, and the one with the largest goes on (Thompson 1933), so that a search that fails gives way,
/// and one about which little is known is tried. Old records count less, because new examples change the problem.
class ChainChoice {
 public:
  /// Until more is known, the first search is expected to do best.
  explicit ChainChoice(std::size_t searches) : records_(searches) {
    if (searches > 0) records_[0].found = 1;
  }

  template <class R>
  std::size_t next(R& random) const {
    std::size_t best = 0;
    double best_rate = -1;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      double sum = 0;  // Gamma(1 + found, 1)
      for (std::uint64_t k = 0; k <= records_[i].found; ++k) sum += random.exponential();
      const double rate = sum / (kPriorSteps + records_[i].steps);
      if (rate <= best_rate) continue;
      best = i;
      best_rate = rate;
    }
    return best;
  }

  /// Notes that the search has taken this number of steps, and whether it found an answer.
  void note(std::size_t search, std::uint64_t steps, bool found) {
    records_[search].steps += static_cast<double>(steps);
    records_[search].found += found;
    if (records_[search].found < kMostFound) return;
    for (Record& record : records_) {
      record.found /= 2;
      record.steps /= 2;
    }
  }

 private:
  static constexpr double kPriorSteps = 20000;
  static constexpr std::uint64_t kMostFound = 32;

  struct Record {
    std::uint64_t found = 0;
    double steps = 0;
  };
  std::vector<Record> records_;
};

}  // namespace fovea::synthesis
