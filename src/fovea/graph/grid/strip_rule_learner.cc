// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_rule_learner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::graph {
namespace {

using Weights = std::array<float, StripRule::kWeights>;

constexpr std::size_t kHotDoubt = 6;
/// Start of learning: hot bits whose strips wait a little after they have changed themselves, since most such changes
/// are undone and changes of neighbours bring the strip back anyway. From plain hot bits learning sometimes misses
/// that. A factor common to all weights has no effect, so doubt keeps its weight.
constexpr Weights kFirstMean = {1, 0, 10, -2, 0.3f, 0, 0, -7.5f}, kFirstSpread = {0, 1, 3, 1.5f, 0.4f, 0.4f, 0.7f, 1};
constexpr std::size_t kNeighboursWeight = 2;

/// The value at `energy` of the polyline through the points, whose energies fall. Beyond its cheap end the line
/// continues ten times as steeply, so that no rule gains by giving up; beyond the other end it is not continued far,
/// since that would extrapolate noise.
template <class Points>
double log_cost_at(const Points& points, double energy) {
  constexpr double kSteep = 10;
  std::size_t i = 1;
  while (i + 1 < points.size() && energy < points[i].energy) ++i;
  const auto& a = points[i - 1];
  const auto& b = points[i];
  const double share = (a.energy - energy) / std::max(a.energy - b.energy, 1e-9);
  const double bounded = share < 0 ? kSteep * share : std::min(share, 2.0);
  return a.log_cost + bounded * (b.log_cost - a.log_cost);
}

Assignment random_labels(const GridModel& model, Random random) {
  Assignment labels(model.shape().cells());
  for (Value& label : labels)
    label = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(model.label_count())));
  return labels;
}

/// A normal distribution over rules, independent for each weight.
class RuleLaw {
 public:
  explicit RuleLaw(bool sees_neighbours) : mean_(kFirstMean), spread_(kFirstSpread) {
    if (!sees_neighbours) mean_[kNeighboursWeight] = spread_[kNeighboursWeight] = 0;
  }

  StripRule draw(Random random) const {
    StripRule rule = mean();
    for (std::size_t i = 0; i < rule.weights.size(); ++i)
      rule.weights[i] += spread_[i] * static_cast<float>(random.normal());
    return rule;
  }
  StripRule mean() const { return {.weights = mean_}; }

  void fit(std::span<const StripRule> elite) {
    const auto count = static_cast<float>(elite.size());
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      float sum = 0, square = 0;
      for (const StripRule& rule : elite) sum += rule.weights[i];
      mean_[i] = sum / count;
      for (const StripRule& rule : elite) square += (rule.weights[i] - mean_[i]) * (rule.weights[i] - mean_[i]);
      spread_[i] = std::sqrt(square / count);
    }
  }

 private:
  Weights mean_, spread_;
};

struct RankedRules {
  std::vector<StripRule> rules = {};  // by falling saving
  double best_saving = 0;             // nats, the mean over all models
};

/// Empty after a stop.
RankedRules ranked(const std::vector<StripRule>& rules, std::span<const SavingMeter> meters, SavingMeter::Seeds seeds,
                   int threads, const Stop& stop) {
  std::vector<double> savings(rules.size());
  parallel_for(rules.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (const SavingMeter& meter : meters) savings[i] += meter.saving(rules[i], seeds, stop);
  });
  if (stop.requested()) return {};
  std::vector<std::size_t> order(rules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return savings[a] > savings[b]; });
  RankedRules sorted = {.best_saving = savings[order.front()] / static_cast<double>(meters.size())};
  for (const std::size_t i : order) sorted.rules.push_back(rules[i]);
  return sorted;
}

/// A grid's curve takes about as long as a generation does on it: both count as one unit.
class LearningProgress {
 public:
  LearningProgress(const ProgressFunction& report, std::size_t total) : report_(report), total_(total) {}

  void finish_unit(double best_saving = 0) {
    ++done_;
    if (!report_) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started_;
    report_({.phase = "learning a rule",
             .done = static_cast<double>(done_),
             .total = static_cast<double>(total_),
             .seconds = seconds.count(),
             .figure = "times cheaper",
             .value = std::exp(best_saving)});
  }

