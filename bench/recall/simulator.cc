// SPDX-License-Identifier: Apache-2.0
// Walls, one after the other: four properties of each from experiments that take a simulation of a millisecond each.
//   recall_simulator WALLS EXPERIMENTS SEED [how]
// Prints a JSON line for each wall.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iostream>

#include "bench/recall/checked_source.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/oracle/sigma_points.h"
#include "fovea/ep/recall/recalled_function.h"

namespace fovea::bench {
namespace {

std::atomic<std::uint64_t> simulations = 0;

/// Temperature of a wall, .1 m thick, that begins at 0 degrees, is heated on one side and kept at 0 on the other. The
/// unknowns are the logs of conductivity (about 1 W/m/K), of heat capacity (2e6 J/m3/K) and of the heat transfer at the
/// warm surface (10 W/m2/K), relative to these, and by how much conductivity grows with temperature (.2 % per degree
/// times the exponential of the fourth). Inputs: degrees of the heating air, hours, and depth as a share of the wall.
/// Explicit steps on 50 cells.
double temperature_of(std::span<const double> v) {
  ++simulations;
  constexpr int kCells = 16;
  constexpr double kWidth = .1 / kCells;
  const double conductivity = std::exp(v[0]), capacity = 2e6 * std::exp(v[1]), transfer = 10 * std::exp(v[2]),
               growth = 2e-3 * std::exp(v[3]), air = v[4], seconds = 3600 * v[5], depth = v[6];
  const double most = conductivity * (1 + growth * air);
  const auto steps = static_cast<int>(std::ceil(seconds * most / (.4 * capacity * kWidth * kWidth)));
  const double share = seconds / steps / (capacity * kWidth);
  std::array<double, kCells + 1> flux = {};
  std::array<double, kCells> t = {};
  for (int step = 0; step < steps; ++step) {
    flux[0] = transfer * (air - t[0]);
    for (int i = 1; i < kCells; ++i)
      flux[i] = conductivity * (1 + growth * .5 * (t[i - 1] + t[i])) * (t[i - 1] - t[i]) / kWidth;
    flux[kCells] = 2 * conductivity * t[kCells - 1] / kWidth;
    for (int i = 0; i < kCells; ++i) t[i] += share * (flux[i] - flux[i + 1]);
  }
  const double place = std::clamp(depth * kCells - .5, 0., kCells - 1.001);
  const auto cell = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(cell);
  return (1 - part) * t[cell] + part * t[cell + 1];
}

constexpr double kNoise = .3;
constexpr int kUnknowns = 4;
constexpr double kPriorVariance = .09;

struct Experiment {
  double air, hours, depth, seen;
};

std::vector<Experiment> wall_of(int experiments, Random random) {
  std::array<double, kUnknowns + 3> v = {};
  for (int i = 0; i < kUnknowns; ++i) v[i] = std::sqrt(kPriorVariance) * random.normal();
  std::vector<Experiment> wall;
  for (int i = 0; i < experiments; ++i) {
    v[4] = 20 + 60 * random.threshold(1.);
    v[5] = 1 + 5 * random.threshold(1.);
    v[6] = .1 + .7 * random.threshold(1.);
    wall.push_back({.air = v[4], .hours = v[5], .depth = v[6], .seen = temperature_of(v) + kNoise * random.normal()});
  }
  return wall;
}

struct Fit {
  std::vector<ep::Gaussian> unknowns;
  double seconds = 0;
  std::uint64_t simulations = 0, messages = 0;
  int iterations = 0;
  bool has_converged = false;
};

Fit solve(const std::vector<Experiment>& wall, ep::MessageSource& source) {
  ep::Model model;
  std::vector<ep::Variable> unknowns;
  for (int i = 0; i < kUnknowns; ++i) unknowns.push_back(model.gaussian({.mean = 0, .variance = kPriorVariance}));
  for (const Experiment& e : wall) {
    std::vector<ep::Variable> parents = unknowns;
    for (const double x : {e.air, e.hours, e.depth}) parents.push_back(model.constant(x));
    const ep::Variable t = model.factor(source, ep::Gaussian(), parents);
    model.observe(t, ep::Gaussian::from_mean_variance(e.seen, kNoise * kNoise));
  }
  const std::uint64_t before = simulations;
  const ep::Posterior posterior = model.infer({.max_marginal_kl = 1e-4, .iterations = 30});
  Fit fit = {.unknowns = {},
             .seconds = posterior.seconds,
             .simulations = simulations - before,
             .messages = posterior.messages,
             .iterations = posterior.iterations,
             .has_converged = posterior.has_converged};
  for (const ep::Variable v : unknowns) fit.unknowns.push_back(posterior.as<ep::Gaussian>(v));
  return fit;
}

Json json_of(const Fit& fit) {
  Json moments = Json::array();
  for (const ep::Gaussian& g : fit.unknowns) moments.push_back({g.mean(), std::sqrt(g.variance())});
  return {{"seconds", fit.seconds},       {"simulations", fit.simulations}, {"messages", fit.messages},
          {"iterations", fit.iterations}, {"converged", fit.has_converged}, {"unknowns", moments}};
}

}  // namespace

void run(int walls, int experiments, std::uint64_t seed, double max_error) {
  const Random random(seed);
  const ep::FactorFunctions wall_temperature = {
      .name = "wall", .sample = [](std::span<const double> v, Random&) { return temperature_of(v); }};
  const ep::SigmaPoints oracle(wall_temperature, kUnknowns + 3);
  for (int i = 0; i < walls; ++i) {
    const std::vector<Experiment> wall = wall_of(experiments, random.child("wall", static_cast<std::uint64_t>(i)));
    ep::RecalledFunction function(wall_temperature, {.max_error = max_error}, random.child("recall"));
    ep::FactorFunctions functions = wall_temperature;
    functions.approximate_many = [&](ep::DrawColumns parents, double variance, Random& draws,
                                     std::span<double> children) {
      return function.values(parents, variance, draws, children);
    };
    const ep::SigmaPoints recalling(functions, kUnknowns + 3);
    ep::DirectSource direct(oracle), recalled(recalling);
    Json line = {{"wall", i}, {"recall", json_of(solve(wall, recalled))}};
    const auto counts = function.counts();
    line["values"] = counts.messages;
    line["recalled"] = counts.recalled;
    line["audits"] = counts.audits;
    line["failed"] = counts.failed_audits;
    line["recall_seconds"] = counts.recall_seconds;
    line["oracle"] = json_of(solve(wall, direct));
    std::cout << line << std::endl;
  }
}

}  // namespace fovea::bench

int main(int count, char** words) {
  using namespace fovea::bench;
  if (count < 4) {
    std::cerr << "recall_simulator WALLS EXPERIMENTS SEED [how]\n";
    return 2;
  }
  run(std::stoi(words[1]), std::stoi(words[2]), std::stoul(words[3]), count > 4 ? std::stod(words[4]) : .005);
  return 0;
}
