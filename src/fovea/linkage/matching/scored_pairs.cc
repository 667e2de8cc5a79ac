// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/scored_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fovea/base/disjoint_sets.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/linkage/matching/comparison_meter.h"
#include "fovea/linkage/matching/link_search.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kLargeBlock = 2000;  // rows from which a search of links may save time

/// The scores of the pairs in a window of chunks, [chunk].
void score_window(const MatchModel& model, const CandidatePairs& candidates,
                  std::span<const CandidatePairs::Chunk> window, double floor, const Run& run,
                  std::vector<ScoredPair>& pairs) {
  std::vector<std::vector<ScoredPair>> found(window.size());
  parallel_for(window.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
    ComparisonMeter meter(run.stop, "scoring pairs of records");
    candidates.for_each(window[i], [&](RowPair pair, bool is_first) {
      meter.count();
      if (!is_first) return;
      const auto score = static_cast<float>(model.score(pair));
      if (double{score} > floor) found[i].push_back({pair, score});
    });
  });
  for (const std::vector<ScoredPair>& of_chunk : found) pairs.insert(pairs.end(), of_chunk.begin(), of_chunk.end());
}

/// Appends the links in large blocks. Returns those in which there is no faster way than to score all pairs, as chunks.
std::vector<CandidatePairs::Chunk> search_large_blocks(const MatchModel& model, const CandidatePairs& candidates,
                                                       double floor, const Run& run, std::vector<ScoredPair>& pairs) {
  std::vector<CandidatePairs::Chunk> large, left;
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule) {
    const Blocks& blocks = candidates.blocks(rule);
    for (std::size_t b = 0; b < blocks.size(); ++b)
      if (blocks[b].size() > kLargeBlock) large.push_back({rule, blocks.begin[b], blocks.begin[b + 1]});
  }
  std::vector<std::optional<std::vector<ScoredPair>>> found(large.size());
  parallel_for(large.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
    const CandidatePairs::Chunk& block = large[i];
    const auto is_wanted = [&](RowPair pair) {
      return candidates.scope().holds(pair) && candidates.first_rule(pair) == block.rule;
    };
    found[i] =
        find_links(model, std::span(candidates.blocks(block.rule).rows).subspan(block.begin, block.end - block.begin),
                   floor, is_wanted, run.stop);
  });
  for (std::size_t i = 0; i < large.size(); ++i) {
    if (found[i]) pairs.insert(pairs.end(), found[i]->begin(), found[i]->end());
    else left.push_back(large[i]);
  }
  return left;
}

/// Cuts blocks into chunks of about `pairs` pairs.
std::vector<CandidatePairs::Chunk> cut(std::span<const CandidatePairs::Chunk> blocks, std::uint64_t pairs) {
  std::vector<CandidatePairs::Chunk> chunks;
  for (const CandidatePairs::Chunk& block : blocks)
    for (std::size_t begin = block.begin; begin < block.end;) {
      const std::size_t end = std::min<std::size_t>(begin + pairs / (block.end - begin) + 1, block.end);
      chunks.push_back({block.rule, begin, end});
      begin = end;
    }
  return chunks;
}

}  // namespace

std::vector<ScoredPair> score_candidates(const MatchModel& model, const CandidatePairs& candidates, double floor,
                                         const Run& run) {
  constexpr std::size_t kWindow = 64;  // chunks between two looks at the clock
  constexpr std::uint64_t kPairsOfAChunk = 1 << 16;
  std::vector<ScoredPair> pairs;
  std::vector<CandidatePairs::Chunk> chunks = candidates.chunks(kLargeBlock);
  const auto left = cut(search_large_blocks(model, candidates, floor, run, pairs), kPairsOfAChunk);
  chunks.insert(chunks.end(), left.begin(), left.end());
  const PhaseProgress phase(run.progress, "scoring", static_cast<double>(chunks.size()));
  for (std::size_t begin = 0; begin < chunks.size(); begin += kWindow) {
    ComparisonMeter(run.stop, "scoring pairs of records").look();
    phase.report(static_cast<double>(begin), "pairs", static_cast<double>(pairs.size()));
    score_window(model, candidates, std::span(chunks).subspan(begin, std::min(kWindow, chunks.size() - begin)), floor,
                 run, pairs);
  }
  return pairs;
}

Blocks connected_components(std::size_t rows, std::span<const ScoredPair> pairs) {
  DisjointSets sets(rows);
  for (const ScoredPair& pair : pairs) {
    const auto [first, second] = std::minmax({sets.find(pair.rows.first), sets.find(pair.rows.second)});
    sets.unite(first, second);
  }
  return group_by_number(sets.representatives());
}

std::vector<ScoredPair> one_to_one(std::vector<ScoredPair> pairs) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return pairs[i].score; });
  std::uint32_t rows = 0;
  for (const ScoredPair& pair : pairs) rows = std::max(rows, pair.rows.second + 1);
  std::vector<bool> taken(rows), kept(pairs.size());
  for (const std::size_t i : order) {
    const RowPair pair = pairs[i].rows;
    if (taken[pair.first] || taken[pair.second]) continue;
    kept[i] = taken[pair.first] = taken[pair.second] = true;
  }
  std::size_t next = 0;
  std::erase_if(pairs, [&](const ScoredPair&) { return !kept[next++]; });
  return pairs;
}

namespace {

const std::vector<std::string> kColumns = {"first_id", "second_id", "score", "probability"};

}  // namespace

void check_pairs_can_be_written(const std::string& path, const io::TableWriteOptions& options) {
  io::check_table_can_be_written(path, kColumns, options);
}

std::vector<ProbablePair> most_doubtful_first(std::span<const ScoredPair> pairs,
                                              std::span<const double> probabilities) {
  std::vector<ProbablePair> sorted;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool is_known = !probabilities.empty() && !std::isnan(probabilities[i]);
    sorted.push_back({pairs[i], is_known ? probabilities[i] : probability_of(pairs[i].score)});
  }
  std::ranges::stable_sort(sorted, {}, [](const ProbablePair& p) { return std::abs(p.probability - .5); });
  return sorted;
}

void write_pairs(const std::string& path, std::span<const ProbablePair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of,
                 const io::TableWriteOptions& options) {
  const auto writer = io::make_table_writer(path, kColumns, options);
  for (const auto& [pair, probability] : pairs) {
    const std::string score_text = fmt::format("{:.3f}", pair.score),
                      probability_text = fmt::format("{:.6f}", probability);
    const std::string_view score(score_text), likely(probability_text);
    writer->add_row(std::array{id_of(pair.rows.first), id_of(pair.rows.second), score, likely},
                    std::array{std::string_view(), std::string_view(), std::isfinite(pair.score) ? score : "",
                               std::isfinite(probability) ? likely : ""});
  }
  writer->finish();
}

}  // namespace fovea::linkage
