// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/batched_gibbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::mcmc {
namespace {

void require_valid(const BatchedModel& model) {
  const std::size_t n = model.cardinalities.size();
  if (n == 0) throw UsageError("a model without variables has nothing to sample");
  for (std::size_t v = 0; v < n; ++v)
    if (model.cardinalities[v] < 1 || model.cardinalities[v] > 65535)
      throw UsageError(fmt::format("variable {} has {} values: 1 to 65535 are possible", v, model.cardinalities[v]));
  if (!model.markov_blankets.empty() && model.markov_blankets.size() != n)
    throw UsageError(fmt::format("{} Markov blankets for {} variables", model.markov_blankets.size(), n));
  for (std::size_t v = 0; v < model.markov_blankets.size(); ++v)
    for (const VariableId other : model.markov_blankets[v])
      if (other >= n)
        throw UsageError(
            fmt::format("the Markov blanket of variable {} names variable {}, but there are {}", v, other, n));
}

/// All chains and their random numbers.
class BatchedChains {
 public:
  BatchedChains(const BatchedModel& model, std::size_t chains, const Random& random, std::span<const Value> start)
      : model_(model), batches_(independent_batches(model)), variables_(model.cardinalities.size()) {
    for (std::size_t c = 0; c < chains; ++c) randoms_.push_back(random.child("chain", c));
    values_.assign(start.begin(), start.end());
    if (start.empty()) draw_start();
    else require_start();
    log_scores_.resize(model.log_scores ? chains : 0);
  }

  std::span<const Value> values() const { return values_; }
  std::size_t batches() const { return batches_.size(); }

  /// False if `run` ended it on the way.
  bool sweep(const Run& run, RunSummary& summary) {
    for (const std::vector<VariableId>& sites : batches_) {
      if (const auto reason = run.reached(summary.work)) {
        summary.stopped_by = *reason;
        return false;
      }
      summary.changes += resample(sites);
      summary.work.transitions += sites.size() * randoms_.size();
      ++summary.work.oracle_calls;
    }
    return true;
  }

  /// Keeps the chain's assignment that scores highest, if the model has scores.
  void note_best(ScoredAssignment& best) {
    if (log_scores_.empty()) return;
    model_.log_scores(values_, log_scores_);
    for (std::size_t c = 0; c < log_scores_.size(); ++c) {
      if (std::isnan(log_scores_[c]))
        throw InputError({}, fmt::format("the model's log score of chain {} is nan", c), "Return a number, or -inf");
      if (best.found() && !(log_scores_[c] > best.score)) continue;
      const auto first = values_.begin() + static_cast<std::ptrdiff_t>(c * variables_);
      best = {.values = {first, first + static_cast<std::ptrdiff_t>(variables_)}, .score = log_scores_[c]};
    }
  }

 private:
  void draw_start() {
    for (Random& random : randoms_)
      for (const std::size_t cardinality : model_.cardinalities)
        values_.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(cardinality))));
  }

  void require_start() const {
    if (values_.size() != randoms_.size() * variables_)
      throw UsageError(fmt::format("a start of {} values for {} chains of {} variables", values_.size(),
                                   randoms_.size(), variables_));
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i] >= model_.cardinalities[i % variables_])
        throw UsageError(fmt::format("the start of chain {} gives variable {} the value {}, but it has {}",
                                     i / variables_, i % variables_, values_[i], model_.cardinalities[i % variables_]));
  }

  /// Returns the number of changes.
  std::size_t resample(const std::vector<VariableId>& sites) {
    const std::size_t cardinality = model_.cardinalities[sites[0]];
    scores_.assign(randoms_.size() * sites.size() * cardinality, 0);
    model_.conditional_scores(sites, values_, scores_);
    std::size_t changes = 0;
    for (std::size_t c = 0; c < randoms_.size(); ++c)
      for (std::size_t i = 0; i < sites.size(); ++i) {
        const std::span<const double> row(scores_.data() + (c * sites.size() + i) * cardinality, cardinality);
        Value& value = values_[c * variables_ + sites[i]];
        const Value drawn = draw(row, value, c, sites[i]);
        changes += drawn != value;
        value = drawn;
      }
    return changes;
  }

  Value draw(std::span<const double> scores, Value now, std::size_t chain, VariableId site) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      require_score(scores[k], k, site, chain);
      best = std::max(best, scores[k]);
    }
    if (best == -std::numeric_limits<double>::infinity()) return now;
    weights_.resize(scores.size());
    for (std::size_t k = 0; k < scores.size(); ++k) weights_[k] = std::exp(scores[k] - best);
    return static_cast<Value>(randoms_[chain].categorical(std::span<const double>(weights_)));
  }

  const BatchedModel& model_;
  std::vector<std::vector<VariableId>> batches_;
  std::size_t variables_;
  std::vector<Random> randoms_;  // [chain]
  std::vector<Value> values_;    // [chain][variable]
  std::vector<double> scores_, weights_, log_scores_;
};

}  // namespace

