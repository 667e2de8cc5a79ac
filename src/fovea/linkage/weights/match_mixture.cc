// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/parallel.h"

namespace fovea::linkage {
namespace {

constexpr double kChance = .2;                 // share of the matches' divergence up to which a class agrees by chance
constexpr double kLeastByChance = .3;          // share of all divergence that related pairs lack
constexpr double kMostRules = .5;              // rules that reach a related pair, for each that reaches a match
constexpr std::size_t kMostPatterns = 20000;   // the most frequent ones; others take time and change little
constexpr double kLeastGain = 1e-3;            // of log-likelihood, in nats per candidate pair, for a class more
constexpr int kShortRun = 20, kLongRun = 300;  // EM iterations that compare starts, and that improve the best
constexpr double kStartOfShare = 1e-6;         // of all pairs: candidates are few of them
constexpr double kEnough = 1e-10;              // EM ends when log-likelihood rises by less than this part of itself
constexpr double kLeastRelated = .01;          // pairs of a related class, for each match: fewer do no harm

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

/// The classes, and pairs by chance as the last one.
std::vector<LogClass> log_classes(const MatchMixture& mixture) {
  std::vector<LogClass> classes;
  double rest = 1;
  for (const PairClass& of_pairs : mixture.classes) {
    classes.emplace_back(of_pairs.share, of_pairs.levels);
    rest -= of_pairs.share;
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

/// The part of a posterior that belongs to classes of matches.
double match_share_of(const MatchMixture& mixture, std::span<const double> posterior) {
  double match = 0;
  for (std::size_t k = 0; k < mixture.classes.size(); ++k)
    if (mixture.classes[k].is_match) match += posterior[k];
  return std::min(match, 1.0);  // a sum may be rounded up
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

/// The most frequent patterns.
AgreementPatterns most_frequent(const AgreementPatterns& patterns) {
  std::vector<std::size_t> order(patterns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > kMostPatterns) {
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return patterns.count(i); });
    order.resize(kMostPatterns);
  }
  AgreementPatterns frequent(patterns.level_counts());
  for (const std::size_t i : order) frequent.add(patterns.levels(i), patterns.count(i));
  return frequent;
}

class MixtureSearch {
 public:
  MixtureSearch(const MixtureTask& task, const FellegiSunterOptions& options, int threads,
                const std::function<void()>& look)
      : task_(task),
        patterns_(most_frequent(task.patterns)),
        pseudo_count_(options.pseudo_count),
        threads_(threads),
        look_(look) {}

  MatchMixture run() {
    MatchMixture best{.classes = {{kStartOfShare, agreeing_table()}}, .u = task_.u};
    double log_likelihood = improve(best, kLongRun);
    while (best.classes.size() < MatchMixture::kMostClasses) {
      MatchMixture more = with_one_more(best);
      const double higher = improve(more, kLongRun);
      if (higher - log_likelihood < kLeastGain * patterns_.total()) break;
      log_likelihood = higher;
      best = std::move(more);
    }
    put_most_agreeing_first(best);
    mark_related(best);
    return best;
  }

 private:
  LevelTable agreeing_table() const {
    LevelTable table;
    for (const std::vector<double>& row : task_.u) table.push_back(agreeing_levels(row.size()));
    return table;
  }

  /// Tries a new class that starts with the agreement of one rule's comparisons, for each rule; the first class goes on
  /// from what it is, or starts anew.
  MatchMixture with_one_more(const MatchMixture& mixture) const {
    std::vector<MatchMixture> starts;
    for (const std::vector<std::size_t>& agreed : task_.comparisons_of_rule)
      for (const bool is_anew : {false, true}) {
        starts.push_back(mixture);
        starts.back().classes.push_back({kStartOfShare, start_of(agreed)});
        if (is_anew) starts.back().classes.front().levels = agreeing_table();
      }
    std::vector<double> log_likelihoods(starts.size());
    parallel_for(starts.size(), 1, threads_,
                 [&](std::size_t i, std::size_t) { log_likelihoods[i] = improve(starts[i], kShortRun); });
    const auto best = std::ranges::max_element(log_likelihoods) - log_likelihoods.begin();
    return std::move(starts[static_cast<std::size_t>(best)]);
  }

  LevelTable start_of(const std::vector<std::size_t>& agreed) const {
    constexpr double kHere = .95;  // the rest keeps every level possible
    LevelTable start = task_.u;
    for (std::size_t c = 0; c < start.size(); ++c) {
      const std::vector<double> like_matches = agreeing_levels(start[c].size());
      const double share = std::ranges::find(agreed, c) != agreed.end() ? kHere : 1 - kHere;
      for (std::size_t l = 1; l < start[c].size(); ++l)
        start[c][l] = share * like_matches[l] + (1 - share) * task_.u[c][l];
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
    const std::size_t count = mixture.classes.size();
    std::vector<LevelTable> counts(count, zeros());
    std::vector<double> totals(count), posterior;
    double log_likelihood = task_.other_pairs * classes.back().share;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      const std::span<const Level> levels = patterns_.levels(i);
      log_likelihood += patterns_.count(i) * expect(classes, levels, posterior);
      for (std::size_t k = 0; k < count; ++k) {
        const double pairs = patterns_.count(i) * posterior[k];
        totals[k] += pairs;
        for (std::size_t c = 0; c < levels.size(); ++c) counts[k][c][levels[c]] += pairs;
      }
    }
    const double all = patterns_.total() + task_.other_pairs + static_cast<double>(count + 1) * pseudo_count_;
    for (std::size_t k = 0; k < count; ++k) {
      mixture.classes[k].share = (pseudo_count_ + totals[k]) / all;
      for (std::size_t c = 0; c < counts[k].size(); ++c)
        mixture.classes[k].levels[c] = level_probabilities(std::move(counts[k][c]), pseudo_count_, task_.u[c]);
    }
    return log_likelihood;
  }

  LevelTable zeros() const {
    LevelTable table;
    for (const std::vector<double>& row : task_.u) table.emplace_back(row.size());
    return table;
  }

  static void put_most_agreeing_first(MatchMixture& mixture) {
    const auto agreement = [&](const PairClass& of_pairs) {
      const std::vector<double> all = divergences(of_pairs.levels, mixture.u);
      return std::accumulate(all.begin(), all.end(), 0.0);
    };
    std::ranges::iter_swap(mixture.classes.begin(), std::ranges::max_element(mixture.classes, {}, agreement));
  }

  void mark_related(MatchMixture& mixture) const {
    const std::vector<double> rules = rules_per_pair(mixture);
    for (std::size_t k = 1; k < mixture.classes.size(); ++k)
      mixture.classes[k].is_match = mixture.classes[k].share < kLeastRelated * mixture.classes.front().share ||
                                    share_by_chance(mixture, k) < kLeastByChance ||
                                    rules[k] > kMostRules * rules.front();
  }

  static double share_by_chance(const MatchMixture& mixture, std::size_t of_pairs) {
    const std::vector<double> matches = divergences(mixture.classes.front().levels, mixture.u);
    const std::vector<bool> agrees = agreeing_comparisons(mixture, of_pairs);
    double by_chance = 0;
    for (std::size_t c = 0; c < matches.size(); ++c)
      if (!agrees[c]) by_chance += matches[c];
    return by_chance / std::accumulate(matches.begin(), matches.end(), 1e-300);
  }

  /// [class]: mean number of rules that bring one of its candidate pairs together.
  std::vector<double> rules_per_pair(const MatchMixture& mixture) const {
    const std::vector<LogClass> classes = log_classes(mixture);
    const auto count = [&](const AgreementPatterns& patterns, std::vector<double>& sums) {
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
  AgreementPatterns patterns_;
  double pseudo_count_;
  int threads_;
  const std::function<void()>& look_;
};

}  // namespace

double MatchMixture::match_share() const {
  double share = 0;
  for (const PairClass& of_pairs : classes)
    if (of_pairs.is_match) share += of_pairs.share;
  return share;
}

void MatchMixture::scale_matches(double share) {
  const double factor = share / match_share();
  for (PairClass& of_pairs : classes)
    if (of_pairs.is_match) of_pairs.share *= factor;
}

double MatchMixture::match_probability(std::span<const Level> levels) const {
  std::vector<double> posterior;
  expect(log_classes(*this), levels, posterior);
  return match_share_of(*this, posterior);
}

LevelTable MatchMixture::match_levels() const {
  LevelTable mean = u;
  const double all = match_share();
  for (std::size_t c = 0; c < mean.size(); ++c)
    for (std::size_t l = 1; l < mean[c].size(); ++l) {
      mean[c][l] = 0;
      for (const PairClass& of_pairs : classes)
        if (of_pairs.is_match) mean[c][l] += of_pairs.share / all * of_pairs.levels[c][l];
    }
  return mean;
}

MatchMixture find_pair_classes(const MixtureTask& task, const FellegiSunterOptions& options, int threads,
                               const std::function<void()>& look) {
  return MixtureSearch(task, options, threads, look).run();
}

std::vector<bool> agreeing_comparisons(const MatchMixture& mixture, std::size_t pair_class) {
  std::vector<bool> agrees;
  for (std::size_t c = 0; c < mixture.u.size(); ++c)
    agrees.push_back(divergence(mixture.classes[pair_class].levels[c], mixture.u[c]) >=
                     kChance * divergence(mixture.classes.front().levels[c], mixture.u[c]));
  return agrees;
}

MixtureScore::MixtureScore(const MatchMixture& mixture) : classes_(mixture.classes.size()), rows_(mixture.u.size()) {
  FOVEA_CHECK(classes_ < start_.size());
  const std::vector<LogClass> classes = log_classes(mixture);
  for (std::size_t k = 0; k <= classes_; ++k) start_[k] = classes[k].share;
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (std::size_t l = 0; l < mixture.u[c].size(); ++l)
      for (std::size_t k = 0; k < classes_; ++k)
        rows_[c].log_ratios.push_back(classes[k].levels[c][l] - classes.back().levels[c][l]);
  for (std::size_t k = 0; k < classes_; ++k) {
    is_match_.push_back(mixture.classes[k].is_match);
    const std::vector<bool> agrees = agreeing_comparisons(mixture, k);
    for (std::size_t c = 0; c < rows_.size(); ++c) rows_[c].by_chance[k] = !is_match_[k] && !agrees[c] ? 1 : 0;
  }
  for (Row& row : rows_) row.by_chance[classes_] = 1;
}

double MixtureScore::score(const Sums& sums) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double match = kNone, other = sums[classes_];
  for (std::size_t k = 0; k < classes_; ++k) {
    double& side = is_match_[k] ? match : other;
    side = add_logs(side, sums[k]);
  }
  return match - other;
}

}  // namespace fovea::linkage
