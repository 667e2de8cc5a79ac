// SPDX-License-Identifier: Apache-2.0
// Walls: their properties from experiments, of which each takes a simulation of a millisecond.
//   simulator_study UNKNOWNS WALLS EXPERIMENTS REFERENCE_DRAWS SEED [messages]       UNKNOWNS: 4 or 8
// Prints a JSON line for each wall: messages to the vector of all unknowns by sigma points, and by recalled values of
// the simulator; messages to each unknown, by recalled values and, if asked for, by recalled messages; a Gaussian at
// the mode, which is not message passing but takes all experiments at once; and their distances from importance
// sampling.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iostream>

#include "bench/recall/checked_source.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/oracle/sigma_points.h"
#include "fovea/ep/recall/recalled_function.h"

namespace fovea::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::uint64_t simulations = 0;

/// Temperature within a wall of two layers, .05 m each, that begins at 0 degrees and is heated on one side. Unknowns
/// are the logs, relative to typical values, of a layer's conductivity (1 W/m/K), heat capacity (2e6 J/m3/K) and growth
/// of the conductivity with temperature (.2 % per degree), and of the heat transfer at both surfaces (10 W/m2/K). Where
/// there are four unknowns, both layers are the same, and the heat transfer at the cold surface is known. Inputs:
/// degrees of the heating air, hours, and depth as a share of the wall. Explicit steps on 80 cells.
double temperature_of(std::span<const double> v) {
  ++simulations;
  constexpr int kCells = 80;
  constexpr double kWidth = .1 / kCells;
  const bool is_one = v.size() == 7;
  const std::size_t inputs = is_one ? 4 : 8, second = is_one ? 0 : 3;
  const std::array conductivity = {std::exp(v[0]), std::exp(v[second])};
  const std::array capacity = {2e6 * std::exp(v[1]), 2e6 * std::exp(v[second + 1])};
  const std::array growth = {2e-3 * std::exp(v[2]), 2e-3 * std::exp(v[second + 2])};
  const double warm = 10 * std::exp(v[is_one ? 3 : 6]), cold = is_one ? 10 : 10 * std::exp(v[7]);
  const double air = v[inputs], seconds = 3600 * v[inputs + 1], depth = v[inputs + 2];
  double fastest = 0;
  for (std::size_t l = 0; l < 2; ++l)
    fastest = std::max(fastest, conductivity[l] * (1 + growth[l] * air) / capacity[l]);
  const auto steps = static_cast<int>(std::ceil(seconds * fastest / (.4 * kWidth * kWidth)));
  std::array<double, kCells + 1> flux = {}, conducts = {}, grows = {};
  std::array<double, kCells> t = {}, share = {};
  for (int i = 0; i < kCells; ++i) {
    const std::size_t l = i < kCells / 2 ? 0 : 1;
    share[i] = seconds / steps / (capacity[l] * kWidth);
    conducts[i] = conductivity[l] / kWidth;
    grows[i] = .5 * growth[l];
  }
  for (int step = 0; step < steps; ++step) {
    flux[0] = warm * (air - t[0]);
    for (int i = 1; i < kCells; ++i) flux[i] = conducts[i] * (1 + grows[i] * (t[i - 1] + t[i])) * (t[i - 1] - t[i]);
    flux[kCells] = cold * t[kCells - 1];
    for (int i = 0; i < kCells; ++i) t[i] += share[i] * (flux[i] - flux[i + 1]);
  }
  const double place = std::clamp(depth * kCells - .5, 0., kCells - 1.001);
  const auto cell = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(cell);
  return (1 - part) * t[cell] + part * t[cell + 1];
}

constexpr double kNoise = .3, kPriorVariance = .09;

struct Experiment {
  std::array<double, 3> inputs;
  double seen;
};

std::vector<double> arguments_of(const VectorXd& unknowns, const Experiment& experiment) {
  std::vector<double> v(unknowns.begin(), unknowns.end());
  v.insert(v.end(), experiment.inputs.begin(), experiment.inputs.end());
  return v;
}

std::vector<Experiment> wall_of(int unknowns, int experiments, Random random) {
  VectorXd truth(unknowns);
  for (double& u : truth) u = std::sqrt(kPriorVariance) * random.normal();
  std::vector<Experiment> wall;
  for (int i = 0; i < experiments; ++i) {
    wall.push_back(
        {.inputs = {20 + 60 * random.threshold(1.), 1 + 5 * random.threshold(1.), .1 + .8 * random.threshold(1.)},
         .seen = 0});
    wall.back().seen = temperature_of(arguments_of(truth, wall.back())) + kNoise * random.normal();
  }
  return wall;
}

/// Means and deviations of the unknowns, and what they cost.
struct Fit {
  VectorXd mean, deviation;
  double cpu_seconds = 0;
  std::uint64_t calls = 0;
  bool has_converged = true;
};

double cpu_seconds_so_far() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Runs `solve`, a function that sets mean and deviation, and counts what it costs.
Fit measured(auto&& solve) {
  Fit fit;
  const std::uint64_t before = simulations;
  const double start = cpu_seconds_so_far();
  solve(fit);
  fit.cpu_seconds = cpu_seconds_so_far() - start;
  fit.calls = simulations - before;
  return fit;
}

