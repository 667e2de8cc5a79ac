// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/model_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/fit/parametrisation.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {
namespace {

struct School {
  double effect, error;
};
constexpr School kSchools[] = {{28, 15}, {8, 10}, {-3, 16}, {7, 11},
                               {-1, 9},  {1, 11}, {18, 10}, {12, 18}};  // Rubin 1981

io::Table eight_schools() {
  io::Table table("schools.csv", {"school", "y", "sigma"});
  for (std::size_t i = 0; i < std::size(kSchools); ++i) {
    const std::string name(1, static_cast<char>('A' + i)), y = std::to_string(kSchools[i].effect),
                                                           sigma = std::to_string(kSchools[i].error);
    const std::string_view cells[] = {name, y, sigma};
    table.add_row(cells, static_cast<std::int64_t>(i) + 2);
  }
  return table;
}

ModelDraws draws_of(const std::string& text, const io::Table& table, const ModelDrawOptions& options = {}) {
  const CompiledModel model = compile_model(parse_model(text, "m.fov"), {.table = &table});
  return draw_model(model, options, {.threads = 2});
}

/// Moments of mu and tau of the eight schools, by quadrature: given tau, mu is Gaussian.
struct ExactSchools {
  double mean_mu = 0, sd_mu = 0, mean_tau = 0;

