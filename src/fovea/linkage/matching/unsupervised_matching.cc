// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/unsupervised_matching.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/candidate_patterns.h"

namespace fovea::linkage {
namespace {

/// The comparisons that read a column of the rule.
std::vector<std::size_t> comparisons_of(const BlockingRule& rule, std::span<const Comparison> comparisons) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < comparisons.size(); ++c)
    if (std::ranges::find_first_of(rule.columns(), comparisons[c].columns()) != rule.columns().end())
      found.push_back(c);
  return found;
}

/// Number of comparisons that have values in any of these pairs.
std::ptrdiff_t comparisons_with_values(const AgreementPatterns& patterns) {
  return std::ranges::count_if(count_levels(patterns), [](const std::vector<double>& counts) {
    return std::any_of(counts.begin() + 1, counts.end(), [](double count) { return count > 0; });
  });
}

constexpr std::ptrdiff_t kFewestComparisons = 2;  // needed to tell matches from others if u is known

FellegiSunterFit fit_rule(const AgreementPatterns& patterns, const UnsupervisedOptions& options, const LevelTable& u,
                          const Stop& stop) {
  if (comparisons_with_values(patterns) < kFewestComparisons) return {};
  return fit_fellegi_sunter(patterns, options, {.u = u}, stop);
}

/// True if EM took less than one pair, or one in ten thousand, for a match: it then learned from nothing.
bool has_hardly_any_matches(const FellegiSunterFit& fit, double pairs) {
  return fit.model.match_share < 1e-4 || fit.model.match_share * pairs < 1;
}

/// [comparison]: number of levels, without the missing one, within which weights rise.
std::vector<std::size_t> range_sizes(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> sizes;
  for (const Comparison& comparison : comparisons) sizes.push_back(comparison.kind().levels.size() - 1);
  return sizes;
}

/// Assumes how records of one entity agree, and that there are half as many matching pairs as records. A pair that is
/// equal in everything then matches with probability .9 or more.
void guess(std::size_t rows, double random_pairs, FellegiSunterModel& model) {
  constexpr double kOddsIfEqual = 9;
  constexpr double kAssumedPairs = 50, kDiffer = .9;  // among few random pairs many match: most others differ
  double lift = 1;                                    // of a pair that is equal in everything
  for (std::size_t c = 0; c < model.u.size(); ++c) {
    std::vector<double>& u = model.u[c];
    for (std::size_t l = 1; l < u.size(); ++l) {
      const double assumed = l == 1 ? kDiffer : (1 - kDiffer) / static_cast<double>(u.size() - 2);
      u[l] = (random_pairs * u[l] + kAssumedPairs * assumed) / (random_pairs + kAssumedPairs);
    }
    model.m[c] = agreeing_levels(model.u[c].size());
    lift *= model.m[c].back() / model.u[c].back();
  }
  const double odds = std::max(1 / static_cast<double>(rows), kOddsIfEqual / lift);
  model.match_share = odds / (1 + odds);
}

/// Fits all pairs together: m is learned starting from what the rules found, if anything.
FellegiSunterFit fit_all(const AgreementPatterns& patterns, UnsupervisedOptions options,
                         std::span<const FellegiSunterFit> of_rules, PriorKnowledge known, const Stop& stop) {
  if (!of_rules.empty()) {
    known.m = average(of_rules).m;
    options.start_match_share = fit_fellegi_sunter(patterns, options, known, stop).model.match_share;
    known.start_m = std::exchange(known.m, std::nullopt);
  }
  return fit_fellegi_sunter(patterns, options, known, stop);
}

/// One call of fit_unsupervised().
class UnsupervisedLearning {
 public:
  UnsupervisedLearning(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                       const CandidatePairs& candidates, const UnsupervisedOptions& options, const Run& run)
      : comparisons_(comparisons), rules_(rules), candidates_(candidates), options_(options), run_(run) {
    for (const BlockingRule& rule : rules) comparisons_of_rule_.push_back(comparisons_of(rule, comparisons));
  }

