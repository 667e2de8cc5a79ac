// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/linear_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "fovea/optimize/lbfgs.h"

namespace fovea::synthesis {
namespace {

constexpr std::size_t kMostRows = 4000, kMostFeatures = 300, kMostPairColumns = 7;
/// Strengths of the L1 penalty, as shares of the number of rows.
constexpr std::array<double, LinearScores::kLassos> kLassoPenalties = {.1, .03, .01, .003, .001, .0001};
/// Log odds of the class at the bounds of a score.
constexpr std::array kLogOdds = {-2.0, -1.0, -.4, 0.0, .4, 1.0, 2.0};
/// The penalty also meets the intercept; as a feature of this size it hardly does.
constexpr double kIntercept = 100;
/// A little of an L2 penalty keeps separable rows from growing without bound.
constexpr double kRidge = 1e-3;

/// -log likelihood of a logistic regression over standardised features and an intercept, which comes last.
class LogisticLoss {
 public:
  using Real = double;

  LogisticLoss(const std::vector<std::vector<double>>& features, const std::vector<double>& signs,
               const std::vector<double>& weights)
      : features_(features), signs_(signs), weights_(weights), scores_(signs.size()) {}

  std::size_t dimension() const { return features_.size() + 1; }

  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const std::size_t n = signs_.size();
    std::fill(scores_.begin(), scores_.end(), kIntercept * x.back());
    for (std::size_t j = 0; j < features_.size(); ++j)
      if (x[j] != 0)
        for (std::size_t i = 0; i < n; ++i) scores_[i] += x[j] * features_[j][i];
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double margin = signs_[i] * scores_[i];
      loss += weights_[i] * (margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin);
      scores_[i] = -weights_[i] * signs_[i] / (1 + std::exp(margin));
    }
    for (std::size_t j = 0; j < features_.size(); ++j) {
      gradient[j] = kRidge * x[j] + std::inner_product(scores_.begin(), scores_.end(), features_[j].begin(), 0.0);
      loss += kRidge * x[j] * x[j] / 2;
    }
    gradient.back() = kIntercept * std::accumulate(scores_.begin(), scores_.end(), 0.0);
    return loss;
  }

 private:
  const std::vector<std::vector<double>>& features_;
  const std::vector<double>&signs_, &weights_;
  std::vector<double> scores_;  // of rows; then the derivative of the loss by them
};

/// The coefficients, and then the intercept.
std::vector<double> logistic_fit(const std::vector<std::vector<double>>& features, const std::vector<double>& signs,
                                 const std::vector<double>& weights, double l1) {
  LogisticLoss loss(features, signs, weights);
  std::vector<double> x(loss.dimension());
  optimize::LbfgsOptions options;
  options.stopping.max_iterations = 200;
  options.l1 = l1;
  optimize::LbfgsState<double> state;
  optimize::minimize_lbfgs(loss, std::span<double>(x), options, state);
  x.back() *= kIntercept;
  return x;
}

/// Rounded to two digits.
double short_number(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 1);
  const double digits = std::round(value / unit);
  return unit >= 1 ? digits * unit : digits / std::round(1 / unit);
}

class ScoreMaker {
 public:
  ScoreMaker(const RuleExamples& examples, const std::vector<bool>& positive, Random random) : examples_(examples) {
    const std::size_t count = examples.table.row_count;
    for (std::size_t i = 0; i < count; ++i)
      if (count <= kMostRows || random.bernoulli(static_cast<double>(kMostRows) / static_cast<double>(count)))
        rows_.push_back(i);
    for (const std::size_t row : rows_) {
      signs_.push_back(positive[row] ? 1 : -1);
      weights_.push_back(examples.weight(row));
    }
    for (std::size_t c = 0; c < examples.table.columns.size(); ++c) {
      const RuleColumn& column = examples.table.columns[c];
      if (column.is_numeric) add_number(c);
      else
        for (std::size_t k = 0; k < column.names.size(); ++k) add_category(c, static_cast<std::int32_t>(k));
    }
  }

