// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/recipe.h"

#include <fmt/format.h>

#include "fovea/base/error.h"
#include "fovea/tagging/train/train.h"

namespace fovea::tagging {
namespace {

using sequence::CrfTrainerOptions;
using sequence::PaperRecipe;
using sequence::set_default;

/// The lines for the word `row` items away: the extractors of section 5.1, which the authors' code applies to all words
/// of a window.
std::string word_lines(int row) {
  std::string text;
  const auto add = [&](std::string_view extractor, std::string_view length) {
    text += fmt::format("U{1}{2}{0:+}:%{1}[{0},0{3}{2}]\n", row, extractor, length, length.empty() ? "" : ",");
  };
  for (const char* extractor : {"x", "lower", "outline", "signature"}) add(extractor, "");
  for (const char* affix : {"prefix", "suffix"})
    for (const char* length : {"1", "2", "3", "4"}) add(affix, length);
  return text;
}

}  // namespace

std::string recipe_template(PaperRecipe recipe) {
  switch (recipe) {
    case PaperRecipe::kNone:
      return "";
    case PaperRecipe::kHeteroSampler:
      return "# Shi, Steinhardt and Liang 2015, section 5.1\n" + word_lines(0) + "Ucapitalized:%capitalized[0,0]\nB\n";
    case PaperRecipe::kHeteroSamplerCode: {
      std::string text = "# Shi, Steinhardt and Liang 2015, as in their code, without its tags of words\n";
      for (int row = -2; row <= 2; ++row)
        text +=
            word_lines(row) + fmt::format("Ucapitals{0:+}:%all-capitals[{0},0]\nUdigit{0:+}:%has-digit[{0},0]\n", row);
      return text + "B\n";
    }
  }
  return "";
}

void apply_recipe(TrainJob& job) {
  const PaperRecipe recipe = job.recipe.recipe;
  if (recipe == PaperRecipe::kNone) return;
  if (job.options.family != TaggerFamily::kCrf)
    throw UsageError(fmt::format("option 'recipe {}' is about a CRF; option 'family {}' has another way to train",
                                 word_of(recipe), word_of(job.options.family)));
  if (job.options.features == ItemKind::kPixels) job.options.features = ItemKind::kPixelValues;
  const bool letters = job.options.features == ItemKind::kPixelValues;
  const bool as_coded = recipe == PaperRecipe::kHeteroSamplerCode;
  set_default(job.crf, &CrfTrainerOptions::gradient, sequence::CrfGradient::kGibbs);
  set_default(job.crf, &CrfTrainerOptions::optimizer, sequence::CrfOptimizer::kAdagrad);
  set_default(job.crf, &CrfTrainerOptions::l2, 0.0);
  set_default(job.crf, &CrfTrainerOptions::iterations, 5);
  set_default(job.crf, &CrfTrainerOptions::gibbs_sweeps, letters ? 16 : 8);
  set_default(job.crf, &CrfTrainerOptions::gibbs_burn_in, as_coded && !letters ? 4 : 5);
  set_default(job.crf, &CrfTrainerOptions::all_features, true);
  // The text gives no rate for this AdaGrad: both recipes take those of the code.
  set_default(job.crf, &CrfTrainerOptions::learning_rate, letters ? 0.4 : 1.0);
  if (as_coded) set_default(job.crf, &CrfTrainerOptions::adagrad_delta, 1.0);
}

}  // namespace fovea::tagging