std::vector<std::vector<VariableId>> symmetric_blankets(const BatchedModel& model) {
  require_valid(model);
  std::vector<std::vector<VariableId>> blankets = model.markov_blankets;
  for (std::size_t v = 0; v < blankets.size(); ++v) {
    std::erase(blankets[v], static_cast<VariableId>(v));
    std::ranges::sort(blankets[v]);
  }
  for (std::size_t v = 0; v < blankets.size(); ++v)
    for (const VariableId other : blankets[v])
      if (!std::ranges::binary_search(blankets[other], static_cast<VariableId>(v)))
        throw UsageError(fmt::format("variable {} is in the Markov blanket of variable {}, so {} must be in that of {}",
                                     other, v, v, other));
  return blankets;
}

Run counting_visits(Run run, std::size_t sweep) {
  if (run.budget.factors < Budget::kUnlimited || run.budget.oracle_calls < Budget::kUnlimited)
    throw UsageError("option 'budget': visits are counted here; limit sweeps or transitions");
  run.budget.transitions = run.budget.transition_limit(static_cast<double>(sweep));
  return run;
}

void require_score(double score, std::size_t value, VariableId variable, std::optional<std::size_t> chain) {
  if (!std::isnan(score) && score != std::numeric_limits<double>::infinity()) return;
  throw InputError({},
                   fmt::format("the model's score of value {} of variable {}{} is {}", value, variable,
                               chain ? fmt::format(" in chain {}", *chain) : "", score),
                   "Return a finite number, or -inf for a value that cannot be");
}

std::vector<std::vector<VariableId>> independent_batches(const BatchedModel& model) {
  require_valid(model);
  const std::size_t n = model.cardinalities.size();
  std::vector<std::vector<VariableId>> batches;
  if (model.markov_blankets.empty()) {
    for (std::size_t v = 0; v < n; ++v) batches.push_back({static_cast<VariableId>(v)});
    return batches;
  }
  const std::vector<std::vector<VariableId>> blankets = symmetric_blankets(model);
  std::vector<std::size_t> colours(n, n),
      taken_by(n + 1, n);  // taken_by[colour]: the last variable that may not have it
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> batch_of;  // colour and cardinality
  for (std::size_t v = 0; v < n; ++v) {
    for (const VariableId other : blankets[v]) taken_by[colours[other]] = v;
    std::size_t colour = 0;
    while (taken_by[colour] == v) ++colour;
    colours[v] = colour;
    const auto [found, is_new] = batch_of.try_emplace({colour, model.cardinalities[v]}, batches.size());
    if (is_new) batches.emplace_back();
    batches[found->second].push_back(static_cast<VariableId>(v));
  }
  return batches;
}

BatchedDraws draw_batched(const BatchedModel& model, const BatchedGibbsOptions& options, const Run& limits,
                          std::span<const Value> start) {
  validate(options);
  const auto began = std::chrono::steady_clock::now();
  const auto chain_count = static_cast<std::size_t>(options.chains);
  const Run run = counting_visits(limits, chain_count * model.cardinalities.size());
  BatchedChains chains(model, chain_count, run.random, start);
  BatchedDraws result = {.chains = chain_count, .variables = model.cardinalities.size(), .batches = chains.batches()};
  std::vector<Value> kept;  // [draw][chain][variable]
  const double sweeps = options.warm_up + static_cast<double>(options.draws) * options.thin;
  const PhaseProgress progress(run.progress, "sampling", sweeps);
  for (double sweep = 1; sweep <= sweeps; ++sweep) {
    if (!chains.sweep(run, result.summary)) break;
    progress.report(sweep);
    const double since = sweep - options.warm_up;
    if (since <= 0 || std::fmod(since, options.thin) != 0) continue;
    kept.insert(kept.end(), chains.values().begin(), chains.values().end());
    ++result.draws;
    chains.note_best(result.best);
  }
  result.values.resize(kept.size());
  for (std::size_t d = 0; d < result.draws; ++d)
    for (std::size_t c = 0; c < chain_count; ++c)
      std::copy_n(kept.begin() + static_cast<std::ptrdiff_t>((d * chain_count + c) * result.variables),
                  result.variables,
                  result.values.begin() + static_cast<std::ptrdiff_t>((c * result.draws + d) * result.variables));
  if (result.summary.stopped_by == StopReason::kNotRun) result.summary.stopped_by = StopReason::kSettled;
  result.summary.seconds = seconds_since(began);
  return result;
}

}  // namespace fovea::mcmc
