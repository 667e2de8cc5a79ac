// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/logistic.h"

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {
namespace {

/// log(1 + exp(x)).
double softplus(double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); }

LineMoments integrate_tilted(const Gaussian& x, const Beta& p, double more_left, double more_right) {
  const double left = p.natural[0] + more_left, right = p.natural[1] + more_right;
  const auto log_density = [&](double t) { return x.log_density(t) - left * softplus(-t) - right * softplus(t); };
  constexpr double kWide = 100;  // steps of a Gaussian's width miss the rise of the logistic function
  const double deviation = std::sqrt(x.variance());
  if (deviation > kWide) return integrate_wide(log_density, x.mean(), deviation);
  return integrate_line(log_density, x.mean(), deviation / 2);
}

const Beta kIsTrue = Beta::from_counts(2, 1), kIsFalse = Beta::from_counts(1, 2);

}  // namespace

Gaussian LogisticFactor::marginal_of_x(const Gaussian& x, const Beta& p) {
  const LineMoments moments = integrate_tilted(x, p, 0, 0);
  return Gaussian::from_mean_variance(moments.mean, moments.variance);
}

double LogisticFactor::mean_of_p(const Gaussian& x, const Beta& p) {
  return std::exp(integrate_tilted(x, p, 1, 0).log_mass - integrate_tilted(x, p, 0, 0).log_mass);
}

Beta LogisticFactor::marginal_of_p(const Gaussian& x, const Beta& p) {
  const double mass = integrate_tilted(x, p, 0, 0).log_mass;
  const double mean = std::exp(integrate_tilted(x, p, 1, 0).log_mass - mass);
  // E[p^2] - E[p]^2 = E[p] (1 - E[p]) - E[p (1 - p)]: the subtracted term is small where the variance is.
  const double spread = std::exp(integrate_tilted(x, p, 1, 1).log_mass - mass);
  return Beta::from_mean_variance(mean, mean * (1 - mean) - spread);
}

double LogisticFactor::log_evidence(const Gaussian& x, const Beta& p) { return integrate_tilted(x, p, 0, 0).log_mass; }

FactorFunctions logistic_sampler() {
  return {.name = "logistic", .sample = [](std::span<const double> x, Random&) { return sigmoid(x[0]); }};
}

Tilted LogisticOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  if (std::holds_alternative<Point>(incoming[0]) || std::holds_alternative<Point>(incoming[1]))
    return tilted_by_known(slot, incoming);
  const Beta& p = std::get<Beta>(incoming[0]);
  const Gaussian& x = std::get<Gaussian>(incoming[1]);
  if (slot == 1 && (p == kIsTrue || p == kIsFalse)) {
    Tilted result = tilted_by_label(x, p == kIsTrue);
    result.log_mass -= p.log_normalizer();
    return result;
  }
  const double log_mass = LogisticFactor::log_evidence(x, p) - p.log_normalizer();
  if (slot == 1) return {.marginal = LogisticFactor::marginal_of_x(x, p), .log_mass = log_mass};
  return {.marginal = LogisticFactor::marginal_of_p(x, p), .log_mass = log_mass};
}

Tilted LogisticOperator::tilted_by_known(std::size_t slot, std::span<const Message> incoming) const {
  const auto* known_p = std::get_if<Point>(&incoming[0]);
  const auto* known_x = std::get_if<Point>(&incoming[1]);
  const double x = known_x ? known_x->value : std::log(known_p->value) - std::log1p(-known_p->value);
  const double p = known_p ? known_p->value : sigmoid(x);
  constexpr double kAgreement = 1e-12;
  if (known_p && known_x && std::abs(p - sigmoid(x)) > kAgreement)
    throw InputError({}, "factor 'logistic': both its variables are known, and contradict each other: zero mass",
                     "Observe only one of them");
  Tilted result = {.marginal = slot == 0 ? Point{p} : Point{x}};
  if (!known_p) result.log_mass = std::get<Beta>(incoming[0]).log_density(p);
  else if (!known_x)  // the density of p is that of x over dp / dx
    result.log_mass = std::get<Gaussian>(incoming[1]).log_density(x) - std::log(p) - std::log1p(-p);
  return result;
}

Tilted LogisticOperator::tilted_by_label(const Gaussian& x, bool label) const {
  constexpr double kNarrow = .25, kMiddling = .8, kWidest = 2;
  const double deviation = std::sqrt(x.variance()), sign = label ? 1 : -1;
  if (deviation > kWidest) {
    const Beta p = label ? kIsTrue : kIsFalse;
    return {.marginal = LogisticFactor::marginal_of_x(x, p), .log_mass = LogisticFactor::log_evidence(x, p)};
  }
  const GaussHermite& rule = deviation < kNarrow ? few_ : deviation < kMiddling ? some_ : many_;
  double mass = 0, first = 0, second = 0;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const double z = deviation * rule.nodes[k];
    const double weight = rule.weights[k] / (1 + std::exp(-sign * (x.mean() + z)));
    mass += weight;
    first += weight * z;
    second += weight * z * z;
  }
  const double shift = first / mass;
  return {.marginal = Gaussian::from_mean_variance(x.mean() + shift, second / mass - shift * shift),
          .log_mass = std::log(mass)};
}

}  // namespace fovea::ep
