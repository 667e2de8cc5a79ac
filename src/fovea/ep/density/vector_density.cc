// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/vector_density.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/density/cholesky.h"
#include "fovea/ep/density/fast_functions.h"

namespace fovea::ep {
namespace {

using ConstVector = Eigen::Map<const Eigen::VectorXd>;

/// Inputs: x, mean and sd, each of one number or of all.
class Normal : public Operation {
 public:
  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    const Inputs of(inputs);
    const double constant = -.5 * std::log(2 * std::numbers::pi);
    if (inputs[2].size() == 1) {
      const double inverse = 1 / inputs[2][0], rest = constant - std::log(inputs[2][0]);
      for (std::size_t i = 0; i < results.size(); ++i) {
        const double z = (of.x(i) - of.mean(i)) * inverse;
        results[i] = rest - .5 * z * z;
      }
      return;
    }
    log_of(inputs[2], results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double z = (of.x(i) - of.mean(i)) / inputs[2][i];
      results[i] = constant - results[i] - .5 * z * z;
    }
  }

  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double>,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    const Inputs of(inputs);
    const auto to = [&](std::size_t input, std::size_t i) -> double& {
      return slopes_of[input][slopes_of[input].size() == 1 ? 0 : i];
    };
    double of_mean = 0, of_sd = 0;  // of one number for all
    const bool has_x = !slopes_of[0].empty(), has_mean = !slopes_of[1].empty(), has_sd = !slopes_of[2].empty();
    const bool one_mean = slopes_of[1].size() == 1, one_sd = slopes_of[2].size() == 1;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const double inverse = 1 / of.sd(i), z = (of.x(i) - of.mean(i)) * inverse, slope = slopes[i] * z * inverse;
      if (has_x) to(0, i) -= slope;
      if (one_mean) of_mean += slope;
      else if (has_mean) slopes_of[1][i] += slope;
      const double by_sd = slopes[i] * (z * z - 1) * inverse;
      if (one_sd) of_sd += by_sd;
      else if (has_sd) slopes_of[2][i] += by_sd;
    }
    if (one_mean) slopes_of[1][0] += of_mean;
    if (one_sd) slopes_of[2][0] += of_sd;
  }

 private:
  class Inputs {
   public:
    explicit Inputs(std::span<const std::span<const double>> inputs) : inputs_(inputs) {
      for (std::size_t k = 0; k < 3; ++k) steps_[k] = inputs[k].size() == 1 ? 0 : 1;
    }
    double x(std::size_t i) const { return inputs_[0][i * steps_[0]]; }
    double mean(std::size_t i) const { return inputs_[1][i * steps_[1]]; }
    double sd(std::size_t i) const { return inputs_[2][i * steps_[2]]; }

   private:
    std::span<const std::span<const double>> inputs_;
    std::array<std::size_t, 3> steps_ = {};
  };
};

/// Inputs: x, means, covariances. Results: the densities, then [group] the lower factor of its covariance and the
/// precision times x - mean.
class MultiNormal : public Operation {
 public:
  explicit MultiNormal(std::size_t members) : members_(members) {}

