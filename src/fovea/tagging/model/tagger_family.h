// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/base/words.h"

namespace fovea::tagging {

/// Kind of model that tags.
enum class TaggerFamily {
  kCrf,      ///< a linear-chain CRF
  kDoeblin,  ///< Gibbs sweeps with restarts from the chain of label pairs, trained as they will be run
  kGp,       ///< structured Gaussian processes
  kSvm,      ///< a structured support vector machine
};
constexpr auto words_of(TaggerFamily) {
  using enum TaggerFamily;
  return std::array{Word{kCrf, "crf"}, Word{kDoeblin, "doeblin"}, Word{kGp, "gp"}, Word{kSvm, "svm"}};
}

/// Kind of items in sequences.
enum class ItemKind { kText, kPixels };
constexpr auto words_of(ItemKind) {
  return std::array{Word{ItemKind::kText, "text"}, Word{ItemKind::kPixels, "pixels"}};
}

/// Form in which a file of labelled text holds its items.
enum class TextFormat { kColumns, kAttributes };
constexpr auto words_of(TextFormat) {
  return std::array{Word{TextFormat::kColumns, "columns"}, Word{TextFormat::kAttributes, "attributes"}};
}

}  // namespace fovea::tagging
