// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/truncation.h"

#include <cmath>
#include <numbers>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/operators/moments.h"

namespace fovea::ep {
namespace {

double log_normal_density(double x) { return -.5 * (x * x + std::log(2 * std::numbers::pi)); }

/// log probability of one side of a truth, which may be certain.
double log_probability(const Bernoulli& truth, bool side) {
  const double odds = side ? truth.log_odds() : -truth.log_odds();
  return odds > 0 ? -std::log1p(std::exp(-odds)) : odds - std::log1p(std::exp(odds));
}

}  // namespace

double log_normal_cdf(double x) {
  constexpr double kFar = -10;
  if (x > kFar) return std::log(.5 * std::erfc(-x / std::numbers::sqrt2));
  // Mills' ratio as a continued fraction (Laplace): cdf(x) = density(x) / (z + 1 / (z + 2 / (z + 3 / ...))), z = -x.
  double fraction = -x;
  for (int k = 60; k > 0; --k) fraction = -x + k / fraction;
  return log_normal_density(x) - std::log(fraction);
}

Bernoulli TruncationFactor::message_to_truth(const Gaussian& x) const {
  const double z = (x.mean() - threshold) / std::sqrt(x.variance());
  return Bernoulli::from_log_odds(log_normal_cdf(z) - log_normal_cdf(-z));
}

double TruncationFactor::log_evidence(const Gaussian& x, const Bernoulli& is_above) const {
  const double z = (x.mean() - threshold) / std::sqrt(x.variance());
  return add_logs(log_probability(is_above, true) + log_normal_cdf(z),
                  log_probability(is_above, false) + log_normal_cdf(-z));
}

Gaussian TruncationFactor::marginal_of_x(const Gaussian& x, const Bernoulli& is_above) const {
  const double deviation = std::sqrt(x.variance()), z = (x.mean() - threshold) / deviation;
  const double log_mass = log_evidence(x, is_above);
  // Both sides have mass; the density at the threshold pulls by the excess of the weight above over that below.
  const auto pull_of = [&](bool side) {
    return std::exp(log_probability(is_above, side) + log_normal_density(z) - log_mass);
  };
  const double pull = pull_of(true) - pull_of(false);
  const double shrink = pull * (pull + z);
  return Gaussian::from_mean_variance(x.mean() + deviation * pull, x.variance() * (1 - shrink));
}

Tilted GreaterThanOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  if (const auto* known_x = std::get_if<Point>(&incoming[1])) {
    const bool above = known_x->value > factor_.threshold;
    const auto* told = std::get_if<Bernoulli>(&incoming[0]);
    if (!told && (std::get<Point>(incoming[0]).value != 0) != above)
      throw InputError({}, "factor 'greater-than': both its variables are known, and contradict each other: zero mass",
                       "Observe only one of them");
    return {.marginal = slot == 0 ? Message(Point{above ? 1. : 0.}) : incoming[1],
            .log_mass = told ? log_probability(*told, above) : 0};
  }
  const Gaussian& x = std::get<Gaussian>(incoming[1]);
  if (const auto* known = std::get_if<Point>(&incoming[0])) {
    const Bernoulli sure = Bernoulli::from_log_odds(known->value != 0 ? kInfinity : -kInfinity);
    const double log_mass = factor_.log_evidence(x, sure);
    return {.marginal = slot == 0 ? incoming[0] : Message(factor_.marginal_of_x(x, sure)), .log_mass = log_mass};
  }
  const Bernoulli& truth = std::get<Bernoulli>(incoming[0]);
  const double log_mass = factor_.log_evidence(x, truth);
  if (slot == 0) return {.marginal = factor_.message_to_truth(x) * truth, .log_mass = log_mass};
  return {.marginal = factor_.marginal_of_x(x, truth), .log_mass = log_mass};
}

namespace {

/// Mean and variance of a variable; variance 0 if it is known.
struct Spread {
  double mean, variance;
};

Spread spread_of(const Message& x) { return {.mean = mean_of(x), .variance = variance_of(x)}; }

/// One of the two orders of the parents of a maximum.
struct Order {
  double log_mass = 0;
  Spread winner, loser;

  /// Combines the winner with what is known of m.
  void meet(const Spread& m) {
    const double total = winner.variance + m.variance, gap = m.mean - winner.mean;
    if (total == 0) {
      if (gap != 0) log_mass = -kInfinity;
      return;
    }
    log_mass += Gaussian::from_mean_variance(0, total).log_density(gap);
    const double gain = winner.variance / total;
    winner = {.mean = m.variance == 0 ? m.mean : winner.mean + gain * gap, .variance = gain * m.variance};
  }

  void put_loser_below() {
    const double total = winner.variance + loser.variance, lead = winner.mean - loser.mean;
    if (total == 0) {
      if (lead < 0) log_mass = -kInfinity;
      return;
    }
    const TruncationFactor is_ahead = {.threshold = 0};
    const Gaussian difference = Gaussian::from_mean_variance(lead, total);
    const Bernoulli sure = Bernoulli::from_log_odds(kInfinity);
    const Gaussian truncated = is_ahead.marginal_of_x(difference, sure);
    log_mass += is_ahead.log_evidence(difference, sure);
    const double shift = truncated.mean() - lead, squeeze = truncated.variance() - total;
    const double winner_gain = winner.variance / total, loser_gain = loser.variance / total;
    winner.mean += winner_gain * shift;
    winner.variance += winner_gain * winner_gain * squeeze;
    loser.mean -= loser_gain * shift;
    loser.variance += loser_gain * loser_gain * squeeze;
  }
};

Order order_of(const Message& winner, const Message& loser, const Message& m) {
  Order order = {.log_mass = 0, .winner = spread_of(winner), .loser = spread_of(loser)};
  if (is_proper(m)) order.meet(spread_of(m));
  order.put_loser_below();
  return order;
}

}  // namespace

Tilted MaxOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const Message &m = incoming[0], &a = incoming[1], &b = incoming[2];
  Order a_wins = order_of(a, b, m), b_wins = order_of(b, a, m);
  // If m is known, a parent that equals it has a probability, which outweighs the density of the other parent.
  const bool is_known = std::holds_alternative<Point>(m);
  if (is_known && a == m) b_wins.log_mass = -kInfinity;
  else if (is_known && b == m) a_wins.log_mass = -kInfinity;
  Tilted result = {.marginal = incoming[slot], .log_mass = add_logs(a_wins.log_mass, b_wins.log_mass)};
  if (result.log_mass == -kInfinity)
    throw InputError({}, "factor 'max': the known values of its variables contradict each other: zero mass",
                     "The child is the larger of its parents: observe no other value");
  if (std::holds_alternative<Point>(incoming[slot])) return result;
  const double weight = std::exp(a_wins.log_mass - result.log_mass);
  const Spread& one = slot == 2 ? a_wins.loser : a_wins.winner;
  const Spread& other = slot == 1 ? b_wins.loser : b_wins.winner;
  const double gap = one.mean - other.mean, mean = other.mean + weight * gap;
  const double variance = weight * one.variance + (1 - weight) * (other.variance + weight * gap * gap);
  if (variance == 0) {
    result.marginal = Point{mean};
    return result;
  }
  const Gaussian projected = Gaussian::from_mean_variance(mean, variance);
  if (is_proper(m)) result.marginal = projected;
  else result = {.marginal = product(m, projected), .log_mass = log_overlap(projected, m)};
  return result;
}

}  // namespace fovea::ep
