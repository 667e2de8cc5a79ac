// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/sequence/model/paper_recipe.h"

namespace fovea::tagging {

struct TrainJob;

struct RecipeOption {
  sequence::PaperRecipe recipe = sequence::PaperRecipe::kNone;

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
std::string recipe_template(sequence::PaperRecipe recipe);

/// Gives every option of the job that has its default value the value of its recipe; options with other values stay.
/// Throws UsageError for a family that the recipe does not fit.
void apply_recipe(TrainJob& job);

}  // namespace fovea::tagging
