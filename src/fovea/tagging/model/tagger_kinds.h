// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/base/options.h"
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
enum class ItemKind { kText, kPixels, kPixelValues };
constexpr auto words_of(ItemKind) {
  using enum ItemKind;
  return std::array{Word{kText, "text"}, Word{kPixels, "pixels"}, Word{kPixelValues, "pixel-values"}};
}
constexpr bool has_pixels(ItemKind items) { return items != ItemKind::kText; }

/// Kind of items that a text holds.
enum class FeaturesChoice { kModel, kText, kPixels };
constexpr auto words_of(FeaturesChoice) {
  using enum FeaturesChoice;
  return std::array{Word{kModel, "model"}, Word{kText, "text"}, Word{kPixels, "pixels"}};
}

/// `--features` of commands that read a tagger, which knows the kind of its items.
struct FeaturesOption {
  FeaturesChoice features = FeaturesChoice::kModel;

  static void describe(auto&& visit) {
    visit(&FeaturesOption::features,
          option("features",
                 "Kind of items: text or pixels, which must be what the model was trained on; model takes either."));
  }
};

/// Form in which a file of labelled text holds its items.
enum class TextFormat { kColumns, kAttributes };
constexpr auto words_of(TextFormat) {
  return std::array{Word{TextFormat::kColumns, "columns"}, Word{TextFormat::kAttributes, "attributes"}};
}

}  // namespace fovea::tagging
