// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_rule_learner.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/grouped_clustering.h"
#include "fovea/linkage/clustering/record_move.h"
#include "fovea/linkage/clustering/record_schedule.h"
#include "fovea/mcmc/subsample/planned_rule.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::linkage {
namespace {

/// Objective of fit_record_rule(), divided by the total gain so that its size is about 1.
class GainObjective {
 public:
  using Real = double;

  explicit GainObjective(const RecordTrace& trace) {
    trace.for_each([&](const RecordFeatures& features, std::size_t records, const RecordTrace::Cell& cell) {
      rows_.push_back({RecordRule::terms(features, std::log2(static_cast<double>(records))), cell});
      total_.proposals += cell.proposals;
      total_.gain += cell.gain;
    });
    FOVEA_CHECK(total_.gain > 0);
  }

  std::size_t dimension() const { return RecordRule::kWeights; }

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

  /// Rule with a constant gain.
  RecordRule constant() const { return {.weights = {std::log(total_.gain / total_.proposals)}}; }

  /// Approximate inverse of the Hessian's diagonal.
  RecordRule::Numbers scale() const {
    RecordRule::Numbers squares{};
    for (const auto& [x, cell] : rows_)
      for (std::size_t k = 0; k < x.size(); ++k) squares[k] += std::abs(cell.gain) * x[k] * x[k];
    for (double& square : squares) square = total_.gain / (1 + square);
    return squares;
  }

 private:
  struct Row {
    RecordRule::Numbers terms;
    RecordTrace::Cell cell;
  };
  std::vector<Row> rows_;
  RecordTrace::Cell total_;
};

/// Runs a chain from singletons with the rule, and adds its proposals to `trace`.
void trace_chain(const AttributePairs& model, const RecordRule& rule, const RecordRuleLearnerOptions& options,
                 Random random, RecordTrace& trace) {
  constexpr double kAlone = 0.05;
  const std::size_t n = model.record_count();
  GroupedClustering clustering(model, Partition(n));
  const Partition& partition = clustering.partition();
  RecordSchedule schedule(rule, partition);
  const auto tell = [&](RecordId m, ClusterId from, ClusterId to) { schedule.moved(m, from, to, partition); };
  ObservedClustering observed(clustering, tell);
  const CompanionProposal proposal(kAlone);
  mcmc::PlannedRule decide{mcmc::Exactness()};
  for (std::size_t step = 0; step < n * static_cast<std::size_t>(options.sweeps); ++step) {
    const RecordId m = schedule.next();
    const RecordFeatures features = schedule.features(m, partition);
    const ClusterId from = partition.cluster(m);
    const bool moved = move_record(observed, m, proposal, decide, random, options.temperature).accepted;
    schedule.visited(m, moved, partition);
    double gain = 0;
    if (moved) {
      const double improvement =
          clustering.sum_of_scores(m, partition.cluster(m)).sum - clustering.sum_of_scores(m, from).sum;
      gain = improvement > 0 ? 1 : improvement < 0 ? -1 : 0;
    }
    trace.add(features, n, gain);
  }
}

}  // namespace

RecordRule fit_record_rule(const RecordTrace& trace) {
  GainObjective objective(trace);
  RecordRule rule = objective.constant();
  const RecordRule::Numbers scale = objective.scale();
  const optimize::LbfgsOptions options{
      .stopping = {.max_iterations = 500, .gradient_tolerance = 1e-7, .decrease_tolerance = 1e-10}};
  optimize::minimize_lbfgs(objective, std::span<double>(rule.weights), options, std::span<const double>(scale));
  return rule;
}

RecordRule learn_record_rule(std::span<const AttributePairs> models, const RecordRuleLearnerOptions& options,
                             const Random& random) {
  validate(options);
  RecordRule rule;  // expects the same of all records, so they take turns
  RecordTrace trace;
  for (int round = 0; round < options.rounds; ++round) {
    const Random of_round = random.child("round", static_cast<std::uint64_t>(round));
    for (std::size_t i = 0; i < models.size(); ++i)
      trace_chain(models[i], rule, options, of_round.child("model", i), trace);
    rule = fit_record_rule(trace);
  }
  return rule;
}

}  // namespace fovea::linkage
