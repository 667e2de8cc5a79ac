// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/anneal_batched.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::mcmc {
namespace {

constexpr double kColdest = .05;  // a lower temperature counts as 0

/// The mean gain of earlier visits with the same doubt, on a logarithmic scale, and number of changed neighbours.
/// Before there are any, the doubt itself, in nats: an upper end that asks where nothing is known.
class GainTable {
 public:
  double expected(double doubt, int changed) const {
    const Cell& cell = cells_[index(doubt, changed)];
    return (cell.sum + kPriorVisits * doubt) / (cell.visits + kPriorVisits);
  }
  void add(double doubt, int changed, double gain) {
    Cell& cell = cells_[index(doubt, changed)];
    cell.sum += std::min(gain, kMostGain);
    ++cell.visits;
  }

 private:
  struct Cell {
    double sum = 0, visits = 0;
  };
  static constexpr double kPriorVisits = 4, kMostGain = 100;
  static constexpr std::size_t kDoubts = 12, kChanges = 4;

  static std::size_t index(double doubt, int changed) {
    const double octave = -std::log2(std::max(doubt, 1e-9));
    const std::size_t row = std::min(static_cast<std::size_t>(std::max(0.0, octave)), kDoubts - 1);
    return row * kChanges + std::min(static_cast<std::size_t>(std::max(0, changed)), kChanges - 1);
  }

  std::array<Cell, kDoubts * kChanges> cells_{};
};

class Search {
 public:
  Search(const BatchedModel& model, const BatchedAnnealOptions& options, const Run& run, std::span<const Value> start)
      : model_(model),
        options_(options),
        run_(run),
        blankets_(symmetric_blankets(model)),
        sites_(model.cardinalities.size()),
        temperature_(options.temperature),
        random_(run.random.child("draw")) {
    if (blankets_.empty())
      throw UsageError("the model does not say on which variables its conditionals depend: give it Markov blankets");
    make_start(start);
    for (std::size_t v = 0; v < sites_.size(); ++v)
      for (const VariableId other : blankets_[v]) sites_[v].seen.push_back(result_.values[other]);
  }

  BatchedAnneal search() {
    const PhaseProgress progress(run_.progress, "asking", 0);
    while (true) {
      if (const auto reason = run_.reached(result_.summary.work)) {
        result_.summary.stopped_by = *reason;
        break;
      }
      const std::vector<VariableId> batch = options_.order == AskOrder::kLearned ? best_batch() : next_batch();
      if (batch.empty()) {
        if (temperature_ > 0) {  // nothing is in doubt any more: the rest is to be settled
          temperature_ = 0;
          continue;
        }
        result_.summary.stopped_by = StopReason::kSettled;
        break;
      }
      visit(batch);
      progress.report(static_cast<double>(result_.summary.work.oracle_calls));
    }
    double left = 0;
    for (std::size_t v = 0; v < sites_.size(); ++v) {
      result_.doubt.push_back(sites_[v].doubt);
      if (sites_[v].is_asked) left += expected_gain(sites_[v]);
      result_.unsettled += sites_[v].visits == options_.visits && expected_gain(sites_[v]) > 0;
    }
    result_.expected_gain = left / static_cast<double>(sites_.size());
    return std::move(result_);
  }

 private:
  struct Site {
    double doubt = 1;
    int changed = 0;  // neighbours whose value is not that of the last visit
    bool is_asked = false;
    int visits = 0;           // at temperature 0
    bool is_best = true;      // its value, when it was last visited: a drawn one may not be
    std::vector<Value> seen;  // [neighbour], as of the last visit
  };

