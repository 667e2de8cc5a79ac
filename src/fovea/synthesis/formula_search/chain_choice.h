// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea::synthesis {

/// Which of several searches goes on next, by what has worked. A search finds an answer within a step with a rate of
/// its own, lambda, known by how often it has in how many steps: lambda ~ Gamma(1 + found, kPriorSteps + steps). The
/// one with the largest rate drawn goes on (Thompson 1933), so that one that fails gives way, and one that is not known
/// well is tried. What is long ago counts less, as the examples make other problems of it.
class ChainChoice {
 public:
  /// The first search is expected to do best, until it is known.
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

  /// The search has taken so many steps, and perhaps found an answer.
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
