// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/pair_calibration.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/linkage/weights/pair_weighting.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kFolds = 5;
constexpr int kSamples = 50;
constexpr std::uint32_t kPairsPerFold = 100'000;

void append(std::span<const std::uint32_t> rows, Blocks& blocks) {
  blocks.rows.insert(blocks.rows.end(), rows.begin(), rows.end());
  blocks.begin.push_back(blocks.rows.size());
}

/// The labelled rows of all blocks with at least two of them.
Blocks labelled_blocks(const CalibrationTask& task) {
  Blocks labelled;
  std::vector<std::uint32_t> rows;
  for (std::size_t b = 0; b < task.blocks.size(); ++b) {
    rows.clear();
    std::ranges::copy_if(task.blocks[b], std::back_inserter(rows),
                         [&](std::uint32_t row) { return task.entities[row] != kUnlabelled; });
    if (rows.size() > 1) append(rows, labelled);
  }
  return labelled;
}

/// Deals the blocks to folds, the same number to each: [block] its fold.
std::vector<std::uint32_t> deal(std::size_t blocks, Random random) {
  std::vector<std::uint32_t> folds(blocks);
  for (std::size_t b = 0; b < blocks; ++b) folds[b] = static_cast<std::uint32_t>(b % kFolds);
  shuffle(std::span(folds), random);
  return folds;
}

/// Draws random pairs within blocks, more from larger blocks.
std::vector<RowPair> draw_pairs(const Blocks& blocks, std::span<const std::uint32_t> entities, Random random) {
  std::vector<std::uint32_t> entity_of_place;
  for (const std::uint32_t row : blocks.rows) entity_of_place.push_back(entities[row]);
  std::vector<RowPair> pairs;
  for (const LabelledPair& pair : draw_labelled_pairs({entity_of_place, blocks.begin}, kPairsPerFold, random)) {
    const auto [first, second] = std::minmax(blocks.rows[pair.first], blocks.rows[pair.second]);
    pairs.push_back({first, second});
  }
  return pairs;
}

/// Learns weights; nullopt if there are too few labels.
std::optional<MatchWeights> learn_weights(const CalibrationTask& task, const Blocks& blocks, Random random,
                                          int threads) {
  try {
    return learn_matching(task.comparisons, blocks, task.entities, task.learning, random, threads).weights;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Rounds to a hundredth: smaller differences are noise, and fewer knots are needed.
double rounded(double share) { return std::round(100 * share) / 100; }

/// Clusters blocks that the weights were not learned on. Adds for random pairs the share of samples and the label.
void add_points(const CalibrationTask& task, const MatchWeights& weights, const Blocks& blocks, const Run& run,
                std::vector<MonotoneMap::Knot>& points) {
  const MatchModel model(task.comparisons, {.weights = weights});
  ComponentTask components{model, 0, blocks, task.entities.size(),
                           draw_pairs(blocks, task.entities, run.random.child("pairs"))};
  ComponentClusteringOptions options = task.clustering;
  options.samples = std::max(options.samples, kSamples);
  const RecordClusters found = cluster_components(components, options, run.child("chains"));
  if (found.left > 0) throw CancelledError("interrupted while learning how sure chains are");
  for (std::size_t i = 0; i < components.watched.size(); ++i) {
    const auto [first, second] = components.watched[i];
    points.push_back({rounded(found.probabilities[i]), task.entities[first] == task.entities[second] ? 1. : 0.});
  }
}

}  // namespace

MonotoneMap learn_pair_calibration(const CalibrationTask& task, const Run& run) {
  const Blocks labelled = labelled_blocks(task);
  const std::vector<std::uint32_t> folds = deal(labelled.size(), run.random.child("folds"));
  std::vector<MonotoneMap::Knot> points;
  for (std::uint32_t fold = 0; fold < kFolds; ++fold) {
    Blocks left_out, others;
    for (std::size_t b = 0; b < labelled.size(); ++b) append(labelled[b], folds[b] == fold ? left_out : others);
    const Run child = run.with(run.random.child("fold", fold));
    const std::optional<MatchWeights> weights = learn_weights(task, others, child.random.child("weights"), run.threads);
    if (weights) add_points(task, *weights, left_out, child, points);
  }
  return fit_isotonic_regression(std::move(points));
}

}  // namespace fovea::linkage
