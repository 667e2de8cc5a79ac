// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/candidate_scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/bounded_score.h"
#include "fovea/linkage/matching/link_search.h"

namespace fovea::linkage {
namespace {

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

/// Groups of rows that share a value of some comparison which few rows have.
class RareValues {
 public:
  RareValues(std::span<const Comparison> comparisons, std::size_t row_count) : comparisons_(comparisons) {
    for (std::size_t c = 0; c < comparisons.size(); ++c) {
      std::vector<std::uint32_t> values(row_count);
      for (std::uint32_t row = 0; row < row_count; ++row) values[row] = comparisons[c].value(row);
      blocks_.push_back(group_by_number(values));
      is_rare_.emplace_back(comparisons[c].value_count());
      for (std::size_t b = 0; b < blocks_[c].size(); ++b) {
        if (blocks_[c][b].size() > kMostRows) continue;
        is_rare_[c][values[blocks_[c][b].front()]] = true;
        groups_.push_back({c, b});
      }
    }
    std::ranges::stable_sort(groups_, {}, [&](const Group& group) { return rows(group).size(); });
  }

  struct Group {
    std::size_t comparison, block;
  };
  /// The smallest first.
  const std::vector<Group>& groups() const { return groups_; }

  /// True if two rows share a rare value.
  bool share(RowPair pair) const { return first_shared(pair) < comparisons_.size(); }

  /// Calls visit(pair) for each pair of a group that shares no rare value of an earlier comparison.
  template <class Visit>
  void for_each(const Group& group, Visit&& visit) const {
    const std::span<const std::uint32_t> of_group = rows(group);
    for (std::size_t j = 1; j < of_group.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const RowPair pair{of_group[i], of_group[j]};
        if (first_shared(pair) == group.comparison) visit(pair);
      }
  }

 private:
  static constexpr std::size_t kMostRows = 50;

  std::span<const std::uint32_t> rows(const Group& group) const { return blocks_[group.comparison][group.block]; }

  /// The first comparison in which two rows share a rare value; their number if there is none.
  std::size_t first_shared(RowPair pair) const {
    std::size_t c = 0;
    for (; c < comparisons_.size(); ++c) {
      const std::uint32_t value = comparisons_[c].value(pair.first);
      if (value != kNoId && value == comparisons_[c].value(pair.second) && is_rare_[c][value]) break;
    }
    return c;
  }

  std::span<const Comparison> comparisons_;
  std::vector<Blocks> blocks_;              // [comparison]
  std::vector<std::vector<bool>> is_rare_;  // [comparison][value]
  std::vector<Group> groups_;
};

/// One call of score_candidates().
class CandidateScoring {
 public:
  CandidateScoring(const MatchModel& model, const CandidatePairs& candidates, double floor, const Run& run)
      : model_(model), candidates_(candidates), floor_(floor), run_(run) {
    for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
      all_ += static_cast<double>(candidates.pair_count(rule));
  }

  ScoredCandidates score() {
    constexpr std::uint64_t kPairsOfAChunk = 1 << 16;
    constexpr double kManyPairs = 1e7;  // which take seconds
    std::vector<ScoredPair> pairs;
    if (run_.stop.has_deadline() && all_ > kManyPairs) pairs = score_likely_pairs();
    const std::vector<ScoredPair> of_small = score_chunks(candidates_.chunks(kLargeBlock));
    const std::vector<CandidatePairs::Chunk> left = search_large_blocks(pairs);
    pairs.insert(pairs.end(), of_small.begin(), of_small.end());
    const std::vector<ScoredPair> of_large = score_chunks(cut(left, kPairsOfAChunk));
    pairs.insert(pairs.end(), of_large.begin(), of_large.end());
    return {.pairs = std::move(pairs), .share = is_complete_ ? 1 : std::min(scored_ / std::max(all_, 1.), 1.)};
  }

 private:
  static constexpr std::size_t kLargeBlock = 2000;  // rows from which a search of links may save time
  static constexpr std::size_t kGroupsOfATask = 1 << 12;

  /// The result of a thread for a chunk or block.
  struct Found {
    std::vector<ScoredPair> pairs = {};
    double scored = 0;
    bool is_complete = true, is_refused = false;
  };

  /// Does find(found) until asked to stop.
  template <class Find>
  static Found find_until_stopped(Find&& find) {
    Found found;
    try {
      find(found);
    } catch (const LimitError&) {
      found.is_complete = false;
    } catch (const CancelledError&) {
      found.is_complete = false;
    }
    return found;
  }

  void take(const Found& found) {
    scored_ += found.scored;
    is_complete_ = is_complete_ && found.is_complete;
  }

  /// Scores the candidate pairs that share a rare value, those of the rarest values first.
  std::vector<ScoredPair> score_likely_pairs() {
    likely_.emplace(model_.comparisons(), candidates_.row_count());
    const std::vector<RareValues::Group>& groups = likely_->groups();
    std::vector<Found> found((groups.size() + kGroupsOfATask - 1) / kGroupsOfATask);
    parallel_for(found.size(), 1, run_.threads, [&](std::size_t i, std::size_t) {
      const std::size_t begin = i * kGroupsOfATask, count = std::min(kGroupsOfATask, groups.size() - begin);
      found[i] = score_groups(std::span(groups).subspan(begin, count));
    });
    std::vector<ScoredPair> pairs;
    for (const Found& of_task : found) {
      take(of_task);
      pairs.insert(pairs.end(), of_task.pairs.begin(), of_task.pairs.end());
    }
    return pairs;
  }