  ExactSchools() {
    const auto given_tau = [](double log_tau, double& mean, double& variance) {
      double precision = 1. / 100, weighted = 0, log_density = 0;
      for (const School& school : kSchools) {
        const double of_school = std::exp(2 * log_tau) + school.error * school.error;
        precision += 1 / of_school;
        weighted += school.effect / of_school;
        log_density -= .5 * (std::log(of_school) + school.effect * school.effect / of_school);
      }
      mean = weighted / precision;
      variance = 1 / precision;
      return log_density + .5 * (weighted * mean - std::log(precision)) + log_tau -
             std::log1p(std::exp(2 * log_tau) / 25);
    };
    double mass = 0, first = 0, second = 0, of_tau = 0;
    for (double log_tau = -15; log_tau < 8; log_tau += .01) {
      double mean = 0, variance = 0;
      const double weight = std::exp(given_tau(log_tau, mean, variance));
      mass += weight;
      first += weight * mean;
      second += weight * (variance + mean * mean);
      of_tau += weight * std::exp(log_tau);
    }
    mean_mu = first / mass;
    sd_mu = std::sqrt(second / mass - mean_mu * mean_mu);
    mean_tau = of_tau / mass;
  }
};

const char* const kApart =
    "schools ~ plate(school); mu ~ normal(0, 10); tau ~ half_cauchy(5); z[school] ~ normal(0, 1)\n"
    "theta[school] = mu + tau * z[school]\ny ~ normal(theta[school], sigma)";

TEST(ModelDraws, HasTheMomentsOfTheEightSchools) {
  const ModelDraws draws = draws_of(kApart, eight_schools(), {{.draws = 2000}});
  const ExactSchools exact;
  ASSERT_EQ(draws.quantities.size(), 2U + 8 + 8);
  EXPECT_EQ(draws.mixing, mcmc::Mixing::kMixed);
  const DrawnQuantity &mu = draws.quantities[0], &tau = draws.quantities[1];
  EXPECT_EQ(mu.name, "mu");
  EXPECT_EQ(draws.quantities[10].name, "theta[A]");
  EXPECT_NEAR(mu.mean, exact.mean_mu, 5 * mu.diagnosis.standard_error);
  EXPECT_NEAR(mu.sd, exact.sd_mu, .15);
  EXPECT_NEAR(tau.mean, exact.mean_tau, 5 * tau.diagnosis.standard_error);
}

/// Fits a model with the parameters that suit its data.
ModelDraws suited_draws(const std::string& text, const io::Table& table, const ModelDrawOptions& options = {}) {
  const ModelData data = {.table = &table};
  return draw_model(compile_to_draw(parse_model(text, "m.fov"), data, Random(1)), options, {.threads = 2});
}

TEST(ModelDraws, MixWhereSchoolsAreWrittenDirectly) {
  const ModelDraws draws = suited_draws(
      "schools ~ plate(school); mu ~ normal(0, 10); tau ~ half_cauchy(5); theta[school] ~ normal(mu, tau)\n"
      "y ~ normal(theta[school], sigma)",
      eight_schools(), {{.draws = 2000}});
  const ExactSchools exact;
  EXPECT_EQ(draws.mixing, mcmc::Mixing::kMixed);
  const DrawnQuantity &mu = draws.quantities[0], &tau = draws.quantities[1];
  EXPECT_NEAR(mu.mean, exact.mean_mu, 5 * mu.diagnosis.standard_error);
  EXPECT_NEAR(mu.sd, exact.sd_mu, .15);
  EXPECT_NEAR(tau.mean, exact.mean_tau, 5 * tau.diagnosis.standard_error);
}

/// Groups of many numbers, or of few.
io::Table groups_of(int groups, int rows) {
  io::Table table("groups.csv", {"g", "y"});
  Random random(4);
  for (int g = 0; g < groups; ++g) {
    const double middle = random.normal();
    for (int i = 0; i < rows; ++i) {
      const std::string cells[] = {"g" + std::to_string(g), std::to_string(middle + random.normal())};
      const std::string_view views[] = {cells[0], cells[1]};
      table.add_row(views, g * rows + i + 2);
    }
  }
  return table;
}

TEST(ModelDraws, StandApartWhereTheDataSayLittle) {
  const std::string text = "groups ~ plate(g); s ~ half_normal(2); m[g] ~ normal(0, s); y ~ normal(m[g], 1)";
  const auto parameters_of = [&](const io::Table& table) {
    const CompiledModel model = compile_to_draw(parse_model(text, "m.fov"), {.table = &table}, Random(1));
    // If the parameters are x, their density changes with s; if they are z, it does not.
    std::vector<double> at(model.program.parameter_count()), wider = at;
    wider[0] = 1;
    std::vector<double> gradient(at.size()), of_wider(at.size());
    for (std::size_t i = 1; i < at.size(); ++i) at[i] = wider[i] = .5;
    Program::Workspace workspace(model.program);
    workspace.evaluate(at);
    const double before = workspace.values(model.terms.at(1).density)[0];
    workspace.evaluate(wider);
    return workspace.values(model.terms.at(1).density)[0] == before;
  };
  EXPECT_TRUE(parameters_of(groups_of(10, 1)));
  EXPECT_FALSE(parameters_of(groups_of(10, 50)));
  const ModelDraws draws = suited_draws(text, groups_of(40, 50), {{.warm_up = 300, .draws = 500}});
  EXPECT_LT(draws.evaluations, 4 * 800 * 15U);  // with z alone, twenty times as many
}

TEST(ModelDraws, GiveTheProbabilitiesOfWhatIsSummedOut) {
  io::Table table("mixture.csv", {"y"});
  for (int i = 0; i < 6; ++i) {
    const std::string cell = std::to_string(i < 3 ? -4 + .1 * i : 3 + .1 * i);
    const std::string_view cells[] = {cell};
    table.add_row(cells, i + 2);
  }
  const ModelDraws draws = suited_draws(
      "k ~ plate(2); m[k] ~ ordered(normal(0, 5)); z[row] ~ categorical(k, 1); y ~ normal(m[z[row]], 1)", table);
  ASSERT_EQ(draws.quantities.size(), 2U + 6);
  EXPECT_EQ(draws.quantities[2].name, "z[1]=2");
  EXPECT_NEAR(draws.quantities[0].mean, -3.9 * 3 / 3.04, .1);
  for (std::size_t i = 2; i < 8; ++i) EXPECT_NEAR(draws.quantities[i].mean, i < 5 ? 0 : 1, .01);
}

TEST(ModelDraws, HaveTheEvidenceOfAModelThatIsSolvedByHand) {
  const io::Table table = eight_schools();
  const std::string text = "m ~ normal(0, 10); y ~ normal(m, sigma)";
  double precision = .01, weighted = 0, expected = -.5 * std::log(100);
  for (const School& school : kSchools) {
    const double own = 1 / (school.error * school.error);
    precision += own;
    weighted += school.effect * own;
    expected += .5 * std::log(own) - .5 * school.effect * school.effect * own - .5 * std::log(2 * std::numbers::pi);
  }
  expected += .5 * weighted * weighted / precision - .5 * std::log(precision);
  const ModelDraws draws = suited_draws(text, table, {{.warm_up = 50, .draws = 20}});
  ASSERT_TRUE(draws.log_evidence);
  EXPECT_NEAR(draws.log_evidence->value, expected, 4 * draws.log_evidence->standard_error);
  EXPECT_LT(draws.log_evidence->standard_error, .02);
  EXPECT_LT(draws.log_evidence->shape, .5);
  EXPECT_FALSE(suited_draws("m ~ flat(); y ~ normal(m, sigma)", table, {{.warm_up = 50, .draws = 20}}).log_evidence);
  const ModelDraws bounded =
      suited_draws("m ~ uniform(-100, 100); y ~ normal(m, sigma)", table, {{.warm_up = 50, .draws = 20}});
  ASSERT_TRUE(bounded.log_evidence);
  // The same likelihood, with a density of 1 / 200 in the place of the normal one.
  const double flat_precision = precision - .01;
  const double of_flat = expected + .5 * std::log(100) - .5 * weighted * weighted / precision +
                         .5 * std::log(precision) + .5 * weighted * weighted / flat_precision -
                         .5 * std::log(flat_precision) + .5 * std::log(2 * std::numbers::pi) - std::log(200);
  EXPECT_NEAR(bounded.log_evidence->value, of_flat, 4 * bounded.log_evidence->standard_error + .01);
}

TEST(ModelDraws, NeedNoChainsWhereAllIsSummedOut) {
  const ModelDraws draws = suited_draws(
      "rain ~ bernoulli(0.2); wet ~ bernoulli(0.1 + 0.8 * rain)\ny ~ normal(5 * wet, sigma)", eight_schools());
  EXPECT_TRUE(draws.is_exact);
  double dry = 0, soaked = 0;
  for (const School& school : kSchools) {
    dry -= .5 * std::pow(school.effect / school.error, 2);
    soaked -= .5 * std::pow((school.effect - 5) / school.error, 2);
  }
  const double wet = std::exp(soaked - dry);
  const double rain = .2 * (.9 * wet + .1), no_rain = .8 * (.1 * wet + .9);
  EXPECT_NEAR(draws.quantities.at(0).mean, rain / (rain + no_rain), 1e-12);
  ASSERT_TRUE(draws.log_evidence);
  double constant = dry;
  for (const School& school : kSchools) constant -= std::log(school.error) + .5 * std::log(2 * std::numbers::pi);
  EXPECT_NEAR(draws.log_evidence->value, constant + std::log(rain + no_rain), 1e-9);
}

TEST(ModelDraws, AreGaussianWhereTheTimeIsOverEarly) {
  const io::Table table = eight_schools();
  const CompiledModel model =
      compile_model(parse_model("m ~ normal(0, 10)\ny ~ normal(m, sigma)", "m.fov"), {.table = &table});
  const ModelDraws draws = draw_model(model, {{.warm_up = 1'000'000'000}}, {.stop = Stop().within(.5), .threads = 2});
  EXPECT_TRUE(draws.is_gaussian);
  EXPECT_FALSE(draws.is_whole);
  double precision = .01, weighted = 0;
  for (const School& school : kSchools) {
    precision += 1 / (school.error * school.error);
    weighted += school.effect / (school.error * school.error);
  }
  EXPECT_NEAR(draws.quantities.at(0).mean, weighted / precision, .3);
  EXPECT_NEAR(draws.quantities.at(0).sd, 1 / std::sqrt(precision), .2);
}

TEST(ModelDraws, AreTheSameForAnyNumberOfThreads) {
  const io::Table table = eight_schools();
  const CompiledModel model = compile_model(parse_model(kApart, "m.fov"), {.table = &table});
  const ModelDrawOptions options = {{.warm_up = 50, .draws = 20}};
  EXPECT_EQ(draw_model(model, options, {.threads = 1}).draws, draw_model(model, options, {.threads = 3}).draws);
}

// Linear regression with columns that are nearly the same: the posterior is a Gaussian, known exactly.
TEST(ModelDraws, DoNotSlowDownForCorrelatedWeights) {
  io::Table table("lines.csv", {"a", "b", "y"});
  Random random(2);
  double aa = .01, ab = 0, bb = .01, ay = 0, by = 0;
  for (int i = 0; i < 40; ++i) {
    const double a = random.normal(), b = a + .05 * random.normal(), y = a + 2 * b + random.normal();
    const std::string cells[] = {std::to_string(a), std::to_string(b), std::to_string(y)};
    const std::string_view views[] = {cells[0], cells[1], cells[2]};
    table.add_row(views, i + 2);
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ay += a * y;
    by += b * y;
  }
  const ModelDraws draws = draws_of("u ~ normal(0, 10); v ~ normal(0, 10)\ny ~ normal(u * a + v * b, 1)", table);
  const double determinant = aa * bb - ab * ab;
  const DrawnQuantity &u = draws.quantities[0], &v = draws.quantities[1];
  EXPECT_NEAR(u.mean, (bb * ay - ab * by) / determinant, 5 * u.diagnosis.standard_error);
  EXPECT_NEAR(v.mean, (aa * by - ab * ay) / determinant, 5 * v.diagnosis.standard_error);
  EXPECT_NEAR(u.sd, std::sqrt(bb / determinant), .05 * u.sd);
  EXPECT_LT(draws.evaluations,
            60'000U);  // about seven steps for each draw; without the approximation, ten times as many
}

TEST(ModelDraws, RefusesModelsWithoutUnknownNumbersOrDensity) {
  const io::Table table = eight_schools();
  EXPECT_THROW(draws_of("m = 3\ny ~ normal(m, 1)", table), InputError);
  try {
    draws_of("m ~ normal(0, 1)\ny ~ normal(m, -1)", table);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 30), "m.fov:2: column 1: 'y' has no ");
  }
}

}  // namespace
}  // namespace fovea::ep
