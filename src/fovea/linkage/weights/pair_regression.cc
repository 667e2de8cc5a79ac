// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/pair_regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/parallel.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::linkage {
namespace {

double class_loss(const MatchWeights& weights, const AgreementPatterns& patterns, double sign) {
  double sum = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    sum += patterns.count(i) * add_logs(0, -sign * weights.score(patterns.levels(i)));
  return sum;
}

}  // namespace

PairRegressionObjective::PairRegressionObjective(const LabelledPatterns& pairs, double l2, int threads)
    : pairs_(pairs), l2_(l2), threads_(threads) {
  FOVEA_CHECK(pairs.total() > 0);
  for (const std::size_t levels : pairs.matches.level_counts()) {
    first_.push_back(dimension_);
    dimension_ += levels;
  }
}

std::vector<double> PairRegressionObjective::start() const {
  std::vector<double> start(dimension_);
  start[0] = std::log(pairs_.matches.total() / pairs_.others.total());
  return start;
}

double PairRegressionObjective::evaluate(std::span<const double> w, std::span<double> gradient) const {
  std::ranges::fill(gradient, 0.0);
  double sum = add_class(pairs_.matches, 1, w, gradient) + add_class(pairs_.others, -1, w, gradient);
  for (std::size_t j = 1; j < w.size(); ++j) {
    sum += l2_ * w[j] * w[j];
    gradient[j] += 2 * l2_ * w[j];
  }
  for (double& g : gradient) g /= pairs_.total();
  return sum / pairs_.total();
}

/// Adds shards of patterns, whose sums do not depend on threads, in order.
double PairRegressionObjective::add_class(const AgreementPatterns& patterns, double sign, std::span<const double> w,
                                          std::span<double> gradient) const {
  constexpr std::size_t kShard = 2048;
  const std::size_t shards = (patterns.size() + kShard - 1) / kShard;
  std::vector<double> gradients(shards * w.size());  // [shard][weight]
  const double loss = parallel_sum(patterns.size(), kShard, threads_, [&](std::size_t begin, std::size_t end) {
    return add_patterns(patterns, begin, end, sign, w,
                        std::span(gradients).subspan(begin / kShard * w.size(), w.size()));
  });
  for (std::size_t i = 0; i < gradients.size(); ++i) gradient[i % w.size()] += gradients[i];
  return loss;
}

double PairRegressionObjective::add_patterns(const AgreementPatterns& patterns, std::size_t begin, std::size_t end,
                                             double sign, std::span<const double> w, std::span<double> gradient) const {
  double loss = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::span<const Level> levels = patterns.levels(i);
    double score = w[0];
    for (std::size_t c = 0; c < levels.size(); ++c) score += w[first_[c] + levels[c]];
    loss += patterns.count(i) * add_logs(0, -sign * score);
    const double slope = -sign * patterns.count(i) / (1 + std::exp(sign * score));
    gradient[0] += slope;
    for (std::size_t c = 0; c < levels.size(); ++c) gradient[first_[c] + levels[c]] += slope;
  }
  return loss;
}

MatchWeights PairRegressionObjective::weights(std::span<const double> w) const {
  MatchWeights result{.prior_log_odds = w[0]};
  const auto& level_counts = pairs_.matches.level_counts();
  for (std::size_t c = 0; c < level_counts.size(); ++c) {
    const auto row = w.subspan(first_[c], level_counts[c]);
    result.weights.emplace_back(row.begin(), row.end());
  }
  return result;
}

std::string PairRegressionFit::brief() const {
  if (summary.termination == optimize::Termination::kNotRun) return "match weights: not run";
  return fmt::format(
      "match weights: {} after {} iterations: {:.4g} % of the weight are matches, log loss {:.6g} of {:.6g}",
      optimize::to_string(summary.termination), summary.last.iteration, 100 * match_share, log_loss, base_loss);
}

double log_loss(const MatchWeights& weights, const LabelledPatterns& pairs) {
  FOVEA_CHECK(pairs.total() > 0);
  return (class_loss(weights, pairs.matches, 1) + class_loss(weights, pairs.others, -1)) / pairs.total();
}

PairRegressionFit fit_pair_regression(const LabelledPatterns& pairs, const PairRegressionOptions& options,
                                      int threads) {
  validate(options);
  if (!(pairs.matches.total() > 0 && pairs.others.total() > 0))
    throw InputError({},
                     fmt::format("the labelled pairs have matches of weight {} and other pairs of weight {}; both must "
                                 "be positive",
                                 pairs.matches.total(), pairs.others.total()),
                     "Label more records, or choose blocks in which some records are of one entity and others are not");
  const PairRegressionObjective objective(pairs, options.l2, threads);
  PairRegressionFit fit;
  fit.match_share = pairs.matches.total() / pairs.total();
  std::vector<double> w = objective.start();
  const optimize::LbfgsOptions lbfgs{.stopping = {.max_iterations = options.max_iterations,
                                                  .gradient_tolerance = options.tolerance,
                                                  .decrease_tolerance = 0}};
  fit.summary = optimize::minimize_lbfgs(objective, std::span(w), lbfgs);
  fit.weights = objective.weights(w);
  fit.log_loss = log_loss(fit.weights, pairs);
  const double other_share = pairs.others.total() / pairs.total();
  fit.base_loss = -fit.match_share * std::log(fit.match_share) - other_share * std::log(other_share);
  return fit;
}

}  // namespace fovea::linkage
