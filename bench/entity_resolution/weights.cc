// SPDX-License-Identifier: Apache-2.0
// Learns match weights from a fifth of the blocks, drawn at random, and writes the match model: first by logistic
// regression on labelled pairs; then the prior, of which pairs cannot tell how clusterings take it, by the B-cubed F1
// of these blocks when they are clustered.
#include <iostream>
#include <numeric>

#include "fovea/apps/coreference/canopy_clustering.h"
#include "fovea/apps/coreference/cluster_file.h"
#include "fovea/apps/coreference/match_model_file.h"
#include "fovea/apps/coreference/record_matching.h"
#include "fovea/io/table/read_table.h"
#include "fovea/learn/match/pair_regression.h"
#include "fovea/learn/match/pair_weighting.h"

namespace fovea::bench {
namespace {

constexpr std::uint32_t kPairs = 400'000, kShare = 5;

/// The rows of every fifth block.
Blocks training_blocks(const Blocks& blocks) {
  Blocks chosen;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (Random(1).child("fold", b).uniform_index(kShare) != 0) continue;
    chosen.rows.insert(chosen.rows.end(), blocks[b].begin(), blocks[b].end());
    chosen.begin.push_back(chosen.rows.size());
  }
  return chosen;
}

std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> counts;
  for (const Comparison& comparison : comparisons) counts.push_back(comparison.kind().levels.size());
  return counts;
}

MatchWeights fit_pairs(std::span<const Comparison> comparisons, const Blocks& blocks,
                       std::span<const std::uint32_t> gold) {
  std::vector<std::uint32_t> entities;
  for (const std::uint32_t row : blocks.rows) entities.push_back(gold[row]);
  LabelledPatterns patterns(level_counts(comparisons));
  Random random(1);
  std::vector<Level> levels(comparisons.size());
  for (const LabelledPair& pair : draw_labelled_pairs({entities, blocks.begin}, kPairs, random)) {
    for (std::size_t c = 0; c < levels.size(); ++c)
      levels[c] = comparisons[c].compare(blocks.rows[pair.first], blocks.rows[pair.second]);
    patterns.add(levels, pair.is_match, pair.weight);
  }
  const PairRegressionFit fit = fit_pair_regression(patterns);
  std::cerr << fit.brief() << "\n";
  return fit.weights;
}

/// What is best added to the prior.
double fit_prior(const MatchModel& model, const Blocks& blocks, std::span<const std::uint32_t> gold) {
  std::vector<std::uint32_t> known(gold.size(), kUnlabelled);
  for (const std::uint32_t row : blocks.rows) known[row] = gold[row];
  double best = 0, best_f1 = 0;
  for (double shift = 0; shift <= 4; shift += 0.5) {
    const CanopyTask task{.model = model, .least_score = -shift, .canopies = blocks, .row_count = gold.size()};
    const double f1 = score_clusters(cluster_canopies(task, {}, Random(1)).clusters, known).b_cubed.f1();
    std::cerr << "prior + " << shift << ": B-cubed F1 " << f1 << "\n";
    if (f1 <= best_f1) continue;
    best_f1 = f1;
    best = shift;
  }
  return best;
}

MatchWeights learn(const RecordMatching& matching, std::span<const std::uint32_t> gold) {
  const Blocks blocks = training_blocks(matching.candidates().blocks(0));
  MatchWeights weights = fit_pairs(matching.comparisons(), blocks, gold);
  weights.prior_log_odds += fit_prior(MatchModel(matching.comparisons(), {.weights = weights}), blocks, gold);
  return weights;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea;
  if (argc != 6) {
    std::cerr << "usage: entity_resolution_weights TABLE COMPARISONS BLOCK GOLD_COLUMN MODEL\n";
    return 2;
  }
  const Table table = read_table(argv[1]);
  const RecordMatching matching(table, {.compare = argv[2], .block = argv[3], .max_block = 1'000'000});
  const MatchWeights weights = bench::learn(matching, number_labels(table, table.column(argv[4])));
  write_match_model(argv[5], matching.describe({.weights = weights}));
}
