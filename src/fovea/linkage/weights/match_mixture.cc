// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/weights/pair_regression.h"

namespace fovea::linkage {
namespace {

constexpr double kChance = .2;              // share of the matches' divergence up to which a class agrees by chance
constexpr double kLeastByChance = .4;       // share of all divergence that related pairs lack
constexpr double kMostRules = .6;           // rules that reach a related pair, for each that reaches a match
constexpr double kLeastSize = .02;          // of the matches, in pairs: fewer cannot mislead EM
constexpr std::size_t kMostClasses = 4;     // of related pairs
constexpr int kShortRun = 40;               // EM iterations that compare starts
constexpr int kLongRun = 500;               // at most
constexpr double kStartOfShare = 1e-6;      // of all pairs: candidates are few of them
constexpr double kEnough = 1e-10;           // EM ends when log-likelihood rises by less than this part of itself
constexpr double kL2OfAdditiveWeights = 1;  // against thousands of pairs, it only decides what those do not

/// Logarithms of a class's share and levels.
struct LogClass {
  double share;
  LevelTable levels;

  LogClass(double linear_share, LevelTable linear_levels)
      : share(std::log(linear_share)), levels(std::move(linear_levels)) {
    for (std::vector<double>& row : levels)
      for (double& p : row) p = std::log(p);
  }

  double joint(std::span<const Level> pattern) const {
    double sum = share;
    for (std::size_t c = 0; c < pattern.size(); ++c) sum += levels[c][pattern[c]];
    return sum;
  }
};

/// Matches, related classes and pairs by chance, in this order.
std::vector<LogClass> log_classes(const MatchMixture& mixture) {
  std::vector<LogClass> classes = {{mixture.match_share, mixture.m}};
  double rest = 1 - mixture.match_share;
  for (const RelatedPairs& related : mixture.related) {
    classes.emplace_back(related.share, related.levels);
    rest -= related.share;
  }
  classes.emplace_back(rest, mixture.u);
  return classes;
}

/// Fills [class] with the posterior and returns log p(levels).
double expect(std::span<const LogClass> classes, std::span<const Level> levels, std::vector<double>& posterior) {
  posterior.clear();
  for (const LogClass& of_class : classes) posterior.push_back(of_class.joint(levels));
  const double most = std::ranges::max(posterior);
  double sum = 0;
  for (double& p : posterior) sum += p = std::exp(p - most);
  for (double& p : posterior) p /= sum;
  return most + std::log(sum);
}

/// Kullback-Leibler divergence of how a class agrees from how pairs agree by chance, in nats.
double divergence(const std::vector<double>& levels, const std::vector<double>& chance) {
  double sum = 0;
  for (std::size_t l = 1; l < levels.size(); ++l) sum += levels[l] * std::log(levels[l] / chance[l]);
  return std::max(sum, 0.0);
}

std::vector<double> divergences(const LevelTable& levels, const LevelTable& chance) {
  std::vector<double> all;
  for (std::size_t c = 0; c < levels.size(); ++c) all.push_back(divergence(levels[c], chance[c]));
  return all;
}

class MixtureSearch {
 public:
  MixtureSearch(const MixtureTask& task, const FellegiSunterOptions& options, const std::function<void()>& look)
      : task_(task), pseudo_count_(options.pseudo_count), look_(look) {}

  MatchMixture run() {
    MatchMixture best{.match_share = kStartOfShare, .m = {}, .u = task_.u};
    for (const std::vector<double>& row : task_.u) best.m.push_back(agreeing_levels(row.size()));
    improve(best, kLongRun);
    const MatchMixture first = best;
    while (best.related.size() < kMostClasses) {
      MatchMixture more = with_one_more(best);
      if (!all_are_related(more)) break;
      best = std::move(more);
    }
    return best.related.empty() ? first : best;
  }

 private:
  /// Tries a new class that starts with the agreement of one rule's comparisons, for each rule.
  MatchMixture with_one_more(const MatchMixture& mixture) {
    MatchMixture best;
    double most = -std::numeric_limits<double>::infinity();
    for (const std::vector<std::size_t>& agreed : task_.comparisons_of_rule) {
      MatchMixture next = mixture;
      next.related.push_back({kStartOfShare, start_of(mixture, agreed)});
      for (std::size_t c = 0; c < next.m.size(); ++c) next.m[c] = agreeing_levels(next.m[c].size());
      const double log_likelihood = improve(next, kShortRun);
      if (log_likelihood <= most) continue;
      most = log_likelihood;
      best = std::move(next);
    }
    improve(best, kLongRun);
    return best;
  }

  LevelTable start_of(const MatchMixture& mixture, const std::vector<std::size_t>& agreed) const {
    constexpr double kHere = .9;  // the rest keeps every level possible
    LevelTable start = mixture.u;
    for (std::size_t c = 0; c < start.size(); ++c) {
      const std::vector<double> like_matches = agreeing_levels(start[c].size());
      const double share = std::ranges::find(agreed, c) != agreed.end() ? (1 + kHere) / 2 : (1 - kHere) / 2;
      for (std::size_t l = 1; l < start[c].size(); ++l)
        start[c][l] = share * like_matches[l] + (1 - share) * mixture.u[c][l];
    }
    return start;
  }

