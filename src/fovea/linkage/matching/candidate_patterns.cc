// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/candidate_patterns.h"

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/linkage/comparison/comparison_meter.h"

namespace fovea::linkage {
namespace {

/// Does `count` until its deadline. False if that came first.
template <class Count>
bool count_until_late(Count&& count) {
  try {
    count();
  } catch (const LimitError&) {
    return false;
  }
  return true;
}

/// Counts the patterns of one chunk of a rule.
struct ChunkPatterns {
  AgreementPatterns of_rule, all;
  std::uint64_t compared = 0;
  bool is_complete = true;

  void add(std::span<const Level> levels, bool is_first, double weight) {
    ++compared;
    of_rule.add(levels, weight);
    if (is_first) all.add(levels, weight);
  }
};

/// Compares the pairs of a chunk, each with probability `share`.
void count_chunk(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                 const CandidatePairs::Chunk& chunk, double share, const Run& run, ChunkPatterns& patterns) {
  std::vector<Level> levels;
  ComparisonMeter meter(run.stop, "comparing records");
  const auto add = [&](RowPair pair, bool is_first) {
    meter.count();
    compare_rows(comparisons, pair.first, pair.second, levels);
    patterns.add(levels, is_first, 1 / share);
  };
  patterns.is_complete = count_until_late([&] {
    if (share >= 1) candidates.for_each(chunk, add);
    else candidates.for_each_drawn(chunk, share, run.random.child("chunk", chunk.begin).child("rule", chunk.rule), add);
  });
}

AgreementPatterns scaled(const AgreementPatterns& patterns, double factor) {
  AgreementPatterns more(patterns.level_counts());
  for (std::size_t i = 0; i < patterns.size(); ++i) more.add(patterns.levels(i), factor * patterns.count(i));
  return more;
}

/// Lets the pairs that were compared count for those that were not.
void scale_up(const CandidatePairs& candidates, CandidatePatterns& patterns) {
  double pairs = 0, compared = 0;
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule) {
    AgreementPatterns& of_rule = patterns.of_rule[rule];
    const double of_all = static_cast<double>(candidates.pair_count(rule)), of_compared = of_rule.total();
    if (of_compared > 0) of_rule = scaled(of_rule, of_all / of_compared);
    pairs += of_all;
    compared += of_compared;
  }
  if (compared > 0) patterns.all = scaled(patterns.all, pairs / compared);
}

}  // namespace

CandidatePatterns count_candidates(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                   const Run& run) {
  constexpr std::size_t kWindow = 64;  // chunks that are counted before they are merged
  constexpr double kMostPairs = 4e6;   // of a rule: if one in a thousand matches, these are 4,000
  const AgreementPatterns none(level_counts(comparisons));
  CandidatePatterns patterns{std::vector(candidates.rule_count(), none), none};
  std::vector<CandidatePairs::Chunk> chunks = candidates.chunks();
  Random order = run.random.child("order");
  if (run.stop.has_deadline()) shuffle(std::span(chunks), order);
  const PhaseProgress phase(run.progress, "comparing", static_cast<double>(chunks.size()));
  std::vector<double> shares;  // [rule]
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    shares.push_back(std::min(1.0, kMostPairs / std::max(static_cast<double>(candidates.pair_count(rule)), 1.0)));
  for (std::size_t begin = 0; begin < chunks.size() && patterns.is_complete; begin += kWindow) {
    phase.report(static_cast<double>(begin));
    const auto window = std::span(chunks).subspan(begin, std::min(kWindow, chunks.size() - begin));
    std::vector<ChunkPatterns> counts(window.size(), {none, none});
    parallel_for(window.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
      count_chunk(comparisons, candidates, window[i], shares[window[i].rule], run, counts[i]);
    });
    for (std::size_t i = 0; i < window.size(); ++i) {
      patterns.of_rule[window[i].rule].add(counts[i].of_rule);
      patterns.all.add(counts[i].all);
      patterns.compared += counts[i].compared;
      patterns.is_complete = patterns.is_complete && counts[i].is_complete;
    }
    if (run.is_cancelled()) throw CancelledError("interrupted while comparing records");
    const bool is_last = begin + kWindow >= chunks.size();
    if (!is_last && run.stop.is_late()) patterns.is_complete = false;
  }
  if (!patterns.is_complete) scale_up(candidates, patterns);
  return patterns;
}

AgreementPatterns count_random_pairs(std::span<const Comparison> comparisons, const CandidatePairs& candidates,
                                     std::uint64_t count, Random random, const Stop& stop, int threads) {
  constexpr std::size_t kWindow = 1 << 20, kChunk = 1 << 13;  // pairs
  const AgreementPatterns none(level_counts(comparisons));
  AgreementPatterns patterns = none;
  std::vector<RowPair> window;
  const auto count_window = [&] {
    std::vector<AgreementPatterns> counts((window.size() + kChunk - 1) / kChunk, none);
    parallel_for(counts.size(), 1, threads, [&](std::size_t i, std::size_t) {
      const std::size_t begin = i * kChunk;
      ComparisonMeter meter(stop, "comparing records");
      std::vector<Level> levels;
      count_until_late([&] {
        for (const RowPair pair : std::span(window).subspan(begin, std::min(kChunk, window.size() - begin))) {
          meter.count();
          compare_rows(comparisons, pair.first, pair.second, levels);
          counts[i].add(levels);
        }
      });
    });
    for (const AgreementPatterns& of_chunk : counts) patterns.add(of_chunk);
    window.clear();
    ComparisonMeter(stop, "comparing records").look();
  };
  const auto take = [&](RowPair pair) {
    window.push_back(pair);
    if (window.size() == kWindow) count_window();
  };
  const auto rows = static_cast<std::uint32_t>(candidates.row_count());
  const PairScope& scope = candidates.scope();
  count_until_late([&] {
    if (scope.pair_count(rows) <= count) scope.for_each(rows, take);
    else
      for (std::uint64_t i = 0; i < count; ++i) take(scope.draw(rows, random));
    count_window();
  });
  return patterns;
}

}  // namespace fovea::linkage
