// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/draw_chains.h"

#include <optional>
#include <utility>

#include "fovea/base/parallel.h"
#include "fovea/engine/chain_starts.h"
#include "fovea/engine/model_chains.h"

namespace fovea {
namespace {

std::vector<double> inverse_temperatures(const DrawOptions& options) {
  if (options.temperatures == 1) return {1};
  return geometric_ladder(1 / options.hottest, static_cast<std::size_t>(options.temperatures));
}

DrawSummary summary_of(const std::vector<double>& inverse, const std::vector<TargetChain>& chains) {
  DrawSummary summary;
  if (inverse.size() == 1) return summary;
  for (const double b : inverse) summary.temperatures.push_back(1 / b);
  for (std::size_t i = 0; i + 1 < inverse.size(); ++i) {
    double offered = 0, accepted = 0;
    for (const TargetChain& chain : chains) {
      offered += static_cast<double>(chain.trades()[i].offered);
      accepted += static_cast<double>(chain.trades()[i].accepted);
    }
    summary.trades.push_back(offered > 0 ? accepted / offered : 0);
  }
  return summary;
}

}  // namespace

DrawSummary draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options,
                        const SolveLimits& limits, const Random& random, const DrawFunction& on_draw) {
  validate(options);
  const Reduction reduction = reduce(graph, evidence, limits.stop);
  const auto count = static_cast<std::size_t>(options.chains);
  const std::vector<double> inverse = inverse_temperatures(options);
  std::optional<ModelChains> built = ModelChains::build(
      reduction.graph, inverse, find_chain_starts(reduction.graph, count, limits, random), random, limits.stop);
  if (!built) return {};
  std::vector<TargetChain>& chains = built->chains();

  const auto advance = [&](int sweeps) {
    parallel_for(count, 1, limits.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) chains[c].sweep(static_cast<std::size_t>(sweeps), limits.stop);
    });
    return !limits.stop.requested();
  };

  std::vector<Assignment> lifted(count);
  int draw = 0;
  for (bool goes_on = advance(options.warm_up); goes_on && draw < options.draws; ++draw) {
    if (!advance(options.thin)) break;
    for (std::size_t c = 0; c < count; ++c) lifted[c] = reduction.lift(chains[c].values());
    on_draw(draw, lifted);
  }
  DrawSummary summary = summary_of(inverse, chains);
  summary.draws = draw;
  return summary;
}

}  // namespace fovea
