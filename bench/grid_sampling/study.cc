// SPDX-License-Identifier: Apache-2.0
// Annealing where it pays against annealing everywhere, same temperatures and starts. Tunes rules on one grid, scores
// on another. Prints JSON lines: first the checkerboard's mean energies and CPU seconds at each number of rounds, then,
// for each other arm, those at numbers of rounds around it, from which run.py reads off when the same energy is
// reached.
#include <ctime>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/measure.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_rule_learner.h"
#include "fovea/graph/map/portfolio_members.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

graph::GridModel read_grid(const std::string& path) {
  std::optional<graph::GridModel> model = graph::GridModel::detect(graph::read_model(path).graph);
  if (!model) throw std::runtime_error(path + " is no grid");
  return *std::move(model);
}

/// The picture laid `times` by `times`.
graph::GridModel tiled(const graph::GridModel& model, std::size_t times) {
  const auto& [rows, columns, is_torus] = model.shape();
  const std::size_t labels = model.label_count();
  const graph::GridShape shape = {.rows = rows * times, .columns = columns * times};
  std::vector<float> unary(shape.cells() * labels), horizontal(labels * labels), vertical(labels * labels);
  for (std::size_t cell = 0; cell < shape.cells(); ++cell) {
    const std::size_t row = cell / shape.columns % rows, column = cell % shape.columns % columns, site = column / 2;
    const float* strip = model.unary(model.strip_index((row + column) & 1, row, site / graph::kStripSites));
    for (std::size_t k = 0; k < labels; ++k)
      unary[cell * labels + k] = strip[k * graph::kStripSites + site % graph::kStripSites];
  }
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) {
      horizontal[a * labels + b] = model.pair(graph::kRight, a)[b];
      vertical[a * labels + b] = model.pair(graph::kBelow, a)[b];
    }
  return graph::GridModel(shape, labels, unary, horizontal, vertical);
}

Assignment random_labels(const graph::GridModel& model, Random random) {
  Assignment labels(model.shape().cells());
  for (Value& label : labels)
    label = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(model.label_count())));
  return labels;
}

/// Of this process: other programs beside it do not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Energies, CPU seconds and transitions of an arm, summed over seeds.
struct Totals {
  double energy = 0, seconds = 0, transitions = 0;
};

template <class Arm, class Run>
void add_run(const graph::GridModel& model, Arm arm, std::uint64_t seed, const Run& run, Totals& totals) {
  arm.assign(random_labels(model, Random(seed).child("start")));
  const double start = cpu_seconds();
  const Work work = run(arm);
  totals.seconds += cpu_seconds() - start;
  totals.energy -= model.log_score(arm.labels());
  totals.transitions += static_cast<double>(work.transitions);
}

/// One arm on one model: a rule, or every site in every round.
struct Arm {
  std::string name;
  std::optional<graph::StripRule> rule = {};

  Totals run(const graph::GridModel& model, std::uint32_t rounds, std::uint64_t seed) const {
    const graph::AnnealingPlan plan = {.rounds = rounds};
    Totals totals;
    if (rule)
      add_run(
          model, graph::StripSchedule(model, rule->table(), Random(seed)), seed,
          [&](graph::StripSchedule& schedule) { return schedule.anneal(plan); }, totals);
    else
      add_run(
          model, graph::CheckerboardSampler(model, Random(seed)), seed,
          [&](graph::CheckerboardSampler& sampler) { return graph::anneal(sampler, plan); }, totals);
    return totals;
  }
};

void print(const std::string& model, const Arm& arm, std::uint32_t target_rounds, std::uint32_t rounds,
           const Totals& totals, double seeds) {
  std::cout << Json{{"model", model},
                    {"arm", arm.name},
                    {"target_rounds", target_rounds},
                    {"rounds", rounds},
                    {"energy", totals.energy / seeds},
                    {"seconds", totals.seconds / seeds},
                    {"transitions", totals.transitions / seeds}}
                   .dump()
            << std::endl;
}

/// All arms around one number of rounds, taking turns within every seed.
void compare(const std::string& name, const graph::GridModel& model, const std::vector<Arm>& arms,
             std::uint32_t target_rounds, std::uint64_t seeds,
             const std::vector<double>& shares = {.5, .7, 1, 1.4, 2}) {
  struct Cell {
    const Arm* arm;
    std::uint32_t rounds;
    Totals totals = {};
  };
  std::vector<Cell> cells;
  for (const Arm& arm : arms)
    for (const double share : shares)
      if (arm.rule || share == 1) cells.push_back({&arm, static_cast<std::uint32_t>(share * target_rounds)});
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (Cell& cell : cells) {
      const Totals run = cell.arm->run(model, cell.rounds, seed);
      cell.totals.energy += run.energy;
      cell.totals.seconds += run.seconds;
      cell.totals.transitions += run.transitions;
    }
  for (const Cell& cell : cells)
    print(name, *cell.arm, target_rounds, cell.rounds, cell.totals, static_cast<double>(seeds));
}

