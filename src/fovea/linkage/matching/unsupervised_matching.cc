// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/unsupervised_matching.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::linkage {
namespace {

void compare_all(std::span<const Comparison> comparisons, RowPair pair, std::vector<Level>& levels) {
  levels.clear();
  for (const Comparison& comparison : comparisons) levels.push_back(comparison.compare(pair.first, pair.second));
}

AgreementPatterns random_patterns(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                  std::uint64_t count, Random random, const Stop& stop) {
  ComparisonMeter meter(stop, "comparing records");
  AgreementPatterns patterns(level_counts(comparisons));
  std::vector<Level> levels;
  const auto add = [&](RowPair pair) {
    meter.count();
    compare_all(comparisons, pair, levels);
    patterns.add(levels);
  };
  const auto rows = static_cast<std::uint32_t>(candidates.row_count());
  const PairScope& scope = candidates.scope();
  if (scope.pair_count(rows) <= count) scope.for_each(rows, add);
  else
    for (std::uint64_t i = 0; i < count; ++i) add(scope.draw(rows, random));
  return patterns;
}

/// The patterns of all candidate pairs.
struct CandidatePatterns {
  std::vector<AgreementPatterns> of_rule;  // of all its pairs
  AgreementPatterns all;                   // each pair once
};

CandidatePatterns count_candidates(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                   const Run& run) {
  constexpr std::size_t kWindow = 64;  // chunks that are counted before they are merged
  const AgreementPatterns none(level_counts(comparisons));
  CandidatePatterns patterns{std::vector(candidates.rule_count(), none), none};
  const std::vector<CandidatePairs::Chunk> chunks = candidates.chunks();
  const PhaseProgress phase(run.progress, "comparing", static_cast<double>(chunks.size()));
  for (std::size_t begin = 0; begin < chunks.size(); begin += kWindow) {
    ComparisonMeter(run.stop, "comparing records").look();
    phase.report(static_cast<double>(begin));
    const auto window = std::span(chunks).subspan(begin, std::min(kWindow, chunks.size() - begin));
    std::vector<CandidatePatterns> counts(window.size(), {{none}, none});
    parallel_for(window.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
      std::vector<Level> levels;
      ComparisonMeter meter(run.stop, "comparing records");
      candidates.for_each(window[i], [&](RowPair pair, bool is_first) {
        meter.count();
        compare_all(comparisons, pair, levels);
        counts[i].of_rule.front().add(levels);
        if (is_first) counts[i].all.add(levels);
      });
    });
    for (std::size_t i = 0; i < window.size(); ++i) {
      patterns.of_rule[window[i].rule].add(counts[i].of_rule.front());
      patterns.all.add(counts[i].all);
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
  matching.candidate_pairs = static_cast<std::uint64_t>(patterns.all.total());
  std::vector<FellegiSunterFit> usable;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const AgreementPatterns& of_rule = patterns.of_rule[r];
    matching.rules.push_back({static_cast<std::uint64_t>(of_rule.total()),
                              fit_rule(of_rule.without(comparisons_of(rules[r], comparisons)), options, u)});
    if (matching.rules[r].fit.usable()) usable.push_back(matching.rules[r].fit);
  }
  const double other_pairs =
      static_cast<double>(candidates.scope().pair_count(candidates.row_count())) - patterns.all.total();
  matching.fit = fit_all(patterns.all, options, usable, {.u = u, .other_pairs = other_pairs});
  return matching;
}

MatchParameters UnsupervisedMatching::parameters(std::span<const Comparison> comparisons,
                                                 const TermFrequencyOptions& options) const {
  MatchParameters parameters{.weights = fit.model.weights(), .term_frequency = options};
  for (std::size_t c = 0; c < comparisons.size(); ++c)
    parameters.equal_share.push_back(comparisons[c].levels().back() == "equal" ? fit.model.u[c].back() : 0);
  return parameters;
}

}  // namespace fovea::linkage
