// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/draw_chains.h"

#include <optional>
#include <utility>

#include "fovea/base/parallel.h"
#include "fovea/engine/chain_starts.h"
#include "fovea/sample/colour_gibbs.h"

namespace fovea {

int draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options,
                const SolveLimits& limits, const Random& random, const DrawFunction& on_draw) {
  validate(options);
  const Reduction reduction = reduce(graph, evidence, limits.stop);
  const auto count = static_cast<std::size_t>(options.chains);
  std::vector<Assignment> starts = find_chain_starts(reduction.graph, count, limits, random);
  const std::optional<ColourGibbs> gibbs = ColourGibbs::build(reduction.graph, limits.stop);
  if (!gibbs) return 0;
  std::vector<ColourChain> chains;
  for (std::size_t c = 0; c < count; ++c) chains.emplace_back(*gibbs, std::move(starts[c]), random.child("chain", c));

  const auto advance = [&](int sweeps) {
    parallel_for(count, 1, limits.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) chains[c].sweep(static_cast<std::size_t>(sweeps), 1, limits.stop);
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
  return draw;
}

}  // namespace fovea