/// `is_joint`: the unknowns are one vector.
Fit by_messages(int unknowns, const std::vector<Experiment>& wall, ep::MessageSource& source, bool is_joint) {
  return measured([&](Fit& fit) {
    ep::Model model;
    std::vector<ep::Variable> properties;
    if (is_joint) {
      const MatrixXd covariance = kPriorVariance * MatrixXd::Identity(unknowns, unknowns);
      properties = {model.vector(std::vector<double>(static_cast<std::size_t>(unknowns)),
                                 {covariance.data(), covariance.data() + covariance.size()})};
    } else
      for (int i = 0; i < unknowns; ++i) properties.push_back(model.gaussian({.mean = 0, .variance = kPriorVariance}));
    for (const Experiment& experiment : wall) {
      std::vector<ep::Variable> parents = properties;
      for (const double x : experiment.inputs) parents.push_back(model.constant(x));
      model.observe(model.factor(source, ep::Gaussian(), parents),
                    ep::Gaussian::from_mean_variance(experiment.seen, kNoise * kNoise));
    }
    const ep::Posterior posterior =
        model.infer({.max_marginal_kl = 1e-3, .iterations = 50, .damping = unknowns > 4 ? .3 : 0});
    fit.has_converged = posterior.has_converged;
    fit.mean = fit.deviation = VectorXd(unknowns);
    for (int i = 0; i < unknowns; ++i) {
      if (is_joint) {
        const auto& vector = posterior.as<ep::MultivariateGaussian>(properties[0]);
        fit.mean[i] = vector.mean()[i];
        fit.deviation[i] = std::sqrt(vector.covariance()[i * unknowns + i]);
        continue;
      }
      fit.mean[i] = posterior.as<ep::Gaussian>(properties[i]).mean();
      fit.deviation[i] = std::sqrt(posterior.as<ep::Gaussian>(properties[i]).variance());
    }
  });
}

VectorXd temperatures_of(const std::vector<Experiment>& wall, const VectorXd& unknowns) {
  VectorXd result(static_cast<Eigen::Index>(wall.size()));
  for (std::size_t i = 0; i < wall.size(); ++i)
    result[static_cast<Eigen::Index>(i)] = temperature_of(arguments_of(unknowns, wall[i]));
  return result;
}

/// A Gaussian at the mode of all experiments at once, by Gauss-Newton steps with differences for slopes.
Fit at_mode(int unknowns, const std::vector<Experiment>& wall, MatrixXd& covariance) {
  return measured([&](Fit& fit) {
    constexpr double kStep = 1e-3, kSettled = 1e-2;
    VectorXd seen(static_cast<Eigen::Index>(wall.size()));
    for (std::size_t i = 0; i < wall.size(); ++i) seen[static_cast<Eigen::Index>(i)] = wall[i].seen;
    fit.mean = VectorXd::Zero(unknowns);
    for (int step = 0; step < 20; ++step) {
      const VectorXd here = temperatures_of(wall, fit.mean);
      MatrixXd slopes(seen.size(), unknowns);
      for (int u = 0; u < unknowns; ++u) {
        VectorXd moved = fit.mean;
        moved[u] += kStep;
        slopes.col(u) = (temperatures_of(wall, moved) - here) / kStep;
      }
      const MatrixXd precision =
          slopes.transpose() * slopes / (kNoise * kNoise) + MatrixXd::Identity(unknowns, unknowns) / kPriorVariance;
      covariance = precision.inverse();
      const VectorXd move =
          covariance * (slopes.transpose() * (seen - here) / (kNoise * kNoise) - fit.mean / kPriorVariance);
      fit.mean += move;
      fit.deviation = covariance.diagonal().cwiseSqrt();
      if ((move.array() / fit.deviation.array()).abs().maxCoeff() < kSettled) return;
    }
    fit.has_converged = false;
  });
}

/// Importance sampling from a t distribution with 5 degrees of freedom around the mode.
Fit by_draws(const std::vector<Experiment>& wall, const Fit& mode, const MatrixXd& covariance, int draws, Random random,
             double& worth) {
  return measured([&](Fit& fit) {
    constexpr double kFreedom = 5;
    const auto n = mode.mean.size();
    const MatrixXd root = covariance.llt().matrixL();
    std::vector<VectorXd> points;
    VectorXd log_weights(draws);
    for (int d = 0; d < draws; ++d) {
      VectorXd z(n);
      for (double& x : z) x = random.normal();
      double chi = 0;
      for (int k = 0; k < static_cast<int>(kFreedom); ++k) chi += std::pow(random.normal(), 2);
      z *= std::sqrt(kFreedom / chi);
      points.emplace_back(mode.mean + root * z);
      double log_density = -.5 * points.back().squaredNorm() / kPriorVariance;
      const VectorXd t = temperatures_of(wall, points.back());
      for (std::size_t i = 0; i < wall.size(); ++i)
        log_density -= .5 * std::pow((wall[i].seen - t[static_cast<Eigen::Index>(i)]) / kNoise, 2);
      log_weights[d] = log_density + .5 * (kFreedom + static_cast<double>(n)) * std::log1p(z.squaredNorm() / kFreedom);
    }
    VectorXd weights = (log_weights.array() - log_weights.maxCoeff()).exp();
    worth = weights.sum() * weights.sum() / weights.squaredNorm();
    weights /= weights.sum();
    fit.mean = VectorXd::Zero(n);
    for (int d = 0; d < draws; ++d) fit.mean += weights[d] * points[static_cast<std::size_t>(d)];
    VectorXd variance = VectorXd::Zero(n);
    for (int d = 0; d < draws; ++d)
      variance += weights[d] * (points[static_cast<std::size_t>(d)] - fit.mean).cwiseAbs2();
    fit.deviation = variance.cwiseSqrt();
  });
}