  void make_start(std::span<const Value> start) {
    result_.values.assign(start.begin(), start.end());
    if (!start.empty() && start.size() != sites_.size())
      throw UsageError(fmt::format("a start of {} values for {} variables", start.size(), sites_.size()));
    Random random = run_.random.child("start");
    for (std::size_t v = 0; v < sites_.size(); ++v) {
      const std::size_t cardinality = model_.cardinalities[v];
      if (start.empty())
        result_.values.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(cardinality))));
      else if (start[v] >= cardinality)
        throw UsageError(
            fmt::format("the start gives variable {} the value {}, but it has {}", v, start[v], cardinality));
    }
  }

  /// At temperature 0 it is 0 where no neighbour has changed.
  double expected_gain(const Site& site) const {
    if (site.changed == 0 && site.is_best && temperature_ == 0) return 0;
    return gains_.expected(site.doubt, site.changed);
  }

  double priority(const Site& site) const {
    if (!site.is_asked) return std::numeric_limits<double>::infinity();
    return site.visits < options_.visits ? expected_gain(site) : 0;
  }

  std::vector<VariableId> best_batch() {
    std::vector<std::pair<double, VariableId>> wanted;
    double sum = 0;
    for (std::size_t v = 0; v < sites_.size(); ++v)
      if (const double gain = priority(sites_[v]); gain > 0) {
        wanted.emplace_back(gain, static_cast<VariableId>(v));
        sum += gain;
      }
    if (wanted.empty() || sum < options_.regret * static_cast<double>(sites_.size())) return {};
    // The best first; equal ones, as all are before the first visit, by their place.
    std::ranges::sort(wanted, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    const std::size_t cardinality = model_.cardinalities[wanted.front().second];
    std::vector<VariableId> batch;
    std::vector<char> is_taken(sites_.size());
    for (const auto& [gain, v] : wanted) {
      if (batch.size() == static_cast<std::size_t>(options_.batch)) break;
      if (is_taken[v] || model_.cardinalities[v] != cardinality) continue;
      batch.push_back(v);
      for (const VariableId other : blankets_[v]) is_taken[other] = 1;
    }
    return batch;
  }

  /// The next variables of a sweep; none once a sweep at temperature 0 has changed nothing.
  std::vector<VariableId> next_batch() {
    if (sweep_.empty()) {
      if (is_cold_sweep_ && result_.summary.changes == changes_before_) return {};
      if (sites_.front().visits == options_.visits) return {};
      changes_before_ = result_.summary.changes;
      is_cold_sweep_ = temperature_ == 0;
      for (const std::vector<VariableId>& sites : independent_batches(model_))
        for (std::size_t i = 0; i < sites.size(); i += static_cast<std::size_t>(options_.batch))
          sweep_.emplace_back(sites.begin() + static_cast<std::ptrdiff_t>(i),
                              sites.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                  sites.size(), i + static_cast<std::size_t>(options_.batch))));
      std::ranges::reverse(sweep_);
    }
    std::vector<VariableId> batch = std::move(sweep_.back());
    sweep_.pop_back();
    return batch;
  }

  void visit(const std::vector<VariableId>& batch) {
    const std::size_t cardinality = model_.cardinalities[batch[0]];
    scores_.assign(batch.size() * cardinality, 0);
    model_.conditional_scores(batch, result_.values, scores_);
    for (std::size_t i = 0; i < batch.size(); ++i)
      settle(batch[i], std::span<const double>(scores_).subspan(i * cardinality, cardinality));
    result_.summary.work.transitions += batch.size();
    ++result_.summary.work.oracle_calls;
    visited_ += static_cast<double>(batch.size());
    if (temperature_ == 0 || visited_ < static_cast<double>(sites_.size())) return;
    visited_ = 0;
    temperature_ *= options_.cooling;
    if (temperature_ < kColdest) temperature_ = 0;
  }

  void settle(VariableId v, std::span<const double> scores) {
    Site& site = sites_[v];
    const Value before = result_.values[v];
    const Weighed found = weigh(v, scores);
    if (site.is_asked && std::isfinite(found.best_score))
      gains_.add(site.doubt, site.changed, found.best_score - scores[before]);
    site.is_asked = true;
    site.visits += temperature_ == 0;
    site.changed = 0;
    for (std::size_t n = 0; n < site.seen.size(); ++n) site.seen[n] = result_.values[blankets_[v][n]];
    if (!std::isfinite(found.best_score)) return;  // no value is possible: keep it
    const Value after = temperature_ > 0 ? draw(scores, found.best_score) : found.best;
    site.is_best = scores[after] == found.best_score;
    site.doubt = std::clamp(1 - std::exp(scores[after] - found.log_sum), 0.0, 1.0);
    if (after == before) return;
    ++result_.summary.changes;
    result_.values[v] = after;
    for (const VariableId other : blankets_[v]) {
      Site& neighbour = sites_[other];
      const auto back = std::ranges::lower_bound(blankets_[other], v) - blankets_[other].begin();
      const Value seen = neighbour.seen[static_cast<std::size_t>(back)];
      neighbour.changed += (after != seen) - (before != seen);
    }
  }

  struct Weighed {
    Value best = 0;
    double best_score = 0, log_sum = 0;
  };

  static Weighed weigh(VariableId v, std::span<const double> scores) {
    for (std::size_t k = 0; k < scores.size(); ++k) require_score(scores[k], k, v);
    const auto best = std::ranges::max_element(scores);
    Weighed found{static_cast<Value>(best - scores.begin()), *best, *best};
    if (!std::isfinite(*best)) return found;
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - *best);
    found.log_sum = *best + std::log(sum);
    return found;
  }

  Value draw(std::span<const double> scores, double best) {
    weights_.clear();
    for (const double score : scores) weights_.push_back(std::exp((score - best) / temperature_));
    return static_cast<Value>(random_.categorical(std::span<const double>(weights_)));
  }

  const BatchedModel& model_;
  const BatchedAnnealOptions& options_;
  const Run& run_;
  std::vector<std::vector<VariableId>> blankets_;
  std::vector<Site> sites_;  // [variable]
  GainTable gains_;
  double temperature_;
  double visited_ = 0;  // since the temperature fell
  Random random_;
  std::vector<std::vector<VariableId>> sweep_;  // what is left of it, last first
  std::uint64_t changes_before_ = 0;            // it
  bool is_cold_sweep_ = false;
  std::vector<double> scores_, weights_;
  BatchedAnneal result_;
};

}  // namespace

BatchedAnneal anneal_batched(const BatchedModel& model, const BatchedAnnealOptions& options, const Run& run,
                             std::span<const Value> start) {
  validate(options);
  const auto began = std::chrono::steady_clock::now();
  const Run counting = counting_visits(run, model.cardinalities.size());
  BatchedAnneal result = Search(model, options, counting, start).search();
  result.summary.seconds = seconds_since(began);
  return result;
}

}  // namespace fovea::mcmc
