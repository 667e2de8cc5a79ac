// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/label_correction.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "fovea/base/log_math.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kFolds = 5;
constexpr std::array kL2 = {.3, 1., 3., 10., 30., 100.};  // standard deviations of 1.3 to .07 nats

double sign_of(const LabelledExample& example) { return example.is_match ? 1 : -1; }

/// f(d), divided by the total weight.
class CorrectionObjective {
 public:
  using Real = double;

  CorrectionObjective(std::span<const LabelledExample* const> examples, std::span<const UnlabelledExample> unlabelled,
                      const std::vector<std::size_t>& level_counts, double l2)
      : examples_(examples), unlabelled_(unlabelled), l2_(l2) {
    for (const std::size_t levels : level_counts) {
      first_.push_back(dimension_);
      dimension_ += levels;
    }
    for (const LabelledExample* example : examples) total_ += example->weight;
    for (const UnlabelledExample& example : unlabelled) total_ += example.weight;
  }

  std::size_t dimension() const { return dimension_; }

  double evaluate(std::span<const double> d, std::span<double> gradient) const {
    std::ranges::fill(gradient, 0.0);
    double sum = 0;
    for (const LabelledExample* example : examples_) {
      const double y = sign_of(*example), margin = y * score(*example, d);
      sum += example->weight * add_logs(0, -margin);
      add_slope(*example, -y * example->weight * sigmoid(-margin), gradient);
    }
    for (const UnlabelledExample& example : unlabelled_) {
      const double before = sigmoid(example.score), now = score(example, d);
      sum += example.weight * (before * add_logs(0, -now) + (1 - before) * add_logs(0, now));
      add_slope(example, example.weight * (sigmoid(now) - before), gradient);
    }
    for (std::size_t j = 0; j < d.size(); ++j) {
      sum += l2_ * d[j] * d[j];
      gradient[j] += 2 * l2_ * d[j];
    }
    for (double& g : gradient) g /= total_;
    return sum / total_;
  }

  template <class Example>
  double score(const Example& example, std::span<const double> d) const {
    double score = example.score + d[0];
    for (std::size_t c = 0; c < first_.size(); ++c) score += d[first_[c] + example.levels[c]];
    return score;
  }

  MatchWeights weights(std::span<const double> d, const std::vector<std::size_t>& level_counts) const {
    MatchWeights weights{.prior_log_odds = d[0]};
    for (std::size_t c = 0; c < first_.size(); ++c) {
      const auto row = d.subspan(first_[c], level_counts[c]);
      weights.weights.emplace_back(row.begin(), row.end());
    }
    return weights;
  }

 private:
  template <class Example>
  void add_slope(const Example& example, double slope, std::span<double> gradient) const {
    gradient[0] += slope;
    for (std::size_t c = 0; c < first_.size(); ++c) gradient[first_[c] + example.levels[c]] += slope;
  }

  std::span<const LabelledExample* const> examples_;
  std::span<const UnlabelledExample> unlabelled_;
  double l2_, total_ = 0;
  std::size_t dimension_ = 1;
  std::vector<std::size_t> first_;  // [comparison] parameter of its level 0
};

using Examples = std::vector<const LabelledExample*>;

bool has_both_labels(const Examples& examples) {
  const auto is_match = [](const LabelledExample* example) { return example->is_match; };
  return std::ranges::any_of(examples, is_match) && !std::ranges::all_of(examples, is_match);
}

std::vector<double> minimise(const CorrectionObjective& objective) {
  std::vector<double> d(objective.dimension(), 0);
  const optimize::LbfgsOptions options{
      .stopping = {.max_iterations = 300, .gradient_tolerance = 1e-6, .decrease_tolerance = 1e-9}};
  optimize::minimize_lbfgs(objective, std::span(d), options);
  return d;
}

/// Examples of one fold, and those that share no group with it.
struct Fold {
  Examples held_out, others;
};

