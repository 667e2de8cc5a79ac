// SPDX-License-Identifier: Apache-2.0
// Models with a factor of the user's, by each oracle that it allows, and by the one that is chosen by measurement.
//   oracles_study SEED
// Prints a JSON line for each model and oracle.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/model/model.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;
using ep::FactorSpec;
using ep::Gaussian;
using ep::Oracle;
using ep::Variable;

constexpr int kRows = 300;
constexpr double kLogRootTwoPi = .91893853320467274;

double log_normal(double gap, double deviation) {
  return -.5 * (gap / deviation) * (gap / deviation) - std::log(deviation) - kLogRootTwoPi;
}

/// A model with one kind of user's factor. `build` adds all of it and returns the unknowns that answers are judged by.
struct Study {
  std::string name;
  std::vector<Oracle> oracles;
  std::function<std::vector<Variable>(ep::Model&, Oracle, bool recall, Random)> build;
};

Variable weighted(ep::Model& model, const std::vector<Variable>& weights, Random& random, std::vector<double>& x) {
  x.clear();
  for (std::size_t j = 0; j < weights.size(); ++j) x.push_back(random.normal());
  return model.linear(x, weights);
}

/// Counts with a log link: a density alone.
std::vector<Variable> counts(ep::Model& model, Oracle oracle, bool recall, Random random) {
  std::vector<Variable> weights;
  for (int j = 0; j < 3; ++j) weights.push_back(model.gaussian({.mean = 0, .variance = 1}));
  const FactorSpec spec = {.log_density = [](double y, double v) { return y * v - std::exp(v); },
                           .child = ep::Poisson(),
                           .oracle = oracle,
                           .recall = recall};
  std::vector<double> x;
  for (int row = 0; row < kRows; ++row) {
    const Variable v = weighted(model, weights, random, x);
    const double rate = std::exp(.5 * x[0] - .3 * x[1] + .2 * x[2]);
    model.observe(model.factor("count", spec, {v}), static_cast<double>(random.poisson(rate)));
  }
  return weights;
}

/// A logistic function as a sampler, seen through a yes or no.
std::vector<Variable> choices(ep::Model& model, Oracle oracle, bool recall, Random random) {
  std::vector<Variable> weights;
  for (int j = 0; j < 3; ++j) weights.push_back(model.gaussian({.mean = 0, .variance = 1}));
  const FactorSpec spec = {.sample = [](double v) { return 1 / (1 + std::exp(-v)); },
                           .child = ep::Beta(),
                           .oracle = oracle,
                           .sampling = {.samples = 5000},
                           .recall = recall};
  std::vector<double> x;
  for (int row = 0; row < kRows; ++row) {
    const Variable p = model.factor("logistic", spec, {weighted(model, weights, random, x)});
    model.observe(model.bernoulli(p), random.bernoulli(1 / (1 + std::exp(-x[0] + x[1]))) ? 1 : 0);
  }
  return weights;
}

/// A curve that hardly bends: a function, with its density too.
std::vector<Variable> curves(ep::Model& model, Oracle oracle, bool recall, Random random) {
  const Variable height = model.gaussian({.mean = 1, .variance = .04}),
                 rate = model.gaussian({.mean = 0, .variance = .04});
  const auto curve = [](double a, double b, double x) { return a * std::exp(-.2 * std::exp(b) * x); };
  const FactorSpec spec = {.sample = curve, .oracle = oracle, .sampling = {.samples = 5000}, .recall = recall};
  for (int row = 0; row < kRows; ++row) {
    const double x = 3. * row / kRows;
    const Variable y = model.factor("curve", spec, {height, rate, model.constant(x)});
    model.observe(y, Gaussian::from_mean_variance(curve(1.1, .1, x) + .3 * random.normal(), .09));
  }
  return {height, rate};
}

/// Bumps: the density of a yield at a temperature, which is known up to noise, around an unknown best one.
std::vector<Variable> bumps(ep::Model& model, Oracle oracle, bool recall, Random random) {
  const Variable best = model.gaussian({.mean = 18, .variance = 16});
  const FactorSpec spec = {
      .log_density = [](double y, double t,
                        double b) { return log_normal(y - 10 * std::exp(-(t - b) * (t - b) / 72), .5); },
      .oracle = oracle,
      .sampling = {.samples = 5000},
      .recall = recall};
  for (int row = 0; row < kRows / 10; ++row) {
    const double t = 22 + 3 * random.normal();
    const Variable temperature = model.gaussian({.mean = t, .variance = .25});
    model.observe(model.factor("yield", spec, {temperature, best}),
                  10 * std::exp(-(t - 20) * (t - 20) / 72) + .5 * random.normal());
  }
  return {best};
}

std::vector<Study> studies() {
  using enum Oracle;
  return {{"counts with a log link", {kDraws, kQuadrature}, counts},
          {"a logistic function", {kDraws}, choices},
          {"a curve of two unknowns", {kDraws, kSigmaPoints}, curves},
          {"yields", {kDraws, kQuadrature}, bumps}};
}

struct Answer {
  std::vector<Gaussian> unknowns;
  double seconds = 0;
  bool has_converged = false;
};

Answer solve(const Study& study, Oracle oracle, bool recall, std::uint64_t seed) {
  ep::Model model;
  const std::vector<Variable> unknowns = study.build(model, oracle, recall, Random(seed));
  const std::clock_t start = std::clock();
  const ep::Posterior posterior = model.infer({.max_marginal_kl = 1e-4});
  Answer answer = {.unknowns = {},
                   .seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
                   .has_converged = posterior.has_converged};
  for (const Variable v : unknowns) answer.unknowns.push_back(posterior.as<Gaussian>(v));
  return answer;
}

/// The largest distance of means, in standard deviations of the first.
double distance(const Answer& a, const Answer& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.unknowns.size(); ++i)
    largest =
        std::max(largest, std::abs(a.unknowns[i].mean() - b.unknowns[i].mean()) / std::sqrt(a.unknowns[i].variance()));
  return largest;
}

}  // namespace

void run(std::uint64_t seed) {
  for (const Study& study : studies()) {
    const Answer reference = solve(study, study.oracles.back(), false, seed);
    std::vector<Oracle> oracles = study.oracles;
    oracles.push_back(Oracle::kMeasured);
    for (const Oracle oracle : oracles)
      for (const bool recall : {false, true}) {
        const Answer answer = solve(study, oracle, recall, seed);
        std::cout << Json{{"model", study.name},
                          {"oracle", word_of(oracle)},
                          {"recall", recall},
                          {"cpu_seconds", answer.seconds},
                          {"converged", answer.has_converged},
                          {"gap", distance(reference, answer)}}
                  << std::endl;
      }
  }
}

}  // namespace fovea::bench

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "oracles_study SEED\n";
    return 2;
  }
  fovea::bench::run(std::stoul(words[1]));
  return 0;
}
