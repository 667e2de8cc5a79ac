// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/unsupervised_matching.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::linkage {
namespace {

AgreementPatterns random_patterns(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                  std::uint64_t count, Random random, const Stop& stop) {
  ComparisonMeter meter(stop, "comparing records");
  AgreementPatterns patterns(level_counts(comparisons));
  std::vector<Level> levels;
  const auto add = [&](RowPair pair) {
    meter.count();
    compare_rows(comparisons, pair.first, pair.second, levels);
    patterns.add(levels);
  };
  const auto rows = static_cast<std::uint32_t>(candidates.row_count());
  const PairScope& scope = candidates.scope();
  if (scope.pair_count(rows) <= count) scope.for_each(rows, add);
  else
    for (std::uint64_t i = 0; i < count; ++i) add(scope.draw(rows, random));
  return patterns;
}

/// The patterns of all candidate pairs, or of a sample that is weighted up to all.
struct CandidatePatterns {
  std::vector<AgreementPatterns> of_rule;  // of all its pairs
  AgreementPatterns all;                   // each pair once
  std::uint64_t compared = 0;

  void add(std::size_t rule, std::span<const Level> levels, bool is_first, double weight) {
    ++compared;
    of_rule[rule].add(levels, weight);
    if (is_first) all.add(levels, weight);
  }
};

/// Adds the pairs of a chunk, each with probability `share`, to the first rule of `counts`.
void count_chunk(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                 const CandidatePairs::Chunk& chunk, double share, const Run& run, CandidatePatterns& counts) {
  std::vector<Level> levels;
  ComparisonMeter meter(run.stop, "comparing records");
  const auto add = [&](RowPair pair, bool is_first) {
    meter.count();
    compare_rows(comparisons, pair.first, pair.second, levels);
    counts.add(0, levels, is_first, 1 / share);
  };
  if (share >= 1) return candidates.for_each(chunk, add);
  candidates.for_each_drawn(chunk, share, run.random.child("chunk", chunk.begin).child("rule", chunk.rule), add);
}

CandidatePatterns count_candidates(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                   const Run& run) {
  constexpr std::size_t kWindow = 64;  // chunks that are counted before they are merged
  constexpr double kMostPairs = 4e6;   // of a rule: if one in a thousand matches, these are 4,000
  const AgreementPatterns none(level_counts(comparisons));
  CandidatePatterns patterns{std::vector(candidates.rule_count(), none), none};
  const std::vector<CandidatePairs::Chunk> chunks = candidates.chunks();
  const PhaseProgress phase(run.progress, "comparing", static_cast<double>(chunks.size()));
  std::vector<double> shares;  // [rule]
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    shares.push_back(std::min(1.0, kMostPairs / std::max(static_cast<double>(candidates.pair_count(rule)), 1.0)));
  for (std::size_t begin = 0; begin < chunks.size(); begin += kWindow) {
    ComparisonMeter(run.stop, "comparing records").look();
    phase.report(static_cast<double>(begin));
    const auto window = std::span(chunks).subspan(begin, std::min(kWindow, chunks.size() - begin));
    std::vector<CandidatePatterns> counts(window.size(), {{none}, none});
    parallel_for(window.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
      count_chunk(comparisons, candidates, window[i], shares[window[i].rule], run, counts[i]);
    });
    for (std::size_t i = 0; i < window.size(); ++i) {
      patterns.of_rule[window[i].rule].add(counts[i].of_rule.front());
      patterns.all.add(counts[i].all);
      patterns.compared += counts[i].compared;
    }
  }
  return patterns;
}

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

FellegiSunterFit fit_rule(const AgreementPatterns& patterns, const UnsupervisedOptions& options, const LevelTable& u) {
  constexpr std::ptrdiff_t kFewest = 2;  // needed to tell matches from others if u is known
  if (comparisons_with_values(patterns) < kFewest) return {};
  return fit_fellegi_sunter(patterns, options, {.u = u});
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
                         std::span<const FellegiSunterFit> of_rules, PriorKnowledge known) {
  if (!of_rules.empty()) {
    known.m = average(of_rules).m;
    options.start_match_share = fit_fellegi_sunter(patterns, options, known).model.match_share;
    known.start_m = std::exchange(known.m, std::nullopt);
  }
  return fit_fellegi_sunter(patterns, options, known);
}

}  // namespace

UnsupervisedMatching fit_unsupervised(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                                      const CandidatePairs& candidates, const UnsupervisedOptions& options,
                                      const Run& run) {
  const AgreementPatterns by_chance = random_patterns(
      comparisons, candidates, static_cast<std::uint64_t>(options.random_pairs), run.random.child("pairs"), run.stop);
  const LevelTable u = level_frequencies(by_chance, options.pseudo_count);
  const CandidatePatterns patterns = count_candidates(comparisons, candidates, run);

  UnsupervisedMatching matching;
  matching.random_pairs = static_cast<std::uint64_t>(by_chance.total());
  matching.candidate_pairs = static_cast<std::uint64_t>(std::llround(patterns.all.total()));
  matching.compared_pairs = patterns.compared;
  std::vector<FellegiSunterFit> usable;
  std::vector<std::vector<std::size_t>> comparisons_of_rule;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    comparisons_of_rule.push_back(comparisons_of(rules[r], comparisons));
    RuleFit rule{candidates.pair_count(r), fit_rule(patterns.of_rule[r].without(comparisons_of_rule[r]), options, u)};
    rule.is_degenerate = rule.fit.usable() && has_hardly_any_matches(rule.fit, patterns.of_rule[r].total());
    if (rule.fit.usable() && !rule.is_degenerate) usable.push_back(rule.fit);
    matching.rules.push_back(std::move(rule));
  }
  matching.all_pairs = candidates.scope().pair_count(candidates.row_count());
  const double other_pairs = std::max(static_cast<double>(matching.all_pairs) - patterns.all.total(), 0.0);
  matching.fit = fit_all(patterns.all, options, usable, {.u = u, .other_pairs = other_pairs});
  constexpr double kFewPairs = 20;  // too few to learn levels from
  matching.is_guess =
      matching.fit.model.match_share * static_cast<double>(matching.all_pairs) < 1 || patterns.all.total() < kFewPairs;
  if (matching.is_guess) guess(candidates.row_count(), by_chance.total(), matching.fit.model);
  matching.weights = matching.fit.model.weights();
  if (rules.size() > 2 && !matching.is_guess) {
    const MixtureTask task{patterns.all, patterns.of_rule, comparisons_of_rule, u, other_pairs};
    matching.mixture = find_pair_classes(task, options, run.threads,
                                         [&] { ComparisonMeter(run.stop, "learning how records agree").look(); });
    if (matching.mixture.has_related())
      matching.weights =
          FellegiSunterModel{matching.mixture.match_share(), matching.mixture.match_levels(), u}.weights();
  }
  make_monotone(matching.weights.weights, matching.fit.model.u, range_sizes(comparisons));
  return matching;
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