  UnsupervisedMatching learn() {
    constexpr double kForRandomPairs = .25, kForCandidates = .7;  // of the time that is left, if it is limited
    const AgreementPatterns by_chance =
        count_random_pairs(comparisons_, candidates_, static_cast<std::uint64_t>(options_.random_pairs),
                           run_.random.child("pairs"), with_share_of_time(run_, kForRandomPairs).stop, run_.threads);
    u_ = level_frequencies(by_chance, options_.pseudo_count);
    const CandidatePatterns patterns =
        count_candidates(comparisons_, candidates_, with_share_of_time(run_, kForCandidates));
    found_.random_pairs = static_cast<std::uint64_t>(by_chance.total());
    found_.candidate_pairs = static_cast<std::uint64_t>(std::llround(patterns.all.total()));
    found_.compared_pairs = patterns.compared;
    found_.is_complete = patterns.is_complete;
    found_.all_pairs = candidates_.scope().pair_count(static_cast<std::uint32_t>(candidates_.row_count()));
    fit(patterns);
    if (found_.is_guess) guess(candidates_.row_count(), by_chance.total(), found_.fit.model);
    if (found_.is_guess && options_.prior) found_.fit.model.match_share = *options_.prior;
    found_.weights = found_.fit.model.weights();
    if (rules_.size() > 2 && !found_.is_guess) find_mixture(patterns);
    make_monotone(found_.weights.weights, found_.fit.model.u, range_sizes(comparisons_));
    return std::move(found_);
  }

 private:
  void fit(const CandidatePatterns& patterns) {
    constexpr double kFewPairs = 20;  // too few to learn levels from
    if (!patterns.is_complete && comparisons_with_values(patterns.all) < kFewestComparisons) {
      found_.fit.model = {.m = u_, .u = u_};
      found_.is_guess = true;
      return;
    }
    fit_rules(patterns);
    std::vector<FellegiSunterFit> usable;
    for (const RuleFit& rule : found_.rules)
      if (rule.fit.usable() && !rule.is_degenerate) usable.push_back(rule.fit);
    found_.fit = fit_all(patterns.all, options_, usable,
                         {.u = u_, .other_pairs = other_pairs(patterns), .match_share = options_.prior}, run_.stop);
    found_.is_guess = found_.fit.model.match_share * static_cast<double>(found_.all_pairs) < 1 ||
                      std::min(patterns.all.total(), static_cast<double>(patterns.compared)) < kFewPairs;
  }

  void fit_rules(const CandidatePatterns& patterns) {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      RuleFit rule{std::string(rules_[r].text()), candidates_.pair_count(r),
                   fit_rule(patterns.of_rule[r].without(comparisons_of_rule_[r]), options_, u_, run_.stop)};
      rule.is_degenerate = rule.fit.usable() && has_hardly_any_matches(rule.fit, patterns.of_rule[r].total());
      found_.rules.push_back(std::move(rule));
    }
  }

  double other_pairs(const CandidatePatterns& patterns) const {
    return std::max(static_cast<double>(found_.all_pairs) - patterns.all.total(), 0.0);
  }

  /// Without the time for it, related pairs are not told from matches.
  void find_mixture(const CandidatePatterns& patterns) {
    const MixtureTask task{patterns.all, patterns.of_rule, comparisons_of_rule_, u_, other_pairs(patterns)};
    try {
      found_.mixture = find_pair_classes(task, options_, run_.threads,
                                         [&] { ComparisonMeter(run_.stop, "learning how records agree").look(); });
    } catch (const LimitError&) {
      found_.is_complete = false;
      return;
    }
    if (!found_.mixture.has_related()) return;
    if (options_.prior) found_.mixture.scale_matches(*options_.prior);
    found_.weights = FellegiSunterModel{found_.mixture.match_share(), found_.mixture.match_levels(), u_}.weights();
  }

  std::span<const Comparison> comparisons_;
  std::span<const BlockingRule> rules_;
  const CandidatePairs& candidates_;
  const UnsupervisedOptions& options_;
  const Run& run_;
  std::vector<std::vector<std::size_t>> comparisons_of_rule_;
  LevelTable u_;
  UnsupervisedMatching found_;
};

}  // namespace

UnsupervisedMatching fit_unsupervised(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                                      const CandidatePairs& candidates, const UnsupervisedOptions& options,
                                      const Run& run) {
  return UnsupervisedLearning(comparisons, rules, candidates, options, run).learn();
}

MatchParameters UnsupervisedMatching::parameters(std::span<const Comparison> comparisons,
                                                 const TermFrequencyOptions& options) const {
  MatchParameters parameters{.weights = weights, .term_frequency = options};
  for (const Comparison& comparison : comparisons) {
    const std::size_t c = parameters.equal_share.size();
    const bool is_adjusted = !is_guess && comparison.levels().back() == "equal";
    parameters.equal_share.push_back(is_adjusted ? fit.model.u[c].back() : 0);
  }
  if (!mixture.has_related()) return parameters;
  parameters.mixture = mixture;
  parameters.weights.prior_log_odds = 0;
  for (std::vector<double>& row : parameters.weights.weights) std::ranges::fill(row, 0.0);
  return parameters;
}

}  // namespace fovea::linkage
