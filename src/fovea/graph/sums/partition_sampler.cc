// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/partition_sampler.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kFirstTemperatures = 16;

std::size_t next_temperatures(std::size_t temperatures) {
  return temperatures == 0 ? kFirstTemperatures : 2 * temperatures;
}

}  // namespace

Work PartitionSampler::run_round(const Stop& stop) {
  const std::size_t temperatures = next_temperatures(temperatures_);
  AnnealedImportance importance(*graph_, random_.child("round", temperatures), temperatures);
  const Work work = importance.run(kChains, stop);
  const LogPartitionEstimate estimate = importance.estimate();
  if (estimate.chains < kChains) return work;
  temperatures_ = temperatures;
  estimate_ = estimate;
  return work;
}

double PartitionSampler::next_transitions() const {
  return static_cast<double>(kChains) * static_cast<double>(next_temperatures(temperatures_)) *
         static_cast<double>(graph_->variable_count());
}

}  // namespace fovea::graph
