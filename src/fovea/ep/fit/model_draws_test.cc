// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/model_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fovea/base/error.h"
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
  EXPECT_THROW(draws_of("m ~ normal(0, 1)\ny ~ normal(m, -1)", table), InputError);
}

}  // namespace
}  // namespace fovea::ep
