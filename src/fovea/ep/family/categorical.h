// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/ep/family/exponential_family.h"

namespace fovea::ep {

/// exp(natural[x]) over x = 0 .. k - 1: T(x) is the indicator of x. Scores may be -inf, but not all of them.
struct Categorical : ExponentialFamily<Categorical, std::vector<double>> {
  static constexpr const char* kName = "categorical";

  static Categorical uniform(std::size_t size) { return {{std::vector<double>(size)}}; }
  static Categorical from_scores(std::vector<double> scores) { return {{std::move(scores)}}; }
  /// Not all 0; need not sum to 1.
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

/// Values that p rules out do not count; infinite where q rules out what p does not.
inline double kl_divergence(const Categorical& p, const Categorical& q) {
  const double log_p = p.log_normalizer(), log_q = q.log_normalizer();
  double sum = 0;
  for (std::size_t x = 0; x < p.natural.size(); ++x)
    if (std::isfinite(p.natural[x]))
      sum += std::exp(p.natural[x] - log_p) * (p.natural[x] - log_p - q.natural[x] + log_q);
  return std::max(0., sum);
}

}  // namespace fovea::ep
