// SPDX-License-Identifier: Apache-2.0
// Three seasons of farms by messages recalled just in time, fresh and continued, and by their oracle, draws.
//   recall_yield SAMPLES SEED [how]      how: also residual, the schedule
// Prints JSON lines; checking recalled messages against quadrature is not timed.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench/recall/checked_source.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "fovea/ep/oracle/importance_sampling.h"

namespace fovea::bench {
namespace {

/// A stand-in for the paper's yields, whose data are not public. Grain g does best at temperature theta_g ~ N(18, 4^2);
/// a farm that plants it has temperature t ~ N(18, 5^2), measured with noise of variance .5^2, and yields
///   y ~ N(10 exp(-(t - theta_g)^2 / (2 6^2)), .5^2).
/// Each season is new farms and grains: 3,000 farms, 100 grains.
struct Season {
  struct Farm {
    std::size_t grain;
    double measured, yield;
  };
  std::vector<Farm> farms;
  std::vector<double> optima;
};

constexpr int kGrains = 100, kFarms = 3000;
constexpr double kYieldNoise = .5, kThermometer = .5, kTolerance = 6, kBest = 10;

Season season_of(Random random) {
  Season season;
  for (int g = 0; g < kGrains; ++g) season.optima.push_back(18 + 4 * random.normal());
  for (int f = 0; f < kFarms; ++f) {
    const std::size_t grain = random.uniform_index(kGrains);
    const double t = 18 + 5 * random.normal(), gap = (t - season.optima[grain]) / kTolerance;
    season.farms.push_back({.grain = grain,
                            .measured = t + kThermometer * random.normal(),
                            .yield = kBest * std::exp(-gap * gap / 2) + kYieldNoise * random.normal()});
  }
  return season;
}

ep::FactorFunctions yield_factor() {
  return {.name = "yield", .log_density = [](std::span<const double> v) {
            const double gap = (v[1] - v[2]) / kTolerance;
            const double off = (v[0] - kBest * std::exp(-gap * gap / 2)) / kYieldNoise;
            return -.5 * off * off - std::log(kYieldNoise * std::sqrt(2 * M_PI));
          }};
}

struct SeasonResult {
  std::vector<ep::Gaussian> optima;
  double seconds = 0;
};

SeasonResult solve_season(const Season& season, ep::MessageSource& yields, const Checked* checked,
                          ep::MessageSchedule schedule) {
  ep::Model model;
  std::vector<ep::Variable> optima;
  for (std::size_t g = 0; g < season.optima.size(); ++g) optima.push_back(model.gaussian({.mean = 18, .variance = 16}));
  for (const Season::Farm& farm : season.farms) {
    const ep::Variable t = model.gaussian({.mean = 18, .variance = 25});
    model.observe(model.linear({1}, {t}, 0, kThermometer * kThermometer), farm.measured);
    model.observe(model.factor(yields, ep::Gaussian(), {t, optima[farm.grain]}), farm.yield);
  }
  const double before = checked ? checked->seconds : 0;
  const ep::Posterior posterior = model.infer({.max_marginal_kl = 2e-2, .iterations = 10, .schedule = schedule});
  SeasonResult result = {.optima = {}, .seconds = posterior.seconds - ((checked ? checked->seconds : 0) - before)};
  for (const ep::Variable v : optima) result.optima.push_back(posterior.as<ep::Gaussian>(v));
  return result;
}

double mean_divergence(const SeasonResult& result, const SeasonResult& reference) {
  double sum = 0;
  for (std::size_t g = 0; g < result.optima.size(); ++g) sum += ep::divergence(reference.optima[g], result.optima[g]);
  return sum / static_cast<double>(result.optima.size());
}

void run_yield(int samples, std::uint64_t seed, const ep::JustInTimeOptions& how, ep::MessageSchedule schedule) {
  const Random random(seed);
  const ep::ImportanceSampling oracle(yield_factor(), 2, {.samples = samples});
  const ep::GridQuadrature truth(yield_factor(), 2, {.accuracy = 1e-6});
  ep::JustInTime continued(oracle, how, random.child("continued"));
  for (int year = 11; year <= 13; ++year) {
    const Season season = season_of(random.child("season", static_cast<std::uint64_t>(year)));
    ep::DirectSource by_grid(truth), by_draws(oracle, random.child("draws"));
    const SeasonResult reference = solve_season(season, by_grid, nullptr, schedule);
    const SeasonResult computed = solve_season(season, by_draws, nullptr, schedule);
    const auto run = [&](const char* name, ep::JustInTime& recall) {
      const ep::RecallCounts before = recall.counts();
      Checked checked(recall, truth);
      const SeasonResult recalled = solve_season(season, checked, &checked, schedule);
      std::cout << Json{{"year", year},
                        {"recall", name},
                        {"messages", recall.counts().messages - before.messages},
                        {"oracle_calls", recall.counts().oracle_calls() - before.oracle_calls()},
                        {"seconds", recalled.seconds},
                        {"error", mean_divergence(recalled, reference)},
                        {"asking_seconds", recall.counts().oracle_seconds - before.oracle_seconds},
                        {"learning_seconds", recall.counts().learning_seconds - before.learning_seconds},
                        {"recall_seconds", recall.counts().recall_seconds - before.recall_seconds},
                        {"oracle_seconds", computed.seconds},
                        {"oracle_error", mean_divergence(computed, reference)},
                        {"marginal_kl", summary_of(checked.errors, how.max_marginal_kl)}}
                << std::endl;
    };
    ep::JustInTime fresh(oracle, how, random.child("fresh"));
    run("fresh", fresh);
    run("continued", continued);
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  using namespace fovea::bench;
  if (count < 3) {
    std::cerr << "recall_yield SAMPLES SEED [how]\n";
    return 2;
  }
  const bool is_residual = std::find(words + 3, words + count, std::string("residual")) != words + count;
  run_yield(std::stoi(words[1]), std::stoul(words[2]), recalling(count, words, 3),
            is_residual ? fovea::ep::MessageSchedule::kResidual : fovea::ep::MessageSchedule::kSerial);
  return 0;
}