  std::size_t result_count(std::size_t groups) const { return groups * (1 + members_ * members_ + members_); }

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    const std::size_t groups = inputs[0].size() / members_;
    for (std::size_t g = 0; g < groups; ++g) {
      const auto n = static_cast<Eigen::Index>(members_);
      Eigen::Map<SquareMatrix> lower(results.data() + factor_of(g, groups), n, n);
      Eigen::Map<Eigen::VectorXd> solved(results.data() + solved_of(g, groups), n);
      lower = Eigen::Map<const SquareMatrix>(inputs[2].data() + g * members_ * members_, n, n);
      if (!factorize(lower)) {
        std::fill_n(results.data() + factor_of(g, groups), members_ * (members_ + 1), 0.);
        results[g] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const Eigen::VectorXd gaps = vector(inputs[0], g) - vector(inputs[1], g);
      const auto solver = lower.triangularView<Eigen::Lower>();
      solved = solver.transpose().solve(solver.solve(gaps));
      double log_determinant = 0;
      for (Eigen::Index i = 0; i < n; ++i) log_determinant += std::log(lower(i, i));
      results[g] =
          -.5 * gaps.dot(solved) - log_determinant - .5 * std::log(2 * std::numbers::pi) * static_cast<double>(n);
    }
  }

  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double> results,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    const std::size_t groups = inputs[0].size() / members_;
    const auto n = static_cast<Eigen::Index>(members_);
    for (std::size_t g = 0; g < groups; ++g) {
      const ConstVector solved(results.data() + solved_of(g, groups), n);
      for (std::size_t i = 0; i < members_; ++i) {
        const double slope = slopes[g] * solved[static_cast<Eigen::Index>(i)];
        if (!slopes_of[0].empty()) slopes_of[0][g * members_ + i] -= slope;
        if (!slopes_of[1].empty()) slopes_of[1][g * members_ + i] += slope;
      }
      if (slopes_of[2].empty() || !std::isfinite(results[g])) continue;
      const Eigen::Map<const SquareMatrix> lower(results.data() + factor_of(g, groups), n, n);
      // The lower triangle stands for both.
      SquareMatrix slope = -lower_of_square(inverse_of_lower(lower));
      slope.triangularView<Eigen::Lower>() += solved * solved.transpose();
      slope.diagonal() *= .5;
      Eigen::Map<SquareMatrix>(slopes_of[2].data() + g * members_ * members_, n, n) += slopes[g] * slope;
    }
  }

 private:
  std::size_t factor_of(std::size_t g, std::size_t groups) const { return groups + g * members_ * (members_ + 1); }
  std::size_t solved_of(std::size_t g, std::size_t groups) const { return factor_of(g, groups) + members_ * members_; }
  ConstVector vector(std::span<const double> x, std::size_t g) const {
    return {x.data() + g * members_, static_cast<Eigen::Index>(members_)};
  }

  std::size_t members_;
};

/// Inputs: z, [group][member], and covariances. Results: L z, then [group] L.
class Colouring : public Operation {
 public:
  explicit Colouring(std::size_t members) : members_(members) {}

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    const std::size_t groups = inputs[0].size() / members_;
    for (std::size_t g = 0; g < groups; ++g) {
      const auto n = static_cast<Eigen::Index>(members_);
      Eigen::Map<SquareMatrix> lower(results.data() + lower_of(g, groups), n, n);
      Eigen::Map<Eigen::VectorXd> coloured(results.data() + g * members_, n);
      lower = Eigen::Map<const SquareMatrix>(inputs[1].data() + g * members_ * members_, n, n);
      if (factorize(lower)) coloured = lower * ConstVector(inputs[0].data() + g * members_, n);
      else coloured.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }

  /// The slopes of a covariance by those of its factor: Murray 2016, "Differentiation of the Cholesky decomposition".
  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double> results,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    const std::size_t groups = inputs[0].size() / members_;
    const auto n = static_cast<Eigen::Index>(members_);
    for (std::size_t g = 0; g < groups; ++g) {
      const Eigen::Map<const SquareMatrix> lower(results.data() + lower_of(g, groups), n, n);
      const ConstVector z(inputs[0].data() + g * members_, n), of_result(slopes.data() + g * members_, n);
      if (!slopes_of[0].empty())
        Eigen::Map<Eigen::VectorXd>(slopes_of[0].data() + g * members_, n) += lower.transpose() * of_result;
      if (slopes_of[1].empty() || !std::isfinite(results[g * members_])) continue;
      SquareMatrix of_lower = of_result * z.transpose();
      of_lower.triangularView<Eigen::StrictlyUpper>().setZero();
      SquareMatrix middle = lower.transpose() * of_lower;
      middle.triangularView<Eigen::StrictlyUpper>().setZero();
      middle.diagonal() *= .5;
      // L^-T middle L^-1, of which the lower triangle stands for both
      const auto solver = lower.triangularView<Eigen::Lower>();
      SquareMatrix of_covariance = solver.transpose().solve(middle);
      of_covariance = solver.transpose().solve(SquareMatrix(of_covariance.transpose())).transpose();
      SquareMatrix both = of_covariance + of_covariance.transpose();
      both.diagonal() *= .5;
      both.triangularView<Eigen::StrictlyUpper>().setZero();
      Eigen::Map<SquareMatrix>(slopes_of[1].data() + g * members_ * members_, n, n) += both;
    }
  }

 private:
  std::size_t lower_of(std::size_t g, std::size_t groups) const { return groups * members_ + g * members_ * members_; }

  std::size_t members_;
};

