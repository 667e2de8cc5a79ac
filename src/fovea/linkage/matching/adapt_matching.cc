// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/adapt_matching.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "fovea/base/log_math.h"
#include "fovea/linkage/comparison/comparison_meter.h"

namespace fovea::linkage {
namespace {

constexpr int kMostIterations = 100;
constexpr double kTolerance = 1e-4;  // nats

/// True if no level of agreement says more than another.
bool knows_nothing(const std::vector<double>& weights) {
  constexpr double kNothing = 1e-6;
  const auto [least, most] = std::minmax_element(weights.begin() + kMissingLevel + 1, weights.end());
  return *most - *least < kNothing;
}

class Adaptation {
 public:
  Adaptation(const MatchModel& model, std::span<const BlockingRule> rules, const CandidatePairs& candidates,
             const Run& run)
      : comparisons_(model.comparisons()), meter_(run.stop, "adapting the model"), adapted_{model.parameters()} {
    for (const BlockingRule& rule : rules) {
      others_.emplace_back();
      for (const Comparison& comparison : comparisons_)
        others_.back().push_back(std::ranges::find_first_of(rule.columns(), comparison.columns()) ==
                                 rule.columns().end());
    }
    draw(model, candidates, run);
    adapted_.pairs = scores_.size();
    all_pairs_ = static_cast<double>(candidates.scope().pair_count(static_cast<std::uint32_t>(candidates.row_count())));
  }

  AdaptedMatching fit() {
    if (scores_.empty()) return adapted_;
    const bool has_related = adapted_.parameters.mixture.has_related();
    if (!has_related) learn_unknown();
    if (has_related) estimate_shares();
    else estimate_prior();
    return adapted_;
  }

 private:
  void draw(const MatchModel& model, const CandidatePairs& candidates, const Run& run) {
    constexpr double kMost = 400000;
    double count = 0;
    for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
      count += static_cast<double>(candidates.pair_count(rule));
    const double share = std::min(kMost / count, .999999);
    drawn_share_ = share;
    const std::vector<CandidatePairs::Chunk> chunks = candidates.chunks();
    std::vector<Level> levels;
    for (std::size_t i = 0; i < chunks.size(); ++i)
      candidates.for_each_drawn(chunks[i], share, run.random.child("adapt", i), [&](RowPair pair, bool is_first) {
        if (!is_first) return;
        meter_.count();
        scores_.push_back(model.score(pair));
        compare_rows(comparisons_, pair.first, pair.second, levels);
        levels_.insert(levels_.end(), levels.begin(), levels.end());
        for (std::size_t c = 0; c < comparisons_.size(); ++c) is_free_.push_back(is_free(candidates, pair, c));
      });
  }

  /// True if some rule that does not read the comparison's columns brings the pair together.
  bool is_free(const CandidatePairs& candidates, RowPair pair, std::size_t c) const {
    for (std::size_t rule = 0; rule < others_.size(); ++rule)
      if (others_[rule][c] && candidates.is_of_rule(pair, rule)) return true;
    return false;
  }

  std::span<const Level> levels(std::size_t pair) const {
    return std::span(levels_).subspan(pair * comparisons_.size(), comparisons_.size());
  }

  void learn_unknown() {
    LevelTable& weights = adapted_.parameters.weights.weights;
    for (std::size_t c = 0; c < weights.size(); ++c)
      if (weights[c].size() > 2 && knows_nothing(weights[c]) && has_values(c)) forget(c);
    for (int iteration = 0; iteration < kMostIterations && !unknown_.empty(); ++iteration) {
      meter_.look();
      const std::vector<double> matches = probabilities();
      double change = 0;
      for (const std::size_t c : unknown_) change = std::max(change, learn(c, matches));
      if (change < kTolerance) break;
    }
    for (std::size_t j = 0; j < scores_.size(); ++j)
      for (const std::size_t c : unknown_) scores_[j] += weights[c][levels(j)[c]];
    for (const std::size_t c : unknown_) adapted_.learned.push_back(comparisons_[c].text());
  }

  bool has_values(std::size_t c) const {
    for (std::size_t j = 0; j < scores_.size(); ++j)
      if (levels(j)[c] != kMissingLevel) return true;
    return false;
  }

  /// Takes what a missing value counts to the prior, where all were missing.
  void forget(std::size_t c) {
    std::vector<double>& weights = adapted_.parameters.weights.weights[c];
    const double missing = weights[kMissingLevel];
    adapted_.parameters.weights.prior_log_odds += missing;
    for (std::size_t j = 0; j < scores_.size(); ++j) scores_[j] += missing - weights[levels(j)[c]];
    std::ranges::fill(weights, 0.0);
    unknown_.push_back(c);
  }

  /// E-step.
  std::vector<double> probabilities() const {
    std::vector<double> matches(scores_.size());
    for (std::size_t j = 0; j < scores_.size(); ++j) {
      double score = scores_[j];
      for (const std::size_t c : unknown_) score += adapted_.parameters.weights.weights[c][levels(j)[c]];
      matches[j] = sigmoid(score);
    }
    return matches;
  }

