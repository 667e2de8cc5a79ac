// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(log_odds x) over x = 0, 1: T(x) = x.
struct Bernoulli : ExponentialFamily<Bernoulli, std::array<double, 1>> {
  static constexpr const char* kName = "bernoulli";

  static Bernoulli from_log_odds(double log_odds) { return {{{log_odds}}}; }
  static Bernoulli from_probability(double p) { return from_log_odds(std::log(p) - std::log1p(-p)); }
  static Bernoulli from_expected_statistics(const Parameters& statistics) { return from_probability(statistics[0]); }

  double log_odds() const { return natural[0]; }
  double probability() const { return sigmoid(natural[0]); }

  bool is_proper() const { return !std::isnan(natural[0]); }
  /// log(1 + exp(log_odds)).
  double log_normalizer() const {
    return natural[0] > 0 ? natural[0] + std::log1p(std::exp(-natural[0])) : std::log1p(std::exp(natural[0]));
  }
  double log_density(bool x) const { return (x ? natural[0] : 0) - log_normalizer(); }
  Parameters expected_statistics() const { return {probability()}; }

  friend bool operator==(const Bernoulli&, const Bernoulli&) = default;
};

/// exp(natural[x]) over x = 0 .. k - 1: T(x) is the indicator of x. Scores may be -inf, but not all of them.
struct Categorical : ExponentialFamily<Categorical, std::vector<double>> {
  static constexpr const char* kName = "categorical";

  static Categorical uniform(std::size_t size) { return {{std::vector<double>(size)}}; }
  static Categorical from_scores(std::vector<double> scores) { return {{std::move(scores)}}; }
  /// Probabilities must not all be 0; they need not sum to 1.
  static Categorical from_probabilities(std::vector<double> probabilities) {
    for (double& p : probabilities) p = std::log(p);
    return from_scores(std::move(probabilities));
  }
  static Categorical from_expected_statistics(const Parameters& statistics) { return from_probabilities(statistics); }

  bool is_proper() const {
    return std::ranges::none_of(natural, [](double score) { return std::isnan(score) || score == HUGE_VAL; }) &&
           std::ranges::any_of(natural, [](double score) { return std::isfinite(score); });
  }
  double log_normalizer() const {
    const double best = *std::ranges::max_element(natural);
    double sum = 0;
    for (const double score : natural) sum += std::exp(score - best);
    return best + std::log(sum);
  }
  double log_density(std::size_t x) const { return natural[x] - log_normalizer(); }
  Parameters expected_statistics() const {
    const double total = log_normalizer();
    Parameters probabilities = natural;
    for (double& p : probabilities) p = std::exp(p - total);
    return probabilities;
  }

  friend bool operator==(const Categorical&, const Categorical&) = default;
};

/// KL(p || q). Values that p rules out do not count; the result is infinite if q rules out a value that p allows.
inline double kl_divergence(const Categorical& p, const Categorical& q) {
  const double log_p = p.log_normalizer(), log_q = q.log_normalizer();
  double sum = 0;
  for (std::size_t x = 0; x < p.natural.size(); ++x)
    if (std::isfinite(p.natural[x]))
      sum += std::exp(p.natural[x] - log_p) * (p.natural[x] - log_p - q.natural[x] + log_q);
  return std::max(0., sum);
}

/// exp(log_rate x) / x! over x = 0, 1, 2, ...: T(x) = x. The base measure 1 / x! belongs to the variable and counts
/// once: messages multiply only the factors exp(log_rate x), and a message with log rate 0 carries no information.
struct Poisson : ExponentialFamily<Poisson, std::array<double, 1>> {
  static constexpr const char* kName = "poisson";

  static Poisson from_log_rate(double log_rate) { return {{{log_rate}}}; }
  /// mean > 0.
  static Poisson from_mean(double mean) { return from_log_rate(std::log(mean)); }
  static Poisson from_expected_statistics(const Parameters& statistics) { return from_mean(statistics[0]); }

  double log_rate() const { return natural[0]; }
  double mean() const { return std::exp(natural[0]); }

  bool is_proper() const { return std::isfinite(natural[0]); }
  double log_normalizer() const { return mean(); }
  double log_density(double x) const { return natural[0] * x - std::lgamma(x + 1) - log_normalizer(); }
  Parameters expected_statistics() const { return {mean()}; }

  friend bool operator==(const Poisson&, const Poisson&) = default;
};

}  // namespace fovea::ep
