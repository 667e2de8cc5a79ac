// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/model_chains.h"

#include <memory>
#include <utility>

#include "fovea/sample/temper/tempered_chain.h"

namespace fovea {
namespace {

template <class T>
std::unique_ptr<const T> kept(std::optional<T> built) {
  return built ? std::make_unique<const T>(std::move(*built)) : nullptr;
}

}  // namespace

std::optional<ModelChains> ModelChains::build(const FactorGraph& graph, const std::vector<double>& inverse_temperatures,
                                              std::vector<Assignment> starts, const Random& random, const Stop& stop) {
  ModelChains made;
  const bool is_tempered = inverse_temperatures.size() > 1;
  if (is_tempered) made.tables_ = kept(SoftTables::build(graph, default_violation_penalty(graph, stop), stop));
  else made.gibbs_ = kept(ColourGibbs::build(graph, stop));
  if (!made.gibbs_ && !made.tables_) return std::nullopt;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    if (stop.requested()) return std::nullopt;
    const Random stream = random.child("chain", c);
    if (is_tempered)
      made.chains_.emplace_back(TemperedChain(*made.tables_, inverse_temperatures, std::move(starts[c]), stream));
    else made.chains_.emplace_back(ColourChain(*made.gibbs_, std::move(starts[c]), stream));
  }
  return made;
}

}  // namespace fovea
