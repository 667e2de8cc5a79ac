// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/model_chains.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/graph/colour/blocked_chain.h"
#include "fovea/graph/temper/tempered_chain.h"

namespace fovea::graph {
namespace {

template <class T>
std::unique_ptr<const T> kept(std::optional<T> built) {
  return built ? std::make_unique<const T>(std::move(*built)) : nullptr;
}

bool has_constraints(const FactorGraph& graph) {
  for (TableId t = 0; t < graph.table_count(); ++t)
    if (std::ranges::count(graph.shared_table(t), kImpossible) > 0) return true;
  return false;
}

}  // namespace

std::optional<ModelChains> ModelChains::build(const FactorGraph& graph, const std::vector<double>& inverse_temperatures,
                                              std::vector<Assignment> starts, const Random& random, const Stop& stop) {
  ModelChains made;
  made.inverse_temperatures_ = inverse_temperatures;
  if (inverse_temperatures.size() > 1)
    made.tables_ = kept(SoftTables::build(graph, default_violation_penalty(graph, stop), stop));
  else made.gibbs_ = kept(ColourGibbs::build(graph, stop));
  made.has_constraints_ = has_constraints(graph);
  if (!made.gibbs_ && !made.tables_) return std::nullopt;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    if (stop.requested()) return std::nullopt;
    made.chains_.push_back(made.chain_from(std::move(starts[c]), random.child("chain", c)));
  }
  return made;
}

TargetChain ModelChains::chain_from(Assignment start, const Random& random) const {
  if (tables_) return TargetChain(TemperedChain(*tables_, inverse_temperatures_, std::move(start), random));
  if (has_constraints_) return TargetChain(BlockedChain(*gibbs_, std::move(start), random));
  return TargetChain(ColourChain(*gibbs_, std::move(start), random));
}

}  // namespace fovea::graph