  LinearScores scores() {
    LinearScores result;
    std::vector<double> importance(features_.size());
    std::vector<std::size_t> all(features_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const double penalty : kLassoPenalties) {
      const std::vector<double> weights =
          logistic_fit(features_, signs_, weights_, penalty * static_cast<double>(rows_.size()));
      for (std::size_t j = 0; j < features_.size(); ++j) importance[j] += std::abs(weights[j]);
      result.lassos.push_back(score_of(weights, all));
    }
    std::sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return importance[a] > importance[b]; });
    const std::size_t best = std::min(kMostPairColumns, all.size());
    for (std::size_t a = 0; a < best; ++a)
      for (std::size_t b = a + 1; b < best; ++b)
        result.pairs.push_back(
            score_of(logistic_fit({features_[all[a]], features_[all[b]]}, signs_, weights_, 0), {all[a], all[b]}));
    return result;
  }

 private:
  void add_number(std::size_t c) {
    const RuleColumn& column = examples_.table.columns[c];
    double total = 0, squares = 0, count = 0;
    for (const std::size_t row : rows_)
      if (!column.is_missing(row)) {
        total += column.numbers[row];
        ++count;
      }
    if (count == 0) return;
    const double mean = short_number(total / count);  // what a missing number counts as
    for (const std::size_t row : rows_)
      if (!column.is_missing(row)) squares += (column.numbers[row] - mean) * (column.numbers[row] - mean);
    const double scale = std::sqrt(squares / count);
    if (!(scale > 0) || !std::isfinite(scale)) return;
    std::vector<double> feature;
    for (const std::size_t row : rows_)
      feature.push_back(((column.is_missing(row) ? mean : column.numbers[row]) - total / count) / scale);
    add({.column = c, .if_missing = mean}, total / count, scale, std::move(feature));
  }

  void add_category(std::size_t c, std::int32_t category) {
    const RuleColumn& column = examples_.table.columns[c];
    std::vector<double> feature;
    double count = 0;
    for (const std::size_t row : rows_) {
      feature.push_back(column.categories[row] == category ? 1 : 0);
      count += feature.back();
    }
    const double share = count / static_cast<double>(std::max<std::size_t>(rows_.size(), 1));
    const double scale = std::sqrt(share * (1 - share));
    if (!(scale > 0)) return;
    for (double& value : feature) value = (value - share) / scale;
    add({.column = c, .category = category}, share, scale, std::move(feature));
  }

  void add(const RuleSummand& summand, double mean, double scale, std::vector<double> feature) {
    if (features_.size() >= kMostFeatures) return;
    summands_.push_back(summand);
    means_.push_back(mean);
    scales_.push_back(scale);
    features_.push_back(std::move(feature));
  }

  /// The weights of standardised features as coefficients of columns. Those that hardly matter are left out.
  LinearScore score_of(const std::vector<double>& weights, const std::vector<std::size_t>& of) const {
    double largest = 0;
    for (std::size_t i = 0; i < of.size(); ++i) largest = std::max(largest, std::abs(weights[i]));
    LinearScore score;
    double offset = weights[of.size()];  // log odds minus the sum, on average over the rows
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (std::abs(weights[i]) < .02 * largest) continue;
      RuleSummand summand = summands_[of[i]];
      summand.coefficient = short_number(weights[i] / scales_[of[i]]);
      if (summand.coefficient == 0) continue;
      score.sum.push_back(summand);
      offset -= summand.coefficient * means_[of[i]];
    }
    score.even = -offset;
    for (const double odds : kLogOdds) score.bounds.push_back(odds - offset);
    return score;
  }

  const RuleExamples& examples_;
  std::vector<std::size_t> rows_;
  std::vector<double> signs_, weights_;        // [row looked at]
  std::vector<RuleSummand> summands_;          // [feature]
  std::vector<double> means_, scales_;         // [feature], of the columns
  std::vector<std::vector<double>> features_;  // [feature][row looked at], mean 0, deviation 1
};

}  // namespace

LinearScores linear_scores(const RuleExamples& examples, const std::vector<bool>& positive, Random random) {
  return ScoreMaker(examples, positive, random).scores();
}

RuleAtom likelier_than_not(const LinearScore& score) {
  if (score.sum.size() > 1) return {.kind = RuleAtom::Kind::kAbove, .sum = score.sum, .bound = score.even};
  RuleSummand one = score.sum[0];
  const double coefficient = std::exchange(one.coefficient, 1);
  const bool is_more = coefficient > 0;
  if (one.category == RuleColumn::kMissingCategory)
    return {.kind = is_more ? RuleAtom::Kind::kAbove : RuleAtom::Kind::kAtMost,
            .sum = {{.column = one.column}},
            .bound = score.even / coefficient};
  return {.kind = is_more ? RuleAtom::Kind::kIs : RuleAtom::Kind::kIsNot, .sum = {one}};
}

}  // namespace fovea::synthesis
