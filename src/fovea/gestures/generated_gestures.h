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

  template <class V>
  static void describe(V&& visit) {
    using O = FingerOptions;
    visit(&O::pull, OptionInfo{.name = "pull",
                               .description = "Share of the way to the letter's key that the finger makes in a step.",
                               .min = .05,
                               .max = 1});
    visit(&O::reach, OptionInfo{.name = "reach",
                                .description = "Key widths: at a distance <= reach from its centre the key is hit.",
                                .min = .1,
                                .max = 2});
    visit(&O::stay, OptionInfo{.name = "stay",
                               .description = "Probability that a finger which has hit a key stays a step longer.",
                               .min = 0,
                               .max = .95});
    visit(&O::tremor, OptionInfo{.name = "tremor",
                                 .description = "Key widths: standard deviation of each coordinate at each step.",
                                 .min = 0,
                                 .max = 2});
    visit(&O::uniform,
          OptionInfo{.name = "uniform", .description = "Draw every word of the list equally often, not by its count."});
  }
};

/// A finger that chases its target, after Steinhardt and Liang (2015, section 5: "a time series model"), who print no
/// parameters; these are ours. From the key of the first letter on, at each step of time t,
///
///   p_t = p_{t-1} + pull (centre of the letter's key - p_{t-1}) + tremor n_t,   x_t = key under p_t,   n_t ~ N(0, I)
///
/// In transit, until |p_t - centre| <= reach, x_t belongs to no letter. From there on the finger stays for
/// 1 + Geometric(1 - stay) steps, whose x_t are the letter's, and turns to the next letter. The paper's one example,
/// banana -> bdsadbnnnfaassjjj, has 17 / 6 = 2.8 observations a letter, about 40 % of them unaligned: so has banana
/// here in the mean. Words by their frequency have shorter ways between their letters: 2.35 and 30 %.
class GeneratedGestures {
 public:
  /// `words` must outlive the object; only children of `random` are drawn from.
  GeneratedGestures(const std::vector<CountedWord>& words, const FingerOptions& finger, const Random& random);

  /// Gesture `index`: a word by its frequency, or any, typed. A function of random, options and index alone.
  Gesture gesture(std::uint64_t index) const;

  /// `word`, typed; `aligned`, if there, says which observations belong to letters.
  Gesture type(std::string_view word, Random& random, std::vector<bool>* aligned = nullptr) const;

 private:
  const std::vector<CountedWord>& words_;
  FingerOptions finger_;
  Random random_;
  std::vector<double> cumulative_;  // counts of the words so far
};

}  // namespace fovea::gestures
