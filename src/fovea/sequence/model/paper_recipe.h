// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/base/words.h"

namespace fovea::sequence {

/// Published settings, which stand for several options at once.
enum class PaperRecipe {
  kNone,
  kHeteroSampler,      ///< as printed in Shi, Steinhardt and Liang 2015
  kHeteroSamplerCode,  ///< as in the scripts and the code that they published
};
constexpr auto words_of(PaperRecipe) {
  using enum PaperRecipe;
  return std::array{Word{kNone, "none"}, Word{kHeteroSampler, "heterosampler"},
                    Word{kHeteroSamplerCode, "heterosampler-code"}};
}

/// Sets a field that still has its default value.
template <class Options, class Field>
void set_default(Options& options, Field Options::*field, Field value) {
  if (options.*field == Options{}.*field) options.*field = value;
}

}  // namespace fovea::sequence
