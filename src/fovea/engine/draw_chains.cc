// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/draw_chains.h"

#include "fovea/base/parallel.h"
#include "fovea/engine/chain_starts.h"
#include "fovea/graph/graph_colouring.h"
#include "fovea/sample/graph_gibbs.h"

namespace fovea {

int draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options,
                const SolveLimits& limits, const Random& random, const DrawFunction& on_draw) {
  validate(options);
  const Reduction reduction = reduce(graph, evidence, limits.stop);
  const auto count = static_cast<std::size_t>(options.chains);
  std::vector<Assignment> states = find_chain_starts(reduction.graph, count, limits, random);
  std::vector<Random> streams;
  for (std::size_t c = 0; c < count; ++c) streams.push_back(random.child("chain", c));
  const GraphGibbs gibbs(reduction.graph);
  const GraphColouring colouring = colour_graph(reduction.graph);

  const auto advance = [&](int sweeps) {
    parallel_for(count, 1, limits.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c)
        for (int sweep = 0; sweep < sweeps && !limits.stop.requested(); ++sweep)
          gibbs.step(states[c], colouring.order, streams[c]);
    });
    return !limits.stop.requested();
  };

  std::vector<Assignment> lifted(count);
  int draw = 0;
  for (bool goes_on = advance(options.warm_up); goes_on && draw < options.draws; ++draw) {
    if (!advance(options.thin)) break;
    for (std::size_t c = 0; c < count; ++c) lifted[c] = reduction.lift(states[c]);
    on_draw(draw, lifted);
  }
  return draw;
}

}  // namespace fovea
