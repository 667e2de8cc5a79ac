// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/features_option.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::tagging {

void check_model_features(const TaggerVocabulary& model, FeaturesChoice features) {
  const auto trained = model.format == TaggingFormat::kPixels ? FeaturesChoice::kPixels : FeaturesChoice::kText;
  if (features != FeaturesChoice::kModel && features != trained)
    throw UsageError(
        fmt::format("option 'features {}': the model was trained on {}", word_of(features), word_of(trained)));
}

}  // namespace fovea::tagging
