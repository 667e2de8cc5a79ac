// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/base/words.h"

namespace fovea::sequence {

/// Method that finds the labels.
enum class DecodeMethod { kAuto, kExact, kBeam, kIcm, kGibbs, kLearned, kDoeblin };
constexpr auto words_of(DecodeMethod) {
  using enum DecodeMethod;
  return std::array{Word{kAuto, "auto"},   Word{kExact, "exact"},     Word{kBeam, "beam"},      Word{kIcm, "icm"},
                    Word{kGibbs, "gibbs"}, Word{kLearned, "learned"}, Word{kDoeblin, "doeblin"}};
}

/// True if the method starts from some labels and visits sites one by one, so that visits can be limited.
constexpr bool visits_sites(DecodeMethod method) {
  return method != DecodeMethod::kExact && method != DecodeMethod::kBeam;
}

/// Labels from which icm, gibbs and learned start.
enum class DecodeStart { kRandom, kUnigram, kChain };
constexpr auto words_of(DecodeStart) {
  using enum DecodeStart;
  return std::array{Word{kRandom, "random"}, Word{kUnigram, "unigram"}, Word{kChain, "chain"}};
}

/// Answer that samplers report.
enum class DecodeAnswer { kBest, kLast, kMarginal };
constexpr auto words_of(DecodeAnswer) {
  using enum DecodeAnswer;
  return std::array{Word{kBest, "best"}, Word{kLast, "last"}, Word{kMarginal, "marginal"}};
}

/// Action of a learned schedule at the sites that it selects.
enum class VisitKind { kBest, kSample, kJoint };
constexpr auto words_of(VisitKind) {
  using enum VisitKind;
  return std::array{Word{kBest, "best"}, Word{kSample, "sample"}, Word{kJoint, "joint"}};
}

}  // namespace fovea::sequence
