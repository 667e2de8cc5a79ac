// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/base/options.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// Kind of items that a text holds.
enum class FeaturesChoice { kModel, kText, kPixels };
constexpr auto words_of(FeaturesChoice) {
  using enum FeaturesChoice;
  return std::array{Word{kModel, "model"}, Word{kText, "text"}, Word{kPixels, "pixels"}};
}

/// `--features` of commands that read a tagger, which knows the kind of its items.
struct FeaturesOption {
  FeaturesChoice features = FeaturesChoice::kModel;

  template <class V>
  static void describe(V&& visit) {
    visit(&FeaturesOption::features, OptionInfo{.name = "features",
                                                .description = "Kind of items: text or pixels, which must be what "
                                                               "the model was trained on; model takes either."});
  }
};

/// Throws UsageError if `features` is not what the model was trained on.
void check_model_features(const TaggerVocabulary& model, FeaturesChoice features);

}  // namespace fovea::tagging
