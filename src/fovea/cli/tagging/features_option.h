// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::cli {

/// `--features` of commands that read a tagger, which knows what its items are.
struct FeaturesOption {
  std::string features = "model";

  template <class V>
  static void describe(V&& visit) {
    visit(&FeaturesOption::features, OptionInfo{.name = "features",
                                                .description = "What items are: text or pixels, as the model was "
                                                               "trained, else it is refused; model takes either.",
                                                .choices = {"model", "text", "pixels"}});
  }
};

/// Throws UsageError if `features`, one of FeaturesOption's choices, is not what the model was trained on.
void check_model_features(const tagging::TaggerVocabulary& model, const std::string& features);

}  // namespace fovea::cli
