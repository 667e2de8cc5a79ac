// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/grid_quadrature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/quadrature/moment_projection.h"

namespace fovea::ep {
namespace {

constexpr std::size_t kMostUnknown = 3;
/// Densities this far below the largest, by logarithm, do not count: exp(-40) = 4e-18.
constexpr double kNegligibleLogDensity = 40;

/// The value at coordinate t, in which the message falls off at both ends.
double value_of_coordinate(const Message& message, double t) {
  if (std::holds_alternative<Gamma>(message)) return std::exp(t);
  if (std::holds_alternative<Beta>(message)) return sigmoid(t);
  return t;
}

/// log of the density in that coordinate.
double log_density_at(const Message& message, double t) {
  const double x = value_of_coordinate(message, t);
  double slope = 0;  // log dx / dt
  if (std::holds_alternative<Gamma>(message)) slope = t;
  if (std::holds_alternative<Beta>(message)) slope = std::log(x) + std::log1p(-x);
  return log_kernel(message, x) - log_normalizer(message) + slope;
}

bool is_discrete(const Message& message) {
  return std::holds_alternative<Bernoulli>(message) || std::holds_alternative<Poisson>(message) ||
         std::holds_alternative<Point>(message);
}

/// Points of one variable, and the logs of their weights.
struct Axis {
  std::vector<double> values, log_weights;
};

Axis discrete_axis(const Message& message) {
  if (const auto* known = std::get_if<Point>(&message)) return {.values = {known->value}, .log_weights = {0}};
  Axis axis;
  double best = -kInfinity;
  for (double x = 0; x < 2 || std::holds_alternative<Poisson>(message); ++x) {
    const double log_weight = log_kernel(message, x) - log_normalizer(message);
    best = std::max(best, log_weight);
    if (log_weight < best - kNegligibleLogDensity && x > mean_of(message)) break;
    axis.values.push_back(x);
    axis.log_weights.push_back(log_weight);
  }
  return axis;
}

Axis even_axis(const Message& message, std::size_t steps) {
  double centre = mean_of(message), width = 1;
  if (const auto* gaussian = std::get_if<Gaussian>(&message)) width = std::sqrt(gaussian->variance());
  else if (std::holds_alternative<Gamma>(message)) centre = std::log(centre);
  else centre = std::log(centre / (1 - centre));
  const double top = log_density_at(message, centre);
  const auto end = [&](double direction) {
    double reach = width;
    while (log_density_at(message, centre + direction * reach) > top - kNegligibleLogDensity && reach < 1e6 * width)
      reach *= 1.25;
    return centre + direction * reach;
  };
  const double first = end(-1), step = (end(1) - first) / static_cast<double>(steps);
  Axis axis;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double t = first + static_cast<double>(i) * step;
    axis.values.push_back(value_of_coordinate(message, t));
    axis.log_weights.push_back(log_density_at(message, t) + std::log(step));
  }
  return axis;
}

/// Sums over one grid.
class GridSums {
 public:
  GridSums(const FactorFunctions& factor, std::size_t slot, std::span<const Message> incoming, std::size_t steps)
      : factor_(&factor),
        child_(incoming.data()),
        slot_(slot),
        projection_(incoming[slot], mean_of(incoming[slot])),
        values_(incoming.size()),
        columns_(incoming.size()) {
    for (const Message& message : incoming)
      axes_.push_back(is_discrete(message) ? discrete_axis(message) : even_axis(message, steps));
    add(0, 0);
    flush();
    if (!(mass_ > 0))
      throw InputError(
          {}, fmt::format("factor '{}': it rules out all that the incoming messages allow: zero mass", factor_->name),
          "See which message contradicts it");
  }

  double log_mass() const { return largest_ + std::log(mass_); }
  MomentProjection::Moments moments() const { return {first_ / mass_, second_ / mass_}; }
  Message marginal() const { return projection_.from(moments()); }

 private:
  void add(std::size_t axis, double log_weight) {
    if (axis == axes_.size()) return add_point(log_weight);
    for (std::size_t i = 0; i < axes_[axis].values.size(); ++i) {
      values_[axis] = axes_[axis].values[i];
      add(axis + 1, log_weight + axes_[axis].log_weights[i]);
    }
  }

  void add_point(double log_weight) {
    if (log_weight == -kInfinity) return;
    if (!factor_->log_density_many) {
      const double density = call([&] { return factor_->log_density(values_); });
      return sum(values_, log_weight, density);
    }
    for (std::size_t slot = 0; slot < values_.size(); ++slot) columns_[slot].push_back(values_[slot]);
    log_weights_.push_back(log_weight);
    if (log_weights_.size() == kPointsAtOnce) flush();
  }

