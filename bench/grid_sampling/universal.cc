// SPDX-License-Identifier: Apache-2.0
// Learns the rule that is shipped as graph/grid/strip_rule.h from generated grids, and what such a rule saves
// on a family left out of its training, beside a rule tuned there and hot bits. Prints one JSON line a rule.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/grid_sampling/generated.h"
#include "bench/support/measure.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kTuned = 2, kScored = 2;  // models of each family

/// The other families are settled after few rounds, so that annealings of them teach little: they are only scored.
const std::vector<std::string> kTraining = {"random fields", "holes", "hidden discs"};

std::vector<graph::TuningGrid> grids_without(const std::string& left_out) {
  std::vector<graph::TuningGrid> grids;
  for (const std::string& family : kTraining)
    if (family != left_out)
      for (graph::TuningGrid& grid : generated_grids(family, kTuned, Random(1))) grids.push_back(std::move(grid));
  return grids;
}

/// How many times cheaper than visiting every strip in every round, on models not tuned on.
double factor_saved(const graph::StripRule& rule, const std::string& family, std::size_t seeds) {
  const graph::StripRule every{.weights = {0, 0, 0, 0, 0, 0, 0, 1}};
  double sum = 0;
  for (const graph::TuningGrid& grid : generated_grids(family, kScored, Random(2))) {
    const graph::SavingMeter meter(grid, seeds, Random(3));
    sum += meter.saving(rule) - meter.saving(every);
  }
  return std::exp(sum / kScored);
}

void study(std::uint64_t generations, std::uint64_t seeds) {
  const graph::StripRuleLearnerOptions options = {.generations = generations, .candidates = 48, .seeds = seeds};
  const auto learn = [&](const std::vector<graph::TuningGrid>& grids) {
    return graph::learn_strip_rule(grids, options, {.random = Random(4)});
  };
  const graph::StripRule universal = learn(grids_without(""));
  std::cout << nlohmann::ordered_json{{"rule", "universal"},
                                      {"weights", universal.weights},
                                      {"sources", universal.sources}}
                   .dump()
            << std::endl;
  for (const std::string& family : grid_families()) {
    const bool is_seen = std::find(kTraining.begin(), kTraining.end(), family) != kTraining.end();
    const graph::StripRule elsewhere = is_seen ? learn(grids_without(family)) : universal;
    const graph::StripRule here = learn(generated_grids(family, kTuned, Random(1)));
    std::cout << nlohmann::ordered_json{{"rule", "left out"},
                                        {"family", family},
                                        {"weights", elsewhere.weights},
                                        {"weights_tuned", here.weights},
                                        {"factor", factor_saved(elsewhere, family, 4 * seeds)},
                                        {"factor_tuned", factor_saved(here, family, 4 * seeds)},
                                        {"factor_hot_bits",
                                         factor_saved(graph::StripRule::hot_bits(6), family, 4 * seeds)}}
                     .dump()
              << std::endl;
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 2, "grid_sampling_universal GENERATIONS SEEDS")) return 2;
  fovea::bench::study(std::stoull(argv[1]), std::stoull(argv[2]));
}
