// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/words.h"

namespace fovea::tagging {

struct TrainJob;

/// Published way to train, which sets several options at once.
enum class TrainingRecipe {
  kNone,
  kHeteroSampler,      ///< as printed in Shi, Steinhardt and Liang 2015, section 5.1
  kHeteroSamplerCode,  ///< as in the scripts and the code that they published
};
constexpr auto words_of(TrainingRecipe) {
  using enum TrainingRecipe;
  return std::array{Word{kNone, "none"}, Word{kHeteroSampler, "heterosampler"},
                    Word{kHeteroSamplerCode, "heterosampler-code"}};
}

struct RecipeOption {
  TrainingRecipe recipe = TrainingRecipe::kNone;

  static void describe(auto&& visit) {
    visit(
        &RecipeOption::recipe,
        option("recipe",
               "Published settings, for all options that have their default values. heterosampler: as printed by Shi, "
               "Steinhardt and Liang (2015): AdaGrad on Gibbs samples without a penalty, 5 passes, attributes of the "
               "word alone, both values of each pixel. heterosampler-code: as in the code that they published: "
               "attributes of five words, other steps."));
  }
};

/// The text of the template of a recipe, which reads words in column 0 and nothing else; empty for kNone.
std::string recipe_template(TrainingRecipe recipe);

/// Gives every option of the job that has its default value the value of its recipe; options with other values stay.
/// Throws UsageError for a family that the recipe does not fit.
void apply_recipe(TrainJob& job);

}  // namespace fovea::tagging
