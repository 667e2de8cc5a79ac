// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/learn_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/linkage/clustering/average_link.h"
#include "fovea/linkage/evaluate/merge_threshold.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/weights/pair_weighting.h"

namespace fovea::linkage {
namespace {

/// The labelled rows of all blocks, laid end to end.
struct LabelledRows {
  std::vector<std::uint32_t> rows, entities;
  std::vector<std::size_t> begin = {0};  // [block + 1]

  LabelledRows(const Blocks& blocks, std::span<const std::uint32_t> entity_of_row) {
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      for (const std::uint32_t row : blocks[block]) {
        if (entity_of_row[row] == kUnlabelled) continue;
        rows.push_back(row);
        entities.push_back(entity_of_row[row]);
      }
      begin.push_back(rows.size());
    }
  }
};

LabelledPatterns count_patterns(std::span<const Comparison> comparisons, const LabelledRows& labelled,
                                std::span<const LabelledPair> pairs, int threads) {
  constexpr std::size_t kGrain = 1024;
  const std::size_t width = comparisons.size();
  std::vector<Level> levels(pairs.size() * width);  // [pair][comparison]
  parallel_for(pairs.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<Level> of_pair;
    for (std::size_t i = begin; i < end; ++i) {
      compare_rows(comparisons, labelled.rows[pairs[i].first], labelled.rows[pairs[i].second], of_pair);
      std::ranges::copy(of_pair, levels.begin() + static_cast<std::ptrdiff_t>(i * width));
    }
  });
  double total = 0;
  for (const LabelledPair& pair : pairs) total += pair.weight;
  LabelledPatterns patterns(level_counts(comparisons));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    patterns.add(std::span(levels).subspan(i * width, width), pairs[i].is_match,
                 pairs[i].weight * static_cast<double>(pairs.size()) / total);
  return patterns;
}

/// Appends the merges of records begin .. begin + rows.size() - 1; rows that no comparison tells apart merge anyway.
void append_merges(const MatchModel& model, std::span<const std::uint32_t> rows, std::uint32_t begin,
                   std::vector<Merge>& merges) {
  constexpr double kAlways = -std::numeric_limits<double>::infinity();
  const EqualRows groups = model.merge_equal(rows, kAlways);
  std::vector<RecordId> record(groups.rows.size(), kNoId);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    RecordId& first = record[groups.group[i]];
    if (first == kNoId) first = begin + i;
    else merges.push_back({first, begin + i, std::numeric_limits<float>::infinity()});
  }
  const std::vector<double> counts(groups.counts.begin(), groups.counts.end());
  for (const Merge& merge : average_link(model.pairs_of(groups.rows), counts))
    merges.push_back({record[merge.first], record[merge.second], merge.score});
}

/// The threshold that suits the blocks of at most `largest_block` rows.
MergeThreshold choose_threshold(const MatchModel& model, const LabelledRows& labelled, std::size_t largest_block,
                                int threads) {
  std::vector<std::uint32_t> gold;
  struct Block {
    std::span<const std::uint32_t> rows;
    std::uint32_t first;  // of its rows in `gold`
  };
  std::vector<Block> blocks;
  for (std::size_t block = 0; block + 1 < labelled.begin.size(); ++block) {
    const std::size_t begin = labelled.begin[block], size = labelled.begin[block + 1] - begin;
    if (size > largest_block) continue;
    blocks.push_back({std::span(labelled.rows).subspan(begin, size), static_cast<std::uint32_t>(gold.size())});
    gold.insert(gold.end(), labelled.entities.begin() + static_cast<std::ptrdiff_t>(begin),
                labelled.entities.begin() + static_cast<std::ptrdiff_t>(begin + size));
  }
  constexpr std::size_t kGrain = 16;
  std::vector<std::vector<Merge>> parts((blocks.size() + kGrain - 1) / kGrain);
  parallel_for(blocks.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) append_merges(model, blocks[b].rows, blocks[b].first, parts[b / kGrain]);
  });
  std::vector<Merge> merges;
  for (const std::vector<Merge>& part : parts) merges.insert(merges.end(), part.begin(), part.end());
  return best_threshold(std::move(merges), gold);
}

}  // namespace

std::string LearnedMatching::brief() const {
  return fmt::format("{} pairs; {}; clusters merge above {:.3g}: B-cubed F1 {:.4f} of the labelled blocks", pairs,
                     fit.brief(), threshold, training.f1());
}

LearnedMatching learn_matching(std::span<const Comparison> comparisons, const Blocks& blocks,
                               std::span<const std::uint32_t> entities, const LearnMatchingOptions& options,
                               Random& random, int threads) {
  validate(options);
  const LabelledRows labelled(blocks, entities);
  const std::vector<LabelledPair> pairs =
      draw_labelled_pairs({labelled.entities, labelled.begin}, static_cast<std::uint32_t>(options.pairs), random);
  LearnedMatching learned;
  learned.pairs = pairs.size();
  learned.fit = fit_pair_regression(count_patterns(comparisons, labelled, pairs, threads), {.l2 = options.l2}, threads);
  learned.weights = learned.fit.weights;
  const MergeThreshold threshold = choose_threshold(MatchModel(comparisons, {.weights = learned.weights}), labelled,
                                                    static_cast<std::size_t>(options.threshold_block), threads);
  learned.threshold = threshold.score;
  learned.training = threshold.b_cubed;
  learned.weights.prior_log_odds -= threshold.score;
  return learned;
}

}  // namespace fovea::linkage