 private:
  const ProgressFunction& report_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::size_t total_, done_ = 0;
};

}  // namespace

double schedule_cost(const StripSchedule& schedule, const GridModel& model, const AnnealingPlan& plan) {
  constexpr double kLook = 0.1, kStripRound = 0.01;
  const double visits = std::accumulate(schedule.visits().begin(), schedule.visits().end(), 0.0);
  return visits + kLook * static_cast<double>(schedule.looks()) +
         static_cast<double>(model.strip_count()) * kStripRound * plan.rounds;
}

SavingMeter::SavingMeter(const TuningGrid& grid, std::size_t seeds, const Random& random, const Stop& stop)
    : grid_(&grid), seeds_(seeds), random_(random) {
  const StripTable hot = StripTable::hot_bits(kHotDoubt);
  for (std::uint32_t rounds = std::max(grid.plan.rounds / 8, 1u); rounds <= 4 * grid.plan.rounds; rounds *= 2)
    curve_.push_back(run(hot, rounds, 4 * seeds_, "hot", stop));
}

SavingMeter::Point SavingMeter::run(const StripTable& table, std::uint32_t rounds, std::size_t seeds,
                                    std::string_view purpose, const Stop& stop) const {
  AnnealingPlan plan = grid_->plan;
  plan.rounds = rounds;
  double energy = 0, cost = 0;
  for (std::size_t seed = 0; seed < seeds && !stop.requested(); ++seed) {
    const Random random = random_.child(purpose, seed);
    StripSchedule schedule(grid_->model, table, random);
    schedule.assign(random_labels(grid_->model, random.child("start")));
    schedule.anneal(plan);
    energy -= grid_->model.log_score(schedule.labels());
    cost += schedule_cost(schedule, grid_->model, plan);
  }
  const auto count = static_cast<double>(seeds);
  return {.energy = energy / count, .log_cost = std::log(cost / count)};
}

double SavingMeter::saving(const StripRule& rule, Seeds seeds, const Stop& stop) const {
  const StripTable table = rule.table();
  const bool is_last = seeds == Seeds::kHeldOut;
  double sum = 0;
  for (const std::uint32_t rounds : {std::max(grid_->plan.rounds / 3, 1u), grid_->plan.rounds}) {
    const Point point = run(table, rounds, is_last ? 4 * seeds_ : seeds_, is_last ? "held out" : "rule", stop);
    sum += log_cost_at(curve_, point.energy) - point.log_cost;
  }
  return sum / 2;
}

StripRule first_strip_rule() { return {.weights = kFirstMean}; }

StripRule learn_strip_rule(std::span<const TuningGrid> grids, const StripRuleLearnerOptions& options, const Run& run) {
  const Stop& stop = run.stop;
  const Random& random = run.random;
  validate(options);
  FOVEA_CHECK(!grids.empty());
  LearningProgress learning(run.progress, grids.size() + options.generations);
  std::vector<SavingMeter> meters;
  for (const TuningGrid& grid : grids) {
    meters.emplace_back(grid, options.seeds, random.child(grid.source), stop);
    learning.finish_unit();
  }
  RuleLaw law(options.reach > 0);
  for (std::size_t generation = 0; generation < options.generations && !stop.requested(); ++generation) {
    std::vector<StripRule> rules;
    for (std::size_t i = 0; i < options.candidates; ++i)
      rules.push_back(law.draw(random.child("candidate", generation * options.candidates + i)));
    const RankedRules tried = ranked(rules, meters, SavingMeter::Seeds::kLearning, run.threads, stop);
    if (stop.requested()) break;
    law.fit(std::span(tried.rules).first(options.candidates / 4));
    learning.finish_unit(tried.best_saving);
  }
  StripRule learned = law.mean();
  if (!stop.requested()) {
    std::vector<StripRule> finalists = {learned};
    for (std::size_t least_doubt = 5; least_doubt <= 9; ++least_doubt)
      finalists.push_back(StripRule::hot_bits(least_doubt));
    const RankedRules compared = ranked(finalists, meters, SavingMeter::Seeds::kHeldOut, run.threads, stop);
    if (!stop.requested()) learned = compared.rules.front();
  }
  for (const TuningGrid& grid : grids) learned.sources.push_back(grid.source);
  return learned;
}

}  // namespace fovea::graph
