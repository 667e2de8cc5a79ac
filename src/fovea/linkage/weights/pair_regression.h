// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/match_weights.h"
#include "fovea/optimize/iteration.h"

namespace fovea::linkage {

/// Pairs that are known to match or not to match, with weights as counts.
struct LabelledPatterns {
  explicit LabelledPatterns(const std::vector<std::size_t>& level_counts)
      : matches(level_counts), others(level_counts) {}

  void add(std::span<const Level> levels, bool is_match, double weight = 1) {
    (is_match ? matches : others).add(levels, weight);
  }
  double total() const { return matches.total() + others.total(); }

  AgreementPatterns matches, others;
};

struct PairRegressionOptions {
  double l2 = .03;  ///< a normal prior with standard deviation 4 nats: 1 / sqrt(2 l2)
  double tolerance = 1e-6;
  int max_iterations = 1000;

  static void describe(auto&& visit) {
    using O = PairRegressionOptions;
    visit(&O::l2,
          number_from(0, "match-l2", "Weight of the penalty l2 * |w|^2, added to the sum of the pairs' log losses."));
    visit(&O::tolerance,
          number_in(1e-12, 1, "match-tolerance", "Stops when |gradient of the mean loss| <= tolerance * max(1, |w|)."));
    visit(&O::max_iterations, number_from(1, "match-iterations", "Maximum number of iterations."));
  }
};

/// Logistic regression of "is a match" on indicators of every level, the missing one too:
///
///   f(w) = 1/W (sum_i weight_i log(1 + exp(-y_i score_i)) + l2 |w|^2),   y_i = +1 or -1,   W = sum_i weight_i
///
/// with score_i = w[0] + sum_c w[first(c) + level of c] as in MatchWeights; the prior w[0] has no penalty.
class PairRegressionObjective {
 public:
  using Real = double;

  /// `pairs` must outlive the object and have a positive total weight. Up to `threads` threads (0: all cores) evaluate
  /// it, with the same result.
  PairRegressionObjective(const LabelledPatterns& pairs, double l2, int threads = 1);

  std::size_t dimension() const { return dimension_; }
  /// Starting point: 0, with the log odds of the pairs' labels as the prior.
  std::vector<double> start() const;
  double evaluate(std::span<const double> w, std::span<double> gradient) const;
  MatchWeights weights(std::span<const double> w) const;

 private:
  double add_class(const AgreementPatterns& patterns, double sign, std::span<const double> w,
                   std::span<double> gradient) const;
  double add_patterns(const AgreementPatterns& patterns, std::size_t begin, std::size_t end, double sign,
                      std::span<const double> w, std::span<double> gradient) const;

  const LabelledPatterns& pairs_;
  double l2_;
  int threads_;
  std::size_t dimension_ = 1;
  std::vector<std::size_t> first_;  // [comparison] parameter of its level 0
};

/// The result; starts as "not run". For data with another prior than the training pairs, add the difference in log odds
/// to weights.prior_log_odds.
struct PairRegressionFit {
  optimize::MinimizeSummary summary;
  MatchWeights weights;    ///< levels never seen have weight 0
  double match_share = 0;  ///< of the training pairs' weight
  double base_loss = 0;    ///< log loss of a constant score: the entropy of match_share
  double log_loss = 0;     ///< of the training pairs under `weights`

  bool usable() const { return summary.usable(); }
  /// One line.
  std::string brief() const;
};

/// Mean of -log P(label | score), nats per unit of weight, for any pairs: training or held out. Total weight > 0.
double log_loss(const MatchWeights& weights, const LabelledPatterns& pairs);

/// Minimises f by L-BFGS. Throws InputError unless there are both matches and other pairs.
PairRegressionFit fit_pair_regression(const LabelledPatterns& pairs, const PairRegressionOptions& options = {},
                                      int threads = 1);

}  // namespace fovea::linkage
