// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/recipe.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/tagging/feature/template.h"
#include "fovea/tagging/train/train.h"

namespace fovea::tagging {
namespace {

using sequence::PaperRecipe;

TrainJob job_with(PaperRecipe recipe) {
  TrainJob job;
  job.recipe.recipe = recipe;
  return job;
}

/// The attributes of the item of one sequence of words.
std::vector<std::string> attributes(PaperRecipe recipe, const std::vector<std::string>& words, std::size_t item) {
  const FeatureTemplate read = FeatureTemplate::parse(recipe_template(recipe), "the recipe");
  EXPECT_EQ(read.column_count(), 1U);
  EXPECT_TRUE(read.label_ngrams());
  ItemSequence sequence;
  sequence.clear(1);
  for (const std::string_view word : words) sequence.add_cells(std::vector<std::string_view>{word});
  std::vector<std::string> found;
  for (const TemplateLine& line : read.lines())
    if (std::string text; line.expand(sequence, item, text)) found.push_back(text.substr(text.find(':') + 1));
  return found;
}

// Section 5.1 names these for "McDiarmid".
TEST(RecipeTest, AttributesAreThoseOfThePaper) {
  EXPECT_EQ(attributes(PaperRecipe::kHeteroSampler, {"Mr", "McDiarmid"}, 1),
            (std::vector<std::string>{"McDiarmid", "mcdiarmid", "AA", "AaAaaaaaa", "M", "Mc", "McD", "McDi", "d", "id",
                                      "mid", "rmid", "y"}));
  EXPECT_EQ(attributes(PaperRecipe::kHeteroSampler, {"banana"}, 0).at(2), "a");
  EXPECT_EQ(attributes(PaperRecipe::kHeteroSamplerCode, {"a", "b", "c", "d", "e"}, 2).at(0), "a") << "two words before";
  EXPECT_EQ(recipe_template(PaperRecipe::kNone), "");
}

TEST(RecipeTest, SetsWhatWasNotSet) {
  TrainJob job = job_with(PaperRecipe::kHeteroSampler);
  job.crf.gibbs_sweeps = 11;
  apply_recipe(job);
  EXPECT_EQ(job.crf.gradient, sequence::CrfGradient::kGibbs);
  EXPECT_EQ(job.crf.optimizer, sequence::CrfOptimizer::kAdagrad);
  EXPECT_EQ(job.crf.l2, 0);
  EXPECT_EQ(job.crf.iterations, 5);
  EXPECT_EQ(job.crf.gibbs_sweeps, 11);
  EXPECT_EQ(job.crf.gibbs_burn_in, 5);
  TrainJob plain = job_with(PaperRecipe::kNone);
  apply_recipe(plain);
  EXPECT_EQ(plain.crf.l2, sequence::CrfTrainerOptions{}.l2);
}

TEST(RecipeTest, LettersHaveTwiceTheSweepsAndBothValuesOfPixels) {
  TrainJob job = job_with(PaperRecipe::kHeteroSampler);
  job.options.features = ItemKind::kPixels;
  apply_recipe(job);
  EXPECT_EQ(job.options.features, ItemKind::kPixelValues);
  EXPECT_EQ(job.crf.gibbs_sweeps, 16);
}

TEST(RecipeTest, IsAboutCrfs) {
  TrainJob job = job_with(PaperRecipe::kHeteroSamplerCode);
  job.options.family = TaggerFamily::kGp;
  EXPECT_THROW(apply_recipe(job), UsageError);
}

}  // namespace
}  // namespace fovea::tagging
