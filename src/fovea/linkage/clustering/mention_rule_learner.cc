// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/mention_rule_learner.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/grouped_clustering.h"
#include "fovea/linkage/clustering/mention_move.h"
#include "fovea/linkage/clustering/mention_schedule.h"
#include "fovea/linkage/clustering/observed_clustering.h"
#include "fovea/mcmc/subsample/planned_rule.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::linkage {
namespace {

/// Divided by the gain of all, so that its size is about 1.
class GainObjective {
 public:
  using Real = double;

  explicit GainObjective(const MentionTrace& trace) {
    trace.for_each([&](const MentionFeatures& features, std::size_t mentions, const MentionTrace::Cell& cell) {
      rows_.push_back({MentionRule::terms(features, std::log2(static_cast<double>(mentions))), cell});
      total_.proposals += cell.proposals;
      total_.gain += cell.gain;
    });
    FOVEA_CHECK(total_.gain > 0);
  }

  std::size_t dimension() const { return MentionRule::kWeights; }

  double evaluate(std::span<const double> w, std::span<double> gradient) const {
    double value = std::inner_product(w.begin() + 1, w.end(), w.begin() + 1, 0.0) / 2;
    std::copy(w.begin(), w.end(), gradient.begin());
    gradient[0] = 0;
    for (const auto& [x, cell] : rows_) {
      const double log_gain = std::inner_product(w.begin(), w.end(), x.begin(), 0.0);
      const double expected = cell.proposals * std::exp(log_gain);
      value += expected - cell.gain * log_gain;
      for (std::size_t k = 0; k < w.size(); ++k) gradient[k] += (expected - cell.gain) * x[k];
    }
    for (double& g : gradient) g /= total_.gain;
    return value / total_.gain;
  }

  /// The rule of a constant gain.
  MentionRule constant() const { return {.weights = {std::log(total_.gain / total_.proposals)}}; }

  /// About the inverse of the Hessian's diagonal.
  MentionRule::Numbers scale() const {
    MentionRule::Numbers squares{};
    for (const auto& [x, cell] : rows_)
      for (std::size_t k = 0; k < x.size(); ++k) squares[k] += std::abs(cell.gain) * x[k] * x[k];
    for (double& square : squares) square = total_.gain / (1 + square);
    return squares;
  }

 private:
  struct Row {
    MentionRule::Numbers terms;
    MentionTrace::Cell cell;
  };
  std::vector<Row> rows_;
  MentionTrace::Cell total_;
};

/// From singletons, by the rule.
void trace_chain(const AttributePairs& model, const MentionRule& rule, const MentionRuleLearnerOptions& options,
                 Random random, MentionTrace& trace) {
  constexpr double kAlone = 0.05;
  const std::size_t n = model.mention_count();
  GroupedClustering clustering(model, Partition(n));
  const Partition& partition = clustering.partition();
  MentionSchedule schedule(rule, partition);
  const auto tell = [&](MentionId m, EntityId from, EntityId to) { schedule.moved(m, from, to, partition); };
  ObservedClustering observed(clustering, tell);
  const CompanionProposal proposal(kAlone);
  mcmc::PlannedRule decide{mcmc::Exactness()};
  for (std::size_t step = 0; step < n * static_cast<std::size_t>(options.sweeps); ++step) {
    const MentionId m = schedule.next();
    const MentionFeatures features = schedule.features(m, partition);
    const EntityId from = partition.entity(m);
    const bool moved = move_mention(observed, m, proposal, decide, random, options.temperature).accepted;
    schedule.visited(m, moved, partition);
    double gain = 0;
    if (moved) {
      const double improvement =
          clustering.sum_of_scores(m, partition.entity(m)).sum - clustering.sum_of_scores(m, from).sum;
      gain = improvement > 0 ? 1 : improvement < 0 ? -1 : 0;
    }
    trace.add(features, n, gain);
  }
}

}  // namespace

MentionRule fit_mention_rule(const MentionTrace& trace) {
  GainObjective objective(trace);
  MentionRule rule = objective.constant();
  const MentionRule::Numbers scale = objective.scale();
  const optimize::LbfgsOptions options{
      .stopping = {.max_iterations = 500, .gradient_tolerance = 1e-7, .decrease_tolerance = 1e-10}};
  optimize::minimize_lbfgs(objective, std::span<double>(rule.weights), options, std::span<const double>(scale));
  return rule;
}

MentionRule learn_mention_rule(std::span<const AttributePairs> models, const MentionRuleLearnerOptions& options,
                               const Random& random) {
  validate(options);
  MentionRule rule;  // expects the same of all: in turns
  MentionTrace trace;
  for (int round = 0; round < options.rounds; ++round) {
    const Random of_round = random.child("round", static_cast<std::uint64_t>(round));
    for (std::size_t i = 0; i < models.size(); ++i)
      trace_chain(models[i], rule, options, of_round.child("model", i), trace);
    rule = fit_mention_rule(trace);
  }
  return rule;
}

}  // namespace fovea::linkage
