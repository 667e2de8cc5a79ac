// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/running_moments.h"
#include "fovea/mcmc/subsample/without_replacement.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// Law from which the error of a decision is computed.
enum class DecisionLaw { kNormal, kBernstein };
constexpr auto words_of(DecisionLaw) {
  using enum DecisionLaw;
  return std::array{Word{kNormal, "normal"}, Word{kBernstein, "bernstein"}};
}

struct SequentialRuleOptions {
  double error = 0.05;  ///< a decision differs from ExactRule's with the same u with at most this probability
  int minimum = 16;     ///< factors at the first look; each further look doubles them
  DecisionLaw law = DecisionLaw::kNormal;

  static void describe(auto&& visit) {
    visit(&SequentialRuleOptions::error,
          number_in(0, 1, "decision-error", "Maximum probability that a decision differs from that by all factors."));
    visit(&SequentialRuleOptions::minimum, number_from(4, "first-look", "Number of factors at the first look."));
    visit(&SequentialRuleOptions::law,
          option("decision-law",
                 "Law from which the error is computed: that of a normal mean, or Bernstein's inequality, which always "
                 "holds but needs bounded factors and more of them."));
  }
};

/// The decision needs only the side of the threshold log u - log_proposal_ratio on which the sum lies. Factors are
/// drawn, in doubling numbers, until the estimate is clear of the threshold (Korattikara, Chen and Welling 2014,
/// "Austerity in MCMC land"). Strata are drawn in proportion to their sizes, and their variances are added.
///
/// The error is divided equally among the looks. The half width of the interval around the sum of all differences is,
/// by `law`,
///
///   normal:     t sqrt(sum_k N_k^2 v_k), t the quantile of Student's law, v_k the variance of stratum k's mean;
///   bernstein:  sum_k N_k (s_k sqrt(2 rho_k l / n_k) + (7/3 + 3/sqrt 2) 2 bound l / n_k), l = log(5 / error),
///               rho_k = 1 - (n_k - 1)/N_k up to n_k = N_k/2, then (1 - n_k/N_k)(1 + 1/n_k): Bardenet and Maillard
///               2015, theorem 4.
class SequentialRule {
 public:
  using TargetLaw = Approximate;

  explicit SequentialRule(const SequentialRuleOptions& options);

  template <FactorChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    const double threshold = -random.exponential() - log_proposal_ratio;
    begin(strata_of(change));
    while (true) {
      for (Stratum& stratum : strata_)
        while (stratum.moments.count() < stratum.wanted) {
          const double difference = change.difference(stratum.range.begin + stratum.draws.next(random));
          if (!std::isfinite(difference)) return {difference > 0, factors() + 1};
          stratum.moments.add(difference);
        }
      const double sum = estimate();
      if (all_drawn() || std::abs(sum - threshold) > half_width(bound_of(change))) return {sum > threshold, factors()};
      look_further();
    }
  }

 private:
  struct Stratum {
    FactorRange range;
    RunningMoments moments;
    std::size_t wanted = 0;
    WithoutReplacement draws;
  };

  template <class Change>
  double bound_of(const Change& change) const {
    if constexpr (BoundedChange<Change>) return change.bound();
    else return std::numeric_limits<double>::infinity();
  }

  void begin(const std::array<FactorRange, 2>& ranges);
  void look_further();
  std::size_t factors() const { return strata_[0].moments.count() + strata_[1].moments.count(); }
  bool all_drawn() const { return factors() == population_; }
  double estimate() const;
  double half_width(double bound);
  double quantile();
  double normal_half_width();
  double bernstein_half_width(double bound) const;

  SequentialRuleOptions options_;
  bool is_normal_;
  std::array<Stratum, 2> strata_;
  std::size_t population_ = 0, looks_ = 0, look_ = 0, wanted_ = 0;
  std::vector<std::vector<double>> quantiles_;  // [looks][look]: of Student's law, filled as they are needed
};

}  // namespace fovea::mcmc
