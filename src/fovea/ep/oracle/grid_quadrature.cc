// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/grid_quadrature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
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

using Range = GridQuadrature::Range;

/// Points of one variable, and the logs of their weights.
struct Axis {
  std::vector<double> values, log_weights;
  std::vector<double> best = {};  // largest log density among a point's, over all others of the grid
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

Axis even_axis(const Message& message, const Range& range) {
  const double step = (range.end - range.first) / static_cast<double>(range.steps);
  Axis axis;
  for (std::size_t i = 0; i <= range.steps; ++i) {
    const double t = range.first + static_cast<double>(i) * step;
    axis.values.push_back(value_of_coordinate(message, t));
    axis.log_weights.push_back(log_density_at(message, t) + std::log(step));
  }
  return axis;
}

/// The range where a message has mass.
Range whole_range(const Message& message) {
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
  return {.first = end(-1), .end = end(1)};
}

/// The part of a range where densities are not negligible, with a step on either side, in steps of at most half the
/// length.
Range narrowed(const Range& range, std::span<const double> best) {
  constexpr std::size_t kFewestSteps = 16;
  const double least = *std::ranges::max_element(best) - kNegligibleLogDensity;
  const auto counts = [&](double density) { return density > least; };
  const auto low = static_cast<std::size_t>(std::ranges::find_if(best, counts) - best.begin());
  const auto high = static_cast<std::size_t>(std::find_if(best.rbegin(), best.rend(), counts).base() - best.begin());
  const std::size_t first = low == 0 ? 0 : low - 1, end = std::min(high, range.steps);  // `high` is behind the last
  const double step = (range.end - range.first) / static_cast<double>(range.steps);
  return {.first = range.first + static_cast<double>(first) * step,
          .end = range.first + static_cast<double>(end) * step,
          .steps = std::max(kFewestSteps, 2 * (end - first))};
}

/// The part of a line where a density is not negligible; nothing if it does not fall off at both ends.
std::optional<Range> range_of(const std::function<double(double)>& log_density, double farthest) {
  constexpr double kStep = .25;
  const double most = std::asinh(farthest);
  double best = -kInfinity, at = 0;
  for (double u = -most; u <= most; u += kStep)
    if (const double value = log_density(std::sinh(u)); value > best) {
      best = value;
      at = u;
    }
  if (best == -kInfinity) return std::nullopt;
  double low = std::sinh(at - kStep), high = std::sinh(at + kStep), peak = std::sinh(at);
  for (double step = std::max(peak - low, high - peak) / 2; step > 1e-9 * (1 + std::abs(peak)); step /= 2)
    for (const double t : {peak - step, peak + step})
      if (const double value = log_density(t); value > best) {
        best = value;
        peak = t;
      }
  const auto end = [&](double direction) {
    double reach = 1e-8 * (1 + std::abs(peak));
    while (log_density(peak + direction * reach) > best - kNegligibleLogDensity && reach < 4 * farthest) reach *= 1.5;
    return reach;
  };
  const double below = end(-1), above = end(1);
  if (std::max(below, above) >= 4 * farthest) return std::nullopt;
  return Range{.first = peak - below, .end = peak + above};
}

/// The range where a child has mass of which only its parents tell: at any of their likely values.
Range range_of_child(const FactorFunctions& factor, std::span<const Message> incoming) {
  constexpr double kFarthest = 1e9, kFarthestLogarithm = 100;
  std::vector<std::vector<double>> likely;  // [parent]
  for (const Message& parent : incoming.subspan(1)) {
    likely.push_back({is_discrete(parent) ? std::round(mean_of(parent)) : mean_of(parent)});
    if (std::holds_alternative<Point>(parent)) likely.back() = {mean_of(parent)};
    if (is_discrete(parent)) continue;
    const Range range = whole_range(parent);
    for (const double t : {range.first, range.end}) likely.back().push_back(value_of_coordinate(parent, t));
  }
  std::optional<Range> all;
  std::vector<double> values(incoming.size());
  const std::function<void(std::size_t)> visit = [&](std::size_t slot) {
    if (slot < values.size()) {
      for (const double value : likely[slot - 1]) {
        values[slot] = value;
        visit(slot + 1);
      }
      return;
    }
    const auto log_density = [&](double t) {
      values[0] = value_of_coordinate(incoming[0], t);
      const double density = factor.log_density(values) + log_density_at(incoming[0], t);
      return std::isnan(density) ? -kInfinity : density;
    };
    const auto range =
        range_of(log_density, std::holds_alternative<Gaussian>(incoming[0]) ? kFarthest : kFarthestLogarithm);
    if (!range) return;
    if (!all) all = range;
    all->first = std::min(all->first, range->first);
    all->end = std::max(all->end, range->end);
  };
  visit(1);
  if (!all)
    throw InputError(
        {},
        fmt::format("factor '{}': its density does not fall off in its child, of which nothing else is known",
                    factor.name),
        "Give a density that integrates to 1 over the child");
  return *all;
}

double middle(const Message& message, const Range& range) {
  return is_proper(message) ? mean_of(message) : value_of_coordinate(message, .5 * (range.first + range.end));
}

/// Sums over one grid.
class GridSums {
 public:
  /// ranges: [slot]; those of discrete variables do not matter. centre: near the mean of the slot.
  GridSums(const FactorFunctions& factor, std::size_t slot, std::span<const Message> incoming,
           std::span<const Range> ranges, double centre)
      : factor_(&factor),
        child_(incoming.data()),
        slot_(slot),
        centre_(centre),
        projection_(incoming[slot], centre),
        values_(incoming.size()),
        places_(incoming.size()),
        columns_(incoming.size()) {
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      axes_.push_back(is_discrete(incoming[i]) ? discrete_axis(incoming[i]) : even_axis(incoming[i], ranges[i]));
      axes_.back().best.assign(axes_.back().values.size(), -kInfinity);
    }
    add(0, 0);
    flush();
  }