Json json_of(const Fit& fit, const Fit& reference) {
  const VectorXd gaps = (fit.mean - reference.mean).array() / reference.deviation.array();
  const VectorXd ratios = fit.deviation.array() / reference.deviation.array();
  return {{"cpu_seconds", fit.cpu_seconds},
          {"calls", fit.calls},
          {"converged", fit.has_converged},
          {"rms_gap", std::sqrt(gaps.squaredNorm() / static_cast<double>(gaps.size()))},
          {"largest_gap", gaps.cwiseAbs().maxCoeff()},
          {"least_ratio", ratios.minCoeff()},
          {"largest_ratio", ratios.maxCoeff()}};
}

}  // namespace

/// Messages with recalled values of the simulator, which begin with nothing known.
Json by_recalled_values(int unknowns, const std::vector<Experiment>& wall, const Fit& reference, bool is_joint,
                        const ep::FactorFunctions& simulator, const Random& random) {
  ep::RecalledFunction function(simulator, {}, random);
  ep::FactorFunctions recalling = simulator;
  recalling.approximate_many = [&](ep::DrawColumns points, double variance, Random& unused,
                                   std::span<double> children) {
    return function.values(points, variance, unused, children);
  };
  const ep::SigmaPoints oracle(recalling, is_joint ? 4 : static_cast<std::size_t>(unknowns) + 3);
  ep::DirectSource source(oracle);
  Json result = json_of(by_messages(unknowns, wall, source, is_joint), reference);
  const ep::RecallCounts counts = function.counts();
  result["recalled"] = static_cast<double>(counts.recalled) / static_cast<double>(counts.messages);
  result["audits"] = counts.audits;
  result["failed_audits"] = counts.failed_audits;
  return result;
}

/// Messages to each unknown that are recalled themselves.
Json by_recalled_messages(int unknowns, const std::vector<Experiment>& wall, const Fit& reference,
                          ep::JustInTime& source) {
  const ep::RecallCounts before = source.counts();
  Json result = json_of(by_messages(unknowns, wall, source, false), reference);
  const ep::RecallCounts after = source.counts();
  result["recalled"] =
      static_cast<double>(after.recalled - before.recalled) / static_cast<double>(after.messages - before.messages);
  return result;
}

void run(int unknowns, int walls, int experiments, int draws, std::uint64_t seed, bool with_messages) {
  const Random random(seed);
  const ep::FactorFunctions simulator = {
      .name = "wall", .sample = [](std::span<const double> v, Random&) { return temperature_of(v); }};
  const ep::SigmaPoints joint(simulator, 4), each(simulator, static_cast<std::size_t>(unknowns) + 3);
  ep::JustInTime recalled_messages(each, {.always = true}, random.child("messages"));
  for (int i = 0; i < walls; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const std::vector<Experiment> wall = wall_of(unknowns, experiments, random.child("wall", number));
    MatrixXd covariance;
    double worth = 0;
    const Fit mode = at_mode(unknowns, wall, covariance);
    const Fit reference = by_draws(wall, mode, covariance, draws, random.child("draws", number), worth);
    ep::DirectSource direct(joint);
    Json line = {{"wall", i},
                 {"unknowns", unknowns},
                 {"milliseconds", 1e3 * reference.cpu_seconds / static_cast<double>(reference.calls)},
                 {"reference_worth", worth},
                 {"mode", json_of(mode, reference)},
                 {"sigma_points", json_of(by_messages(unknowns, wall, direct, true), reference)}};
    const auto recalled = [&](bool is_joint) {
      return by_recalled_values(unknowns, wall, reference, is_joint, simulator, random.child("values", number));
    };
    line["recalled"] = recalled(true);
    line["factorised"] = recalled(false);
    if (with_messages) line["messages"] = by_recalled_messages(unknowns, wall, reference, recalled_messages);
    std::cout << line << std::endl;
  }
}

}  // namespace fovea::bench

int main(int count, char** words) {
  if (count < 6) {
    std::cerr << "simulator_study UNKNOWNS WALLS EXPERIMENTS REFERENCE_DRAWS SEED [messages]\n";
    return 2;
  }
  fovea::bench::run(std::stoi(words[1]), std::stoi(words[2]), std::stoi(words[3]), std::stoi(words[4]),
                    std::stoul(words[5]), count > 6);
  return 0;
}