  Found score_groups(std::span<const RareValues::Group> groups) const {
    return find_until_stopped([&](Found& found) {
      ComparisonMeter meter(run_.stop, "scoring pairs of records");
      BoundedScore score(model_, floor_);
      for (const RareValues::Group& group : groups)
        likely_->for_each(group, [&](RowPair pair) {
          meter.count();
          if (!candidates_.holds(pair)) return;
          found.scored += 1;
          keep_if_enough(pair, score, found);
        });
    });
  }

  void keep_if_enough(RowPair pair, BoundedScore& bounded, Found& found) const {
    const std::optional<float> score = bounded.score(pair);
    if (score && double{*score} > floor_) found.pairs.push_back({pair, *score});
  }

  bool is_likely(RowPair pair) const { return likely_ && likely_->share(pair); }

  std::vector<ScoredPair> score_chunks(const std::vector<CandidatePairs::Chunk>& chunks) {
    constexpr std::size_t kWindow = 64;  // chunks between two reports
    std::vector<std::size_t> order(chunks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (run_.stop.has_deadline())
      std::ranges::stable_sort(order, {}, [&](std::size_t i) { return candidates_.mean_later_rows(chunks[i]); });
    const PhaseProgress phase(run_.progress, "scoring", static_cast<double>(chunks.size()));
    std::vector<Found> found(chunks.size());
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < chunks.size() && is_complete_; begin += kWindow) {
      phase.report(static_cast<double>(begin), "pairs", static_cast<double>(count));
      const std::size_t window = std::min(kWindow, chunks.size() - begin);
      parallel_for(window, 1, run_.threads, [&](std::size_t i, std::size_t) {
        found[order[begin + i]] = score_chunk(chunks[order[begin + i]]);
      });
      for (std::size_t i = 0; i < window; ++i) {
        take(found[order[begin + i]]);
        count += found[order[begin + i]].pairs.size();
      }
      if (begin + window < chunks.size() && run_.stop.requested()) is_complete_ = false;
    }
    std::vector<ScoredPair> pairs;
    pairs.reserve(count);
    for (const Found& of_chunk : found) pairs.insert(pairs.end(), of_chunk.pairs.begin(), of_chunk.pairs.end());
    return pairs;
  }

  Found score_chunk(const CandidatePairs::Chunk& chunk) const {
    return find_until_stopped([&](Found& found) {
      ComparisonMeter meter(run_.stop, "scoring pairs of records");
      BoundedScore score(model_, floor_);
      candidates_.for_each(chunk, [&](RowPair pair, bool is_first) {
        meter.count();
        ++found.scored;
        if (is_first && !is_likely(pair)) keep_if_enough(pair, score, found);
      });
    });
  }

  /// Appends the links in large blocks. Returns those in which there is no faster way than to score all pairs.
  std::vector<CandidatePairs::Chunk> search_large_blocks(std::vector<ScoredPair>& pairs) {
    std::vector<CandidatePairs::Chunk> large, left;
    std::vector<std::size_t> numbers;
    for (std::size_t rule = 0; rule < candidates_.rule_count(); ++rule) {
      const Blocks& blocks = candidates_.blocks(rule);
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (blocks[b].size() <= kLargeBlock) continue;
        large.push_back({rule, blocks.begin[b], blocks.begin[b + 1]});
        numbers.push_back(b);
      }
    }
    std::vector<Found> found(large.size());
    parallel_for(large.size(), 1, run_.threads,
                 [&](std::size_t i, std::size_t) { found[i] = search_block(large[i], numbers[i]); });
    for (std::size_t i = 0; i < large.size(); ++i) {
      take(found[i]);
      pairs.insert(pairs.end(), found[i].pairs.begin(), found[i].pairs.end());
      if (found[i].is_refused) left.push_back(large[i]);
    }
    return left;
  }

  Found search_block(const CandidatePairs::Chunk& block, std::size_t number) const {
    return find_until_stopped([&](Found& found) {
      const auto rows = std::span(candidates_.blocks(block.rule).rows).subspan(block.begin, block.end - block.begin);
      const auto is_wanted = [&](RowPair pair) {
        return candidates_.scope().holds(pair) && candidates_.first_rule(pair) == block.rule &&
               candidates_.first_block(pair, block.rule) == number && !is_likely(pair);
      };
      std::optional<std::vector<ScoredPair>> links = find_links(model_, rows, floor_, is_wanted, run_.stop);
      found.is_refused = !links;
      if (!links) return;
      found.pairs = std::move(*links);
      found.scored = static_cast<double>(candidates_.pair_count(block.rule, number));
    });
  }

  const MatchModel& model_;
  const CandidatePairs& candidates_;
  double floor_;
  const Run& run_;
  std::optional<RareValues> likely_;  // whose pairs were scored first
  double all_ = 0, scored_ = 0;
  bool is_complete_ = true;
};

}  // namespace

ScoredCandidates score_candidates(const MatchModel& model, const CandidatePairs& candidates, double floor,
                                  const Run& run) {
  return CandidateScoring(model, candidates, floor, run).score();
}

void warn_of_share(double share, const Run& run) {
  run.warn_of(fmt::format("{} when {:.2g} % of the pairs of records had been compared: the others count as different",
                          run.is_cancelled() ? "interrupted" : "the time for comparing was over", 100 * share));
}

}  // namespace fovea::linkage
