// SPDX-License-Identifier: Apache-2.0
// Fitted models come back from files as they were, and damaged ones are refused.
#include "fovea/gp/fitted_gp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/gp/structured_gp.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;
using fovea::testing::telling_gp_sequences;

class FittedGpTest : public ::testing::Test {
 protected:
  const fovea::testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "a.gp";

  void write(const std::function<void(ContainerWriter&)>& add) const {
    ContainerWriter writer("test", 1);
    add(writer);
    writer.write(path_);
  }
  Container open() const { return Container::open(path_, "test", 1); }

  /// Copies the model with one section replaced, and returns the error message.
  template <class T>
  std::string refusal(const std::string& section, const std::vector<T>& values) const {
    const Container good = open();
    const std::string bad = folder_ / "bad.gp";
    ContainerWriter writer("test", 1);
    EXPECT_TRUE(good.has("gp." + section));
    for (const std::string_view name : good.section_names())
      if (name == "gp." + section) writer.add_array(name, std::span(values.data(), values.size()));
      else writer.add(name, good.bytes(name));
    writer.write(bad);
    return message_of<InputError>([&] { FittedGp::load(Container::open(bad, "test", 1), "gp."); });
  }
  template <class T>
  std::vector<T> section(const std::string& name) const {
    const Container container = open();
    const auto values = container.array<T>("gp." + name);
    return {values.begin(), values.end()};
  }
  /// The section with one entry changed.
  template <class T>
  std::vector<T> changed(const std::string& name, std::size_t at, T to) const {
    std::vector<T> values = section<T>(name);
    values.at(at) = to;
    return values;
  }
  template <class T>
  std::vector<T> shorter(const std::string& name) const {
    std::vector<T> values = section<T>(name);
    values.pop_back();
    return values;
  }

  /// Two components, two points, two labels: a mixture of Gaussians, with means 0 and 3 of all functions, or two draws.
  void write_model(bool points) const {
    SparseRows rows;
    for (const std::uint32_t column : {0u, 1u}) {
      rows.columns.push_back(column);
      rows.end_row();
    }
    FittedGp gp{.points = InducingPoints(Linear(), rows), .posterior = {}, .temperature = 1};
    for (const double weight : {.25, .75}) {
      const RowMatrix means = RowMatrix::Constant(2, 2, weight == .25 ? 0 : 3);
      PosteriorComponent component{.weight = weight,
                                   .unary = UnaryPosterior(means, {2, LargeColumns::Identity(2, 2)}),
                                   .pairwise = PairwisePosterior(2, 1.5)};
      if (points) {
        component.unary = UnaryPosterior(means);
        component.pairwise.deviations.assign(4, 0);
      }
      gp.posterior.push_back(component);
    }
    write([&](ContainerWriter& writer) { gp.save(writer, "gp."); });
  }
};

TEST_F(FittedGpTest, MomentsOfFunctionsAreThoseOfTheMixture) {
  Sequences item;
  item.features.columns = {0};  // where the first point is
  item.features.end_row();
  item.begin.push_back(1);
  for (const bool points : {false, true}) {
    write_model(points);
    const StructuredGp gp = StructuredGp::load(open(), "gp.", std::make_shared<ChainLikelihood>());
    const double within = points ? 0 : 1, between = .25 * .75 * 3 * 3;
    for (Value j = 0; j < 2; ++j) {
      const LatentMoments moments = gp.latent_moments(item, Labels(&j, 1));
      EXPECT_NEAR(moments.means[0], .75 * 3, 1e-6);
      EXPECT_NEAR(moments.variances[0], within + between, 1e-6);
    }
  }
}

TEST_F(FittedGpTest, ModelsOfEveryInferenceComeBackAsTheyWere) {
  const Sequences train = telling_gp_sequences(20, 1), test = telling_gp_sequences(10, 2);
  for (const StructuredGpOptions& options :
       {StructuredGpOptions{.inference = GpInference::kNaturalGradient},
        StructuredGpOptions{.inference = GpInference::kScoreFunction, .draws = 50, .iterations = 1, .components = 3},
        StructuredGpOptions{.inference = GpInference::kScoreFunction, .draws = 50, .iterations = 1, .diagonal = true},
        StructuredGpOptions{.inference = GpInference::kSliceSampling, .iterations = 300}}) {
    StructuredGp gp(options);
    gp.fit(train);
    write([&](ContainerWriter& writer) { gp.save(writer, "gp."); });
    const StructuredGp back = StructuredGp::load(open(), "gp.", std::make_shared<ChainLikelihood>());
    const Prediction before = gp.predict(test), after = back.predict(test);
    EXPECT_EQ(after.marginals, before.marginals) << word_of(options.inference);
    EXPECT_EQ(back.latent_moments(test, test.labels).means, gp.latent_moments(test, test.labels).means);
    EXPECT_EQ(back.latent_moments(test, test.labels).variances, gp.latent_moments(test, test.labels).variances);
    EXPECT_EQ(back.temperature(), gp.temperature());
    const std::size_t components = FittedGp::load(open(), "gp.").posterior.size();
    if (options.inference != GpInference::kSliceSampling) {
      EXPECT_EQ(components, static_cast<std::size_t>(options.components));
    } else {
      EXPECT_GE(components, 80u);
    }
  }
}