/// The least energy that the search of grids reaches within `seconds`, a value for each seed.
void reach(const std::string& name, const std::string& path, double seconds, std::uint64_t seeds) {
  const graph::FactorGraph graph = graph::read_model(path).graph;
  const graph::GridModel grid = read_grid(path);
  Json record = {{"model", name}, {"reach_seconds", seconds}};
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Stop stop = Stop().within(seconds);
    graph::GridSearch search(graph, grid, graph::universal_strip_rule(), Random(seed));
    search.run(std::numeric_limits<std::uint64_t>::max(), stop);
    record["energies"].push_back(-search.best().score);
  }
  std::cout << record.dump() << std::endl;
}

constexpr std::size_t kLeastDoubt = 4, kMostDoubt = 10;  // thresholds of hot bits, 2^-(k / 2)

/// Hot bits with the threshold that saves most on the grid, in annealings of its own.
graph::StripRule tuned_hot_bits(const graph::TuningGrid& grid) {
  const graph::SavingMeter meter(grid, 8, Random(7));
  std::pair<double, std::size_t> best = {-1e9, kLeastDoubt};
  for (std::size_t doubt = kLeastDoubt; doubt <= kMostDoubt; ++doubt)
    best =
        std::max(best, {meter.saving(graph::StripRule::hot_bits(doubt), graph::SavingMeter::Seeds::kHeldOut), doubt});
  std::cout << Json{{"tuned_hot_bits", best.second}}.dump() << std::endl;
  return graph::StripRule::hot_bits(best.second);
}

/// The threshold, if the rule is that of hot bits.
std::optional<std::size_t> as_hot_bits(const graph::StripRule& rule) {
  for (std::size_t doubt = kLeastDoubt; doubt <= kMostDoubt; ++doubt)
    if (rule.weights == graph::StripRule::hot_bits(doubt).weights) return doubt;
  return std::nullopt;
}

void study(const std::string& tune_path, const std::string& score_path, std::uint64_t seeds,
           std::uint64_t generations) {
  std::vector<graph::TuningGrid> tuning;
  tuning.push_back({.model = read_grid(tune_path),
                    .plan = {.rounds = 1000},
                    .source = std::filesystem::path(tune_path).filename().string()});
  const graph::GridModel scored = read_grid(score_path);
  std::vector<Arm> arms = {{"checkerboard"},
                           {"hot bits", graph::StripRule::hot_bits(6)},
                           {"hot bits, tuned threshold", tuned_hot_bits(tuning[0])},
                           {"the start of learning", graph::first_strip_rule()}};
  for (const std::uint64_t horizon : {1u, 0u}) {
    const graph::StripRuleLearnerOptions options = {.generations = generations, .reach = horizon};
    const double start = cpu_seconds();
    graph::StripRule rule = graph::learn_strip_rule(tuning, options, {.threads = 1});
    std::string name = "learned, H=" + std::to_string(horizon);
    if (const auto doubt = as_hot_bits(rule)) name += " (ended as hot bits " + std::to_string(*doubt) + ")";
    arms.push_back({std::move(name), std::move(rule)});
    std::cout << Json{{"rule", arms.back().name},
                      {"learning_seconds", cpu_seconds() - start},
                      {"weights", arms.back().rule->weights}}
                     .dump()
              << std::endl;
  }
  arms.push_back({"universal", graph::universal_strip_rule()});
  for (const std::uint32_t rounds : {300u, 1000u, 3000u}) {
    compare("scored", scored, arms, rounds, seeds);
    compare("tuned on", tuning[0].model, arms, rounds, seeds);
  }
  constexpr std::size_t kTiles = 17;
  compare("tiled", tiled(scored, kTiles), arms, 300, 1, {.7, 1, 1.4});
  reach("scored", score_path, .1, seeds);
  reach("tuned on", tune_path, 1, seeds);
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 4, "grid_sampling_study TUNE SCORE SEEDS GENERATIONS")) return 2;
  fovea::bench::study(argv[1], argv[2], std::stoull(argv[3]), std::stoull(argv[4]));
}
