// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"

namespace fovea::graph {

/// How Markov chains are run. The words are those of the command line.
struct DrawOptions {
  int chains = 4;
  int draws = 1000;
  int warm_up = 500;
  int thin = 1;
  int temperatures = 1;
  double hottest = 10;
  double restart_rate = 0;

  template <class V>
  static void describe(V&& visit) {
    using O = DrawOptions;
    visit(&O::chains, OptionInfo{.name = "chains", .description = "independent chains", .min = 1, .max = 1024});
    visit(&O::draws, OptionInfo{.name = "draws", .description = "draws kept of each chain", .min = 1, .max = 1e9});
    visit(&O::warm_up, OptionInfo{.name = "warm-up",
                                  .description = "sweeps of each chain before its first draw is kept",
                                  .min = 0,
                                  .max = 1e9});
    visit(&O::thin,
          OptionInfo{
              .name = "thin", .description = "sweeps from one draw to the next that is kept", .min = 1, .max = 1e6});
    visit(&O::temperatures,
          OptionInfo{.name = "temperatures",
                     .description = "parallel tempering: every chain has replicas at this many temperatures, from the "
                                    "model's own to the hottest; only the coldest is written. For chains that do not "
                                    "mix; 1: Gibbs sampling alone",
                     .min = 1,
                     .max = 256});
    visit(&O::hottest, OptionInfo{.name = "hottest",
                                  .description = "with option 'temperatures': the highest, by which scores are divided; those "
                                                 "between are a geometric series",
                                  .min = 1,
                                  .max = 1e6});
    visit(&O::restart_rate,
          OptionInfo{.name = "restart-rate",
                     .description = "independent exact draws, not of the model but of its chain with restarts: each is "
                                    "a run of sweeps from a start of its own, which every sweep ends with this "
                                    "probability; no warm-up, no thinning. 0: without restarts",
                     .min = 0,
                     .max = 1});
  }
};

/// Called with the number of a draw (from 0) and every chain's assignment of the whole model at that draw.
using DrawFunction = std::function<void(int draw, std::span<const Assignment> chains)>;

/// What draw_chains did.
struct DrawSummary {
  int draws = 0;                          ///< of each chain; fewer than asked for only where the limits ended it
  std::vector<double> temperatures = {};  ///< rising from 1; empty where there is one
  double mean_sweeps = 0;                 ///< of a draw, with restarts
  std::vector<double> trades = {};  ///< [i]: share of trades accepted between temperatures i and i + 1, of all chains
};

/// Runs Gibbs chains in colour order, or tempered ones, on the model with its evidence; their law is that of the model
/// where hard constraints do not cut the assignments apart. With restarts at rate epsilon it is that of the strong
/// Doeblin chain (restart_kernel.h), between the law of starts and the model's; its spectral gap is at least epsilon a
/// sweep, whatever the model is, and its draws are exact. Draws come in order, all chains of a draw at once; they
/// depend on the seed alone, not on the number of threads. Throws as solve() does where no assignment is possible.
DrawSummary draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options, const Run& run,
                        const DrawFunction& on_draw);

}  // namespace fovea::graph