TEST_F(FittedGpTest, RefusesDamagedNumbersOneAtATime) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
  constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();
  for (const bool points : {false, true}) {
    write_model(points);
    FittedGp::load(open(), "gp.");  // as it is, it is good
    for (const double bad : {kNan, kInfinity, 0.0, -.25, .5})
      EXPECT_THAT(refusal("weights", changed("weights", 0, bad)), HasSubstr("gp.weights")) << bad;
    EXPECT_THAT(refusal("weights", std::vector<double>{}), HasSubstr("gp.weights"));
    EXPECT_THAT(refusal("weights", std::vector<double>{1}), HasSubstr("gp.pairwise.means"));
    for (const double bad : {kNan, -kInfinity}) {
      EXPECT_THAT(refusal("means", changed("means", 3, bad)), HasSubstr("gp.means"));
      EXPECT_THAT(refusal("pairwise.means", changed("pairwise.means", 3, bad)), HasSubstr("gp.pairwise.means"));
    }
    EXPECT_THAT(refusal("means", shorter<double>("means")), HasSubstr("gp.means"));
    EXPECT_THAT(refusal("means", std::vector<double>{}), HasSubstr("gp.means"));
    EXPECT_THAT(refusal("pairwise.means", shorter<double>("pairwise.means")), HasSubstr("gp.pairwise"));
    for (const double bad : {kNan, kInfinity, -1e-9})
      EXPECT_THAT(refusal("pairwise.deviations", changed("pairwise.deviations", 7, bad)),
                  HasSubstr("gp.pairwise.deviations"));
    EXPECT_THAT(refusal("pairwise.deviations", shorter<double>("pairwise.deviations")),
                HasSubstr("gp.pairwise.deviations"));
    for (const std::string section : {"pairwise.prior", "temperature"}) {
      for (const double bad : {kNan, kInfinity, 0.0, -1.0})
        EXPECT_THAT(refusal(section, std::vector<double>{bad}), HasSubstr("gp." + section));
      EXPECT_THAT(refusal(section, std::vector<double>{}), HasSubstr("gp." + section));
      EXPECT_THAT(refusal(section, std::vector<double>{1, 1}), HasSubstr("gp." + section));
    }
    if (points) {
      EXPECT_THAT(refusal("factors", std::vector<float>{1}), HasSubstr("gp.factors"));
      continue;
    }
    for (const float bad : {kFloatNan, 0.0f, -1.0f})  // on a diagonal
      EXPECT_THAT(refusal("factors", changed("factors", 0, bad)), HasSubstr("gp.factors"));
    EXPECT_THAT(refusal("factors", changed("factors", 1, kFloatNan)), HasSubstr("gp.factors"));
    EXPECT_THAT(refusal("factors", shorter<float>("factors")), HasSubstr("gp.factors"));
  }
}

TEST_F(FittedGpTest, RefusesDamagedPointsOneAtATime) {
  write_model(false);
  const std::vector<std::uint32_t> offsets = section<std::uint32_t>("points.offsets");
  ASSERT_EQ(offsets, (std::vector<std::uint32_t>{0, 1, 2}));
  for (const auto& bad : std::vector<std::vector<std::uint32_t>>{{}, {1, 1, 2}, {0, 1, 3}, {0, 3, 2}})
    EXPECT_THAT(refusal("points.offsets", bad), HasSubstr("gp.points.offsets"));
  EXPECT_THAT(refusal("points.offsets", std::vector<std::uint32_t>{0, 2}), HasSubstr("gp."));
  EXPECT_THAT(refusal("points.columns", std::vector<std::uint32_t>{0}), HasSubstr("gp.points"));
  EXPECT_THAT(refusal("points.values", std::vector<float>{1}), HasSubstr("gp.points.values"));
  EXPECT_THAT(refusal("points.values", std::vector<float>{1, std::numeric_limits<float>::infinity()}),
              HasSubstr("gp.points.values"));
  EXPECT_THAT(refusal("covariance", std::vector<char>{'r', 'f', 'b'}), HasSubstr("gp.covariance"));
}

}  // namespace
}  // namespace fovea::gp