std::vector<Fold> deal(const std::vector<LabelledExample>& examples, Random random) {
  tsl::robin_map<std::uint32_t, std::uint32_t> fold_of;
  const auto fold = [&](std::uint32_t group) {
    return fold_of.try_emplace(group, random.child("group", group).uniform_index(kFolds)).first->second;
  };
  std::vector<Fold> folds(kFolds);
  for (const LabelledExample& example : examples) {
    const std::uint32_t first = fold(example.first_group), second = fold(example.second_group);
    for (std::uint32_t k = 0; k < kFolds; ++k) {
      if (first == k && second == k) folds[k].held_out.push_back(&example);
      if (first != k && second != k) folds[k].others.push_back(&example);
    }
  }
  std::erase_if(folds, [](const Fold& f) { return !has_both_labels(f.others) || f.held_out.empty(); });
  return folds;
}

/// Mean log loss of pairs that were held out. Of two groups, both fall into one fold for a fifth of the pairs only, so
/// those count five times.
double held_out_loss(const Fold& fold, const CorrectionObjective& objective, std::span<const double> d) {
  double sum = 0, total = 0;
  for (const LabelledExample* example : fold.held_out) {
    const double weight = example->weight * (example->first_group == example->second_group ? 1 : kFolds);
    sum += weight * add_logs(0, -sign_of(*example) * objective.score(*example, d));
    total += weight;
  }
  return sum / total;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(std::span<const double> values) {
  double squares = 0;
  for (const double value : values) squares += (value - mean(values)) * (value - mean(values));
  const auto n = static_cast<double>(values.size());
  return n > 1 ? std::sqrt(squares / (n - 1) / n) : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string LabelCorrection::brief() const {
  if (matches == 0 || matches == pairs)
    return fmt::format("the {} labelled pair(s) {}, which teaches no weights; what was learned without them stays",
                       pairs, matches == 0 ? "do not match" : "all match");
  if (loss_without == 0)
    return fmt::format("{} labelled pairs agree in too few ways to learn from; what was learned without them stays",
                       pairs);
  const std::string losses =
      fmt::format("{} labelled pairs: log loss of those held out {:.4g} without labels, {:.4g} with them", pairs,
                  loss_without, loss_with);
  return losses + (helps ? "" : "; they do not help, and what was learned without them stays");
}

LabelCorrection correct_by_labels(const std::vector<std::size_t>& level_counts,
                                  const std::vector<LabelledExample>& examples,
                                  const std::vector<UnlabelledExample>& unlabelled, Random random,
                                  const std::function<void()>& look) {
  LabelCorrection correction{.pairs = examples.size()};
  for (const std::size_t levels : level_counts) correction.weights.weights.emplace_back(levels);
  Examples all;
  for (const LabelledExample& example : examples) all.push_back(&example);
  correction.matches = static_cast<std::size_t>(std::ranges::count_if(examples, &LabelledExample::is_match));
  if (!has_both_labels(all)) return correction;
  const std::vector<Fold> folds = deal(examples, random);
  std::vector<double> without;
  for (const Fold& fold : folds) {
    const CorrectionObjective objective(fold.others, {}, level_counts, 0);
    without.push_back(held_out_loss(fold, objective, std::vector<double>(objective.dimension())));
  }
  if (folds.size() < 2) return correction;
  correction.loss_without = mean(without);
  correction.loss_with = std::numeric_limits<double>::infinity();
  for (const double l2 : kL2) {
    std::vector<double> with, falls;
    for (std::size_t k = 0; k < folds.size(); ++k) {
      look();
      const CorrectionObjective objective(folds[k].others, unlabelled, level_counts, l2);
      with.push_back(held_out_loss(folds[k], objective, minimise(objective)));
      falls.push_back(without[k] - with[k]);
    }
    if (mean(with) >= correction.loss_with) continue;
    correction.loss_with = mean(with);
    correction.l2 = l2;
    correction.helps = mean(falls) > standard_error(falls);
  }
  if (!correction.helps) {
    correction.l2 = 0;
    return correction;
  }
  const CorrectionObjective objective(all, unlabelled, level_counts, correction.l2);
  correction.weights = objective.weights(minimise(objective), level_counts);
  return correction;
}

}  // namespace fovea::linkage