double softplus(double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); }

/// Inputs: eta and cutpoints.
class OrderedLogistic : public Operation {
 public:
  OrderedLogistic(std::span<const double> ranks, std::size_t cutpoints) : cutpoints_(cutpoints) {
    for (const double rank : ranks) {
      FOVEA_CHECK(rank >= 1 && rank <= static_cast<double>(cutpoints + 1));
      ranks_.push_back(static_cast<std::size_t>(rank) - 1);
    }
  }

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto [above, below] = odds(inputs, i);
      // logistic(a) - logistic(b) = logistic(a) logistic(-b) (1 - exp(b - a))
      results[i] = (has_above(i) ? -softplus(-above) : 0) - (has_below(i) ? softplus(below) : 0);
      if (has_above(i) && has_below(i)) results[i] += std::log1p(-std::exp(below - above));
    }
  }

  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double>,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const auto [above, below] = odds(inputs, i);
      double by_above = has_above(i) ? sigmoid(-above) : 0, by_below = has_below(i) ? -sigmoid(below) : 0;
      if (has_above(i) && has_below(i)) {
        const double ratio = 1 / std::expm1(above - below);
        by_above += ratio;
        by_below -= ratio;
      }
      if (!slopes_of[0].empty()) slopes_of[0][i] -= slopes[i] * (by_above + by_below);
      if (slopes_of[1].empty()) continue;
      if (has_above(i)) slopes_of[1][i * cutpoints_ + ranks_[i]] += slopes[i] * by_above;
      if (has_below(i)) slopes_of[1][i * cutpoints_ + ranks_[i] - 1] += slopes[i] * by_below;
    }
  }

 private:
  struct Odds {
    double above, below;
  };
  bool has_above(std::size_t i) const { return ranks_[i] < cutpoints_; }
  bool has_below(std::size_t i) const { return ranks_[i] > 0; }
  /// Log odds of at most the rank, and of less.
  Odds odds(std::span<const std::span<const double>> inputs, std::size_t i) const {
    const double eta = inputs[0][i];
    const std::span<const double> cuts = inputs[1].subspan(i * cutpoints_, cutpoints_);
    return {has_above(i) ? cuts[ranks_[i]] - eta : 0, has_below(i) ? cuts[ranks_[i] - 1] - eta : 0};
  }

  std::size_t cutpoints_;
  std::vector<std::size_t> ranks_;
};

}  // namespace

Node normal(Program& program, Node x, Node mean, Node sd) {
  static const auto operation = std::make_shared<Normal>();
  return program.apply(operation, {x, mean, sd}, std::max({program.size(x), program.size(mean), program.size(sd)}));
}

Node multi_normal(Program& program, Node x, std::span<const Node> arguments, std::size_t members) {
  const std::size_t groups = program.size(x) / members;
  const auto operation = std::make_shared<MultiNormal>(members);
  const Node all = program.apply(operation, {x, arguments[0], arguments[1]}, operation->result_count(groups));
  std::vector<std::uint32_t> densities;
  for (std::uint32_t g = 0; g < groups; ++g) densities.push_back(g);
  return program.gather(all, std::move(densities));
}

Node coloured(Program& program, Node z, Node mean, Node covariance, std::size_t members) {
  const std::size_t groups = program.size(z) / members;
  const Node all =
      program.apply(std::make_shared<Colouring>(members), {z, covariance}, groups * members * (1 + members));
  std::vector<std::uint32_t> places(program.size(z));
  for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  return program.apply(Binary::kAdd, mean, program.gather(all, std::move(places)));
}

Node ordered_logistic(Program& program, Node x, std::span<const Node> arguments, std::size_t members) {
  return program.apply(std::make_shared<OrderedLogistic>(program.known(x), members), {arguments[0], arguments[1]},
                       program.size(x));
}

}  // namespace fovea::ep
