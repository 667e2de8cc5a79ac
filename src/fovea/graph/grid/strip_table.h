// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fovea::graph {

/// Features of a strip before a visit, in a few small classes.
struct StripFeatures {
  static constexpr std::size_t kDoubts = 12, kNeighbours = 3, kOwn = 2, kAges = 5, kPhases = 4;
  static constexpr std::size_t kCount = kDoubts * kNeighbours * kOwn * kAges * kPhases;

  std::size_t doubt = kDoubts - 1;  ///< at its last visit: see doubt_class
  std::size_t neighbours = 0;       ///< visits since then that changed a neighbouring site: 0, 1, 2 or more
  std::size_t own = 1;              ///< 1 if its last visit changed a label
  std::size_t age = 0;              ///< rounds since its last visit: 1, 2, 3-4, 5-8, more
  std::size_t phase = 0;            ///< quarter of the annealing

  constexpr std::size_t index() const {
    return (((doubt * kNeighbours + neighbours) * kOwn + own) * kAges + age) * kPhases + phase;
  }

  /// The octave of sum_sites (1 / p(best label) - 1): class c >= 1 begins at 2^(c - 9), the last at 4, 0 is below 2^-8.
  static std::size_t doubt_class(float sum) {
    const auto octave = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(sum) >> 23) - 127;
    return static_cast<std::size_t>(std::clamp(octave + 9, 0, static_cast<std::int32_t>(kDoubts) - 1));
  }
  /// rounds >= 1.
  static constexpr std::size_t age_class(std::uint32_t rounds) {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(rounds - 1)), kAges - 1);
  }
};

/// Calls visit(features) for all combinations.
template <class Visit>
void for_each_strip_features(const Visit& visit) {
  using F = StripFeatures;
  for (std::size_t doubt = 0; doubt < F::kDoubts; ++doubt)
    for (std::size_t neighbours = 0; neighbours < F::kNeighbours; ++neighbours)
      for (std::size_t own = 0; own < F::kOwn; ++own)
        for (std::size_t age = 0; age < F::kAges; ++age)
          for (std::size_t phase = 0; phase < F::kPhases; ++phase) visit(F{doubt, neighbours, own, age, phase});
}

/// Table of the strips that are worth a visit now: one look-up per strip.
class StripTable {
 public:
  enum class Verdict : std::uint8_t {
    kNever,  ///< neither now nor later, unless a neighbour changes
    kLater,
    kNow
  };

  /// Makes the table; is_worth(features) is true if a strip is worth a visit now.
  template <class IsWorth>
  static StripTable from(const IsWorth& is_worth) {
    StripTable table;
    for_each_strip_features([&](StripFeatures features) {
      Verdict verdict = is_worth(features) ? Verdict::kNow : Verdict::kNever;
      const std::size_t index = features.index();
      for (; verdict == Verdict::kNever && features.phase < StripFeatures::kPhases; ++features.phase)
        for (std::size_t age = features.age; age < StripFeatures::kAges; ++age)
          if (is_worth(StripFeatures{features.doubt, features.neighbours, features.own, age, features.phase}))
            verdict = Verdict::kLater;
      table.verdicts_[index] = verdict;
    });
    return table;
  }

  /// Hot bits, not learned: strips of doubt class `least_doubt` or above, or with a neighbour that changed.
  static StripTable hot_bits(std::size_t least_doubt) {
    return from([&](const StripFeatures& f) { return f.doubt >= least_doubt || f.neighbours > 0; });
  }

  Verdict operator[](const StripFeatures& features) const { return verdicts_[features.index()]; }

 private:
  std::array<Verdict, StripFeatures::kCount> verdicts_{};
};

}  // namespace fovea::graph
