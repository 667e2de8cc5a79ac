// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "fovea/mcmc/subsample/exactness.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/hard_bound_rule.h"
#include "fovea/mcmc/subsample/sequential_rule.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// The ways in which PlannedRule decides.
enum class DecidedBy { kAllFactors, kGroups, kBounds, kDraws };

/// Decides each proposal by the rule that is predicted to be the cheapest of those that are exact enough:
///
///   exact      GroupedRule if statistics save factors, else HardBoundRule if there are many, else ExactRule
///   bounded    these and the SequentialRule
///   estimate   these and the ConfidenceInterval, by the variance of the mean
///   width      these and the ConfidenceInterval, by its width
///   fraction   these and the UniformFraction
///
/// The number of factors to be drawn is predicted from earlier proposals with about the same number of factors. So the
/// rule has a memory: give every chain its own.
class PlannedRule {
 public:
  using TargetLaw = Approximate;  ///< Invariant, if exact

  explicit PlannedRule(const Exactness& exactness)
      : kind_(exactness.kind),
        sequential_({.error = exactness.error, .minimum = kFewest}),
        interval_(ConfidenceInterval(
            {.measure = kind_ == Exactness::Kind::kWidth ? ConfidenceMeasure::kWidth : ConfidenceMeasure::kVariance,
             .threshold = exactness.threshold,
             .minimum = kFewest})),
        fraction_(UniformFraction(exactness.fraction)) {}

  template <FactorChange Change, class Random>
  Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    if (kind_ == Exactness::Kind::kExact) return decide_exactly(change, log_proposal_ratio, random);
    double& forecast = forecasts_[std::bit_width(change.size())];
    if (cost_of_draw(change) * (kFewest + forecast) >= exact_cost(change)) {
      forecast -= forecast / kForgetting;  // draws that have not been tried for long are tried again
      return decide_exactly(change, log_proposal_ratio, random);
    }
    const Decision decision = decide_by_draws(change, log_proposal_ratio, random);
    forecast += (static_cast<double>(decision.factors) - kFewest - forecast) / kLearning;
    return decision;
  }

  /// The rule of the last decision.
  DecidedBy decided_by() const { return decided_by_; }

 private:
  static constexpr int kFewest = 8;            // minimum number of factors drawn; fewer would spoil decisions
  static constexpr std::size_t kMany = 64;     // number of factors from which stopping early pays
  static constexpr double kLearning = 16;      // number of proposals that a forecast remembers
  static constexpr double kForgetting = 1024;  // number of proposals until an unused forecast is forgotten

  template <class Change>
  static double cost_of_draw(const Change& change) {
    if constexpr (DrawnChange<Change>) return change.draw_cost();
    else return 1;
  }

  template <class Change>
  static double exact_cost(const Change& change) {
    if constexpr (GroupedChange<Change>) return static_cast<double>(change.grouped_cost());
    else return static_cast<double>(change.size());
  }

  template <class Change, class Random>
  Decision decide_exactly(const Change& change, double log_proposal_ratio, Random& random) {
    if constexpr (GroupedChange<Change>)
      if (change.grouped_cost() < change.size()) {
        decided_by_ = DecidedBy::kGroups;
        return GroupedRule().decide(change, log_proposal_ratio, random);
      }
    if constexpr (BoundedChange<Change>)
      if (change.size() >= kMany) {
        decided_by_ = DecidedBy::kBounds;
        return HardBoundRule().decide(change, log_proposal_ratio, random);
      }
    decided_by_ = DecidedBy::kAllFactors;
    return ExactRule().decide(change, log_proposal_ratio, random);
  }

  template <class Change, class Random>
  Decision decide_by_draws(const Change& change, double log_proposal_ratio, Random& random) {
    decided_by_ = DecidedBy::kDraws;
    if (kind_ == Exactness::Kind::kBounded) return sequential_.decide(change, log_proposal_ratio, random);
    if (kind_ == Exactness::Kind::kFraction) return fraction_.decide(change, log_proposal_ratio, random);
    return interval_.decide(change, log_proposal_ratio, random);
  }

  Exactness::Kind kind_;
  SequentialRule sequential_;
  EstimateRule<ConfidenceInterval> interval_;
  EstimateRule<UniformFraction> fraction_;
  DecidedBy decided_by_ = DecidedBy::kAllFactors;
  std::array<double, 65> forecasts_ = {};  // [bits of the number of factors]: mean number drawn beyond kFewest
};

}  // namespace fovea::mcmc
