// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/tagging/features_option.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::cli {

void check_model_features(const tagging::TaggerVocabulary& model, const std::string& features) {
  const char* trained = model.format == tagging::TaggingFormat::kPixels ? "pixels" : "text";
  if (features != "model" && features != trained)
    throw UsageError(fmt::format("--features {}: the model was trained on {}", features, trained));
}

}  // namespace fovea::cli
