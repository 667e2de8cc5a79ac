// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/annealed_importance.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

Assignment uniform_assignment(const FactorGraph& graph, Random& random) {
  Assignment values;
  values.reserve(graph.variable_count());
  for (const std::uint32_t cardinality : graph.cardinalities())
    values.push_back(static_cast<Value>(random.uniform_index(cardinality)));
  return values;
}

}  // namespace

AnnealedImportance::AnnealedImportance(const FactorGraph& graph, const Random& random, std::size_t temperatures)
    : graph_(&graph), random_(random), temperatures_(temperatures) {
  FOVEA_CHECK(temperatures >= 1);
}

Work AnnealedImportance::run(std::size_t chains, const Stop& stop) {
  Work work;
  if (!tables_) tables_ = SoftTables::build(*graph_, default_violation_penalty(*graph_), stop);
  if (!tables_) return work;
  while (log_weights_.size() < chains && !stop.requested()) {
    const std::optional<double> log_weight = run_chain(random_.child("chain", log_weights_.size()), stop, work);
    if (log_weight) log_weights_.push_back(*log_weight);
  }
  return work;
}

double AnnealedImportance::inverse_temperature(std::size_t t) const {
  const double progress = static_cast<double>(t) / static_cast<double>(temperatures_);
  return progress * progress;
}

std::optional<double> AnnealedImportance::run_chain(Random random, const Stop& stop, Work& work) {
  ScoreRows rows(*tables_, uniform_assignment(*graph_, random));
  double log_weight = 0;
  StopMeter meter;
  for (std::size_t t = 1; t <= temperatures_; ++t) {
    const double inverse = inverse_temperature(t);
    log_weight += (inverse - inverse_temperature(t - 1)) * rows.score();
    for (VariableId v = 0; v < graph_->variable_count(); ++v) {
      const std::uint64_t scores = heat_bath_.visit(rows, v, inverse, random);
      work.factors += scores;
      if (meter.is_late(scores, stop)) return std::nullopt;
    }
    work.transitions += graph_->variable_count();
  }
  return graph_->log_score(rows.values()) == kImpossible ? kImpossible : log_weight;
}

LogPartitionEstimate AnnealedImportance::estimate() const {
  LogPartitionEstimate result{.chains = log_weights_.size()};
  double highest = kImpossible, sum = 0, squares = 0;
  for (const double w : log_weights_) highest = std::max(highest, w);
  if (highest == kImpossible) return result;
  for (const double w : log_weights_) {
    sum += std::exp(w - highest);
    squares += std::exp(2 * (w - highest));
  }
  double log_uniform = 0;
  for (const std::uint32_t cardinality : graph_->cardinalities()) log_uniform += std::log(cardinality);
  const auto chains = static_cast<double>(log_weights_.size());
  const double mean = sum / chains;
  result.log_z = log_uniform + highest + std::log(mean);
  result.effective_chains = sum * sum / squares;
  if (chains > 1) {
    const double variance = std::max(0.0, squares / chains - mean * mean) * chains / (chains - 1);
    result.standard_error = std::sqrt(variance / chains) / mean;
  }
  return result;
}

}  // namespace fovea::graph