  /// Sums over the points that wait for their densities.
  void flush() {
    if (log_weights_.empty()) return;
    std::vector<double> densities(log_weights_.size()), values(columns_.size());
    call([&] { return factor_->log_density_many(columns_, densities), 0.; });
    for (std::size_t i = 0; i < densities.size(); ++i) {
      for (std::size_t slot = 0; slot < values.size(); ++slot) values[slot] = columns_[slot][i];
      sum(values, log_weights_[i], densities[i]);
    }
    for (std::vector<double>& column : columns_) column.clear();
    log_weights_.clear();
  }

  void sum(std::span<const double> values, double log_weight, double log_density) {
    if (std::isnan(log_density) || log_density == kInfinity)
      refuse(fmt::format("its density returned {} at {}", log_density, fmt::join(values, ", ")));
    const double total = log_weight + (log_density - log_base_measure(*child_, values[0]));
    if (total > largest_) {
      const double shrink = std::exp(largest_ - total);
      mass_ *= shrink;
      first_ *= shrink;
      second_ *= shrink;
      largest_ = total;
    }
    const double weight = std::exp(total - largest_);
    if (!(weight > 0)) return;
    const MomentProjection::Moments at = projection_.at(values[slot_]);
    mass_ += weight;
    first_ += weight * at[0];
    second_ += weight * at[1];
  }

  /// Returns what the user's density does; names the factor if it throws.
  template <class Density>
  double call(const Density& density) const {
    try {
      return density();
    } catch (const std::exception& error) {
      if (factor_->log_density_many) refuse(fmt::format("its density failed: {}", error.what()));
      refuse(fmt::format("its density failed at {}: {}", fmt::join(values_, ", "), error.what()));
    }
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError({}, fmt::format("factor '{}': {}", factor_->name, problem),
                     "Make it finite wherever the incoming messages have mass");
  }

  static constexpr std::size_t kPointsAtOnce = 4096;

  const FactorFunctions* factor_;
  const Message* child_;
  std::size_t slot_;
  MomentProjection projection_;
  std::vector<Axis> axes_;
  std::vector<double> values_;                // [slot] of the point that is added
  std::vector<std::vector<double>> columns_;  // [slot][waiting point]
  std::vector<double> log_weights_;           // [waiting point]
  double largest_ = -kInfinity, mass_ = 0, first_ = 0, second_ = 0;
};

}  // namespace

GridQuadrature::GridQuadrature(FactorFunctions factor, std::size_t parents, const GridQuadratureOptions& options)
    : factor_(with_single_draws(std::move(factor))), parents_(parents), options_(options) {
  validate(options);
  if (!factor_.log_density)
    throw UsageError(fmt::format("factor '{}' has no density to integrate; use importance sampling", factor_.name));
}

Tilted GridQuadrature::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  FOVEA_CHECK(incoming.size() == slot_count() && slot < slot_count());
  const auto unknown = static_cast<std::size_t>(
      std::ranges::count_if(incoming, [](const Message& message) { return !is_discrete(message); }));
  if (unknown > kMostUnknown)
    throw InputError(
        {}, fmt::format("factor '{}': {} unknown variables, a grid takes {}", factor_.name, unknown, kMostUnknown),
        "Use importance sampling");
  constexpr std::size_t kFirstSteps = 16;
  if (std::holds_alternative<Point>(
          incoming[slot])) {  // only the mass is needed: take it from another variable, if there is one
    for (std::size_t other = 0; other < incoming.size(); ++other)
      if (!std::holds_alternative<Point>(incoming[other])) {
        return {.marginal = incoming[slot], .log_mass = tilted(other, incoming, random).log_mass};
      }
    std::vector<double> values;
    for (const Message& message : incoming) values.push_back(mean_of(message));
    return {.marginal = incoming[slot], .log_mass = factor_.log_density(values)};
  }
  GridSums coarse(factor_, slot, incoming, kFirstSteps);
  for (std::size_t steps = 2 * kFirstSteps;; steps *= 2) {
    GridSums fine(factor_, slot, incoming, steps);
    const Message before = coarse.marginal(), after = fine.marginal();
    if (!is_proper(after))
      throw InputError({}, fmt::format("factor '{}': its marginal of slot {} has no moments", factor_.name, slot),
                       "See whether the variable's family fits it");
    const double change = is_proper(before) ? divergence(after, before) : kInfinity;
    const bool is_settled = change < .5 * options_.accuracy * options_.accuracy &&
                            std::abs(fine.log_mass() - coarse.log_mass()) < options_.accuracy;
    const double next_points = std::pow(2. * static_cast<double>(steps), static_cast<double>(unknown));
    if (unknown == 0 || is_settled || next_points > options_.most_points)
      return {.marginal = after, .log_mass = fine.log_mass(), .expected_error = change};
    coarse = std::move(fine);
  }
}

}  // namespace fovea::ep
