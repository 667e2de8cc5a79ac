// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/gestures/gesture.h"
#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

struct FingerOptions {
  double pull = .77;
  double reach = .6;
  double stay = .4;
  double tremor = .35;
  bool uniform = false;

  static void describe(auto&& visit) {
    using O = FingerOptions;
    visit(&O::pull,
          number_in(.05, 1, "pull", "Share of the way to the letter's key that the finger covers in a step."));
    visit(&O::reach,
          number_in(.1, 2, "reach",
                    "Distance in key widths: a finger at a distance <= reach from the centre of a key hits it."));
    visit(&O::stay, number_in(0, .95, "stay", "Probability that a finger which has hit a key stays for another step."));
    visit(&O::tremor, number_in(0, 2, "tremor", "Standard deviation of each coordinate at each step, in key widths."));
    visit(&O::uniform, option("uniform", "Draw every word of the list equally often, not by its count."));
  }
};

/// A finger that chases its target, after Steinhardt and Liang (2015, section 5: "a time series model"), who give no
/// parameters; these are ours. It starts at the key of the first letter; at each time step t,
///
///   p_t = p_{t-1} + pull (centre of the letter's key - p_{t-1}) + tremor n_t,   x_t = key under p_t,   n_t ~ N(0, I)
///
/// In transit, until |p_t - centre| <= reach, x_t belongs to no letter. Then the finger stays for
/// 1 + Geometric(1 - stay) steps, whose x_t belong to the letter, and turns to the next letter. The paper's one
/// example, banana -> bdsadbnnnfaassjjj, has 17 / 6 = 2.8 observations per letter, about 40 % of them unaligned; so has
/// banana here, on average. Words drawn by frequency have shorter paths between their letters: 2.35 and 30 %.
class GeneratedGestures {
 public:
  /// `words` must outlive the object; only children of `random` are drawn from.
  GeneratedGestures(const std::vector<CountedWord>& words, const FingerOptions& finger, const Random& random);

  /// Gesture number `index`: a typed word, drawn by its frequency or uniformly. It depends only on random, options and
  /// index.
  Gesture gesture(std::uint64_t index) const;

  /// Types `word`; `aligned`, if given, receives for each observation whether it belongs to a letter.
  Gesture type(std::string_view word, Random& random, std::vector<bool>* aligned = nullptr) const;

 private:
  const std::vector<CountedWord>& words_;
  FingerOptions finger_;
  Random random_;
  std::vector<double> cumulative_;  // cumulative counts of the words
};

}  // namespace fovea::gestures