  bool has_mass() const { return mass_ > 0; }
  double log_mass() const { return largest_ + std::log(mass_); }
  double mean() const {
    const double first = first_ / mass_;
    return std::holds_alternative<Gaussian>(child_[slot_]) || std::holds_alternative<Beta>(child_[slot_])
               ? centre_ + first
               : first;
  }
  Message marginal() const { return projection_.from({first_ / mass_, second_ / mass_}); }
  /// [point of the slot's axis] log density of the best point of the grid that has it.
  std::span<const double> best(std::size_t slot) const { return axes_[slot].best; }

 private:
  void add(std::size_t axis, double log_weight) {
    if (axis == axes_.size()) return add_point(log_weight);
    for (std::size_t i = 0; i < axes_[axis].values.size(); ++i) {
      values_[axis] = axes_[axis].values[i];
      places_[axis] = static_cast<std::uint32_t>(i);
      add(axis + 1, log_weight + axes_[axis].log_weights[i]);
    }
  }

  void add_point(double log_weight) {
    if (log_weight == -kInfinity) return;
    if (!factor_->log_density_many) {
      const double density = call([&] { return factor_->log_density(values_); });
      return sum(values_, places_, log_weight, density);
    }
    for (std::size_t slot = 0; slot < values_.size(); ++slot) columns_[slot].push_back(values_[slot]);
    waiting_places_.insert(waiting_places_.end(), places_.begin(), places_.end());
    log_weights_.push_back(log_weight);
    if (log_weights_.size() == kPointsAtOnce) flush();
  }

  /// Sums over the points that wait for their densities.
  void flush() {
    if (log_weights_.empty()) return;
    const std::size_t slots = columns_.size();
    std::vector<double> densities(log_weights_.size()), values(slots);
    call([&] { return factor_->log_density_many(columns_, densities), 0.; });
    for (std::size_t i = 0; i < densities.size(); ++i) {
      for (std::size_t slot = 0; slot < slots; ++slot) values[slot] = columns_[slot][i];
      sum(values, std::span(waiting_places_).subspan(i * slots, slots), log_weights_[i], densities[i]);
    }
    for (std::vector<double>& column : columns_) column.clear();
    waiting_places_.clear();
    log_weights_.clear();
  }

  void sum(std::span<const double> values, std::span<const std::uint32_t> places, double log_weight,
           double log_density) {
    if (std::isnan(log_density) || log_density == kInfinity)
      refuse(fmt::format("its density returned {} at {}", log_density, fmt::join(values, ", ")));
    const double total = log_weight + (log_density - log_base_measure(*child_, values[0]));
    for (std::size_t slot = 0; slot < places.size(); ++slot) {
      double& best = axes_[slot].best[places[slot]];
      best = std::max(best, total);
    }
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
  double centre_;
  MomentProjection projection_;
  std::vector<Axis> axes_;
  std::vector<double> values_;                 // [slot] of the point that is added
  std::vector<std::uint32_t> places_;          // [slot] of the point that is added, on its axis
  std::vector<std::vector<double>> columns_;   // [slot][waiting point]
  std::vector<std::uint32_t> waiting_places_;  // [waiting point][slot]
  std::vector<double> log_weights_;            // [waiting point]
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
  std::vector<Range> ranges;
  for (const Message& message : incoming)
    ranges.push_back(is_discrete(message) ? Range()
                     : is_proper(message) ? whole_range(message)
                                          : range_of_child(factor_, incoming));
  return refine(slot, incoming, std::move(ranges));
}

Tilted GridQuadrature::refine(std::size_t slot, std::span<const Message> incoming, std::vector<Range> ranges) const {
  std::optional<Message> before;
  double log_mass = -kInfinity, centre = middle(incoming[slot], ranges[slot]);
  for (;;) {
    const GridSums sums(factor_, slot, incoming, ranges, centre);
    double points = 1;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (is_discrete(incoming[i])) continue;
      if (sums.has_mass()) ranges[i] = narrowed(ranges[i], sums.best(i));
      else ranges[i].steps *= 2;
      points *= static_cast<double>(ranges[i].steps);
    }
    const bool is_last = points == 1 || points > options_.most_points;
    if (!sums.has_mass()) {
      if (is_last)
        throw InputError(
            {}, fmt::format("factor '{}': it rules out all that the incoming messages allow: zero mass", factor_.name),
            "See which message contradicts it");
      continue;
    }
    const Message after = sums.marginal();
    const bool is_compared = before && is_proper(*before) && is_proper(after);
    const double change = is_compared ? divergence(after, *before) : kInfinity;
    const bool is_settled = is_compared && change < .5 * options_.accuracy * options_.accuracy &&
                            std::abs(sums.log_mass() - log_mass) < options_.accuracy;
    if (is_settled || is_last) return {.marginal = after, .log_mass = sums.log_mass(), .expected_error = change};
    before = after;
    log_mass = sums.log_mass();
    centre = sums.mean();
  }
}

}  // namespace fovea::ep