  /// EM; returns the log-likelihood of the candidate pairs.
  double improve(MatchMixture& mixture, int iterations) const {
    double last = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < iterations; ++i) {
      look_();
      const double log_likelihood = iterate(mixture);
      if (log_likelihood - last <= kEnough * std::abs(log_likelihood)) return log_likelihood;
      last = log_likelihood;
    }
    return last;
  }

  /// One iteration; returns the log-likelihood before it.
  double iterate(MatchMixture& mixture) const {
    const std::vector<LogClass> classes = log_classes(mixture);
    std::vector<LevelTable> counts(classes.size() - 1, zeros());
    std::vector<double> totals(classes.size() - 1), posterior;
    double log_likelihood = task_.other_pairs * classes.back().share;
    for (std::size_t i = 0; i < task_.patterns.size(); ++i) {
      const std::span<const Level> levels = task_.patterns.levels(i);
      const double count = task_.patterns.count(i);
      log_likelihood += count * expect(classes, levels, posterior);
      for (std::size_t k = 0; k < totals.size(); ++k) {
        totals[k] += count * posterior[k];
        for (std::size_t c = 0; c < levels.size(); ++c) counts[k][c][levels[c]] += count * posterior[k];
      }
    }
    const double pairs = task_.patterns.total() + task_.other_pairs;
    const auto share_of = [&](std::size_t k) {
      return (pseudo_count_ + totals[k]) / (static_cast<double>(classes.size()) * pseudo_count_ + pairs);
    };
    mixture.match_share = share_of(0);
    mixture.m = probabilities(std::move(counts[0]));
    for (std::size_t k = 0; k < mixture.related.size(); ++k)
      mixture.related[k] = {share_of(k + 1), probabilities(std::move(counts[k + 1]))};
    return log_likelihood;
  }

  LevelTable zeros() const {
    LevelTable table;
    for (const std::vector<double>& row : task_.u) table.emplace_back(row.size());
    return table;
  }

  LevelTable probabilities(LevelTable counts) const {
    for (std::size_t c = 0; c < counts.size(); ++c)
      counts[c] = level_probabilities(std::move(counts[c]), pseudo_count_, task_.u[c]);
    return counts;
  }

  bool all_are_related(const MatchMixture& mixture) const {
    const std::vector<double> rules = rules_per_pair(mixture);
    for (std::size_t k = 0; k < mixture.related.size(); ++k)
      if (mixture.related[k].share < kLeastSize * mixture.match_share || share_by_chance(mixture, k) < kLeastByChance ||
          rules[k + 1] > kMostRules * rules[0])
        return false;
    return true;
  }

  static double share_by_chance(const MatchMixture& mixture, std::size_t related) {
    const std::vector<double> matches = divergences(mixture.m, mixture.u);
    const std::vector<bool> agrees = agreeing_comparisons(mixture, related);
    double by_chance = 0;
    for (std::size_t c = 0; c < matches.size(); ++c)
      if (!agrees[c]) by_chance += matches[c];
    return by_chance / std::accumulate(matches.begin(), matches.end(), 1e-300);
  }

  /// [class]: mean number of rules that bring one of its candidate pairs together.
  std::vector<double> rules_per_pair(const MatchMixture& mixture) const {
    const auto count = [&](const AgreementPatterns& patterns, std::vector<double>& sums) {
      const std::vector<LogClass> classes = log_classes(mixture);
      sums.resize(classes.size());
      std::vector<double> posterior;
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        expect(classes, patterns.levels(i), posterior);
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += patterns.count(i) * posterior[k];
      }
    };
    std::vector<double> pairs, of_rules;
    count(task_.patterns, pairs);
    for (const AgreementPatterns& patterns : task_.of_rule) count(patterns, of_rules);
    for (std::size_t k = 0; k < pairs.size(); ++k) of_rules[k] /= std::max(pairs[k], 1e-300);
    return of_rules;
  }

  const MixtureTask& task_;
  double pseudo_count_;
  const std::function<void()>& look_;
};

}  // namespace

std::vector<double> MatchMixture::posterior(std::span<const Level> levels) const {
  std::vector<double> posterior;
  expect(log_classes(*this), levels, posterior);
  return posterior;
}

MatchMixture find_related_pairs(const MixtureTask& task, const FellegiSunterOptions& options,
                                const std::function<void()>& look) {
  return MixtureSearch(task, options, look).run();
}

MatchWeights additive_weights(const MatchMixture& mixture, const AgreementPatterns& patterns) {
  const std::vector<LogClass> classes = log_classes(mixture);
  LabelledPatterns labelled(patterns.level_counts());
  std::vector<double> posterior;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    expect(classes, patterns.levels(i), posterior);
    labelled.add(patterns.levels(i), true, patterns.count(i) * posterior[0]);
    labelled.add(patterns.levels(i), false, patterns.count(i) * (1 - posterior[0]));
  }
  const FellegiSunterModel matches{.match_share = mixture.match_share, .m = mixture.m, .u = mixture.u};
  return fit_pair_regression(labelled, {.l2 = kL2OfAdditiveWeights}, matches.weights()).weights;
}

std::vector<bool> agreeing_comparisons(const MatchMixture& mixture, std::size_t related) {
  std::vector<bool> agrees;
  for (std::size_t c = 0; c < mixture.m.size(); ++c)
    agrees.push_back(divergence(mixture.related[related].levels[c], mixture.u[c]) >=
                     kChance * divergence(mixture.m[c], mixture.u[c]));
  return agrees;
}

}  // namespace fovea::linkage