  /// M-step: sets the weights of a comparison; returns by how much they change at most.
  double learn(std::size_t c, const std::vector<double>& matches) {
    std::vector<double>& weights = adapted_.parameters.weights.weights[c];
    std::vector<double> m(weights.size()), u(weights.size());
    double of_m = 0, of_u = 0;
    for (std::size_t j = 0; j < matches.size(); ++j) {
      const Level level = levels(j)[c];
      if (level == kMissingLevel || !is_free_[j * comparisons_.size() + c]) continue;
      m[level] += matches[j];
      u[level] += 1 - matches[j];
      of_m += matches[j];
      of_u += 1 - matches[j];
    }
    LevelTable rising = {std::vector<double>(weights.size())}, chance = rising;
    chance[0][kMissingLevel] = 1;
    for (std::size_t l = kMissingLevel + 1; l < weights.size(); ++l) {
      // One pair more in each, of which both have the same share.
      const double share = (m[l] + u[l] + 1) / (of_m + of_u + static_cast<double>(weights.size()));
      chance[0][l] = (u[l] + share) / (of_u + 1);
      rising[0][l] = std::log((m[l] + share) / (of_m + 1) / chance[0][l]);
    }
    make_monotone(rising, chance, std::vector<std::size_t>{comparisons_[c].kind().levels.size() - 1});
    double change = 0;
    for (std::size_t l = 0; l < weights.size(); ++l) change = std::max(change, std::abs(rising[0][l] - weights[l]));
    weights = std::move(rising[0]);
    return change;
  }

  /// The share of matches for models whose prior is one among all pairs: it is small then.
  void estimate_prior() {
    constexpr double kMostOfAllPairs = -4;  // log odds
    double& prior = adapted_.parameters.weights.prior_log_odds;
    if (prior > kMostOfAllPairs) return;
    adapted_.share_before = sigmoid(prior);
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      meter_.look();
      double sum = 0;
      for (const double score : scores_) sum += sigmoid(score);
      const double next = log_odds(share_of(sum)), change = next - prior;
      for (double& score : scores_) score += change;
      prior = next;
      if (std::abs(change) < kTolerance) break;
    }
    adapted_.share_after = sigmoid(prior);
  }

  /// The same for the shares of all classes of a mixture.
  void estimate_shares() {
    MatchMixture& mixture = adapted_.parameters.mixture;
    adapted_.share_before = mixture.match_share();
    std::vector<PairClass>& classes = mixture.classes;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      meter_.look();
      const MixtureScore scorer(mixture);
      std::vector<double> sums(classes.size());
      for (std::size_t j = 0; j < scores_.size(); ++j) {
        MixtureScore::Sums logs = scorer.start();
        for (std::size_t c = 0; c < comparisons_.size(); ++c) scorer.add(logs, c, levels(j)[c], 0);
        const double all = log_sum(std::span<const double>(logs).first(classes.size() + 1));
        for (std::size_t k = 0; k < classes.size(); ++k) sums[k] += std::exp(logs[k] - all);
      }
      double change = 0;
      for (std::size_t k = 0; k < classes.size(); ++k) {
        const double share = share_of(sums[k]);
        change = std::max(change, std::abs(std::log(share / classes[k].share)));
        classes[k].share = share;
      }
      if (change < kTolerance) break;
    }
    adapted_.share_after = mixture.match_share();
  }

  /// Share of all pairs, given the number of drawn candidate pairs; not 0.
  double share_of(double drawn) const { return std::max(drawn / drawn_share_, .5) / all_pairs_; }
  static double log_odds(double share) { return std::log(share) - std::log1p(-share); }

  std::span<const Comparison> comparisons_;
  ComparisonMeter meter_;
  AdaptedMatching adapted_;
  std::vector<std::size_t> unknown_;       // comparisons to learn
  std::vector<double> scores_;             // [pair] by what the model knows
  std::vector<Level> levels_;              // [pair][comparison]
  std::vector<bool> is_free_;              // the same
  std::vector<std::vector<bool>> others_;  // [rule][comparison] whether they read different columns
  double drawn_share_ = 1, all_pairs_ = 1;
};

}  // namespace

std::string AdaptedMatching::brief() const {
  if (learned.empty() && share_after == 0)
    return "the model knows all comparisons that have values, and its prior is of labels: nothing is adapted";
  std::string text = "the model is adapted:";
  if (!learned.empty()) text += fmt::format(" {} learned from {} pairs;", fmt::join(learned, ", "), pairs);
  if (share_after > 0)
    text += fmt::format(" share of matches among all pairs {:.3g}, {:.3g} before;", share_after, share_before);
  text.pop_back();
  return text;
}

AdaptedMatching adapt_matching(const MatchModel& model, std::span<const BlockingRule> rules,
                               const CandidatePairs& candidates, const Run& run) {
  return Adaptation(model, rules, candidates, run).fit();
}

}  // namespace fovea::linkage
