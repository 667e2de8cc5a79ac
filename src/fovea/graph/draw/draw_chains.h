// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/graph/draw/proposal_work.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"

namespace fovea::graph {

/// Options of Markov chains, named as on the command line.
struct DrawOptions {
  int chains = 4;
  int draws = 1000;
  int warm_up = 500;
  int thin = 1;
  int temperatures = 1;
  double hottest = 10;
  double restart_rate = 0, distance = 0;
  bool perfect = false;
  std::string exactness = "";

  static void describe(auto&& visit) {
    using O = DrawOptions;
    visit(&O::chains, number_in(1, 1024, "chains", "Number of independent chains."));
    visit(&O::draws, number_in(1, 1e9, "draws", "Number of draws kept from each chain."));
    visit(&O::warm_up, number_in(0, 1e9, "warm-up", "Number of sweeps of each chain before its first draw is kept."));
    visit(&O::thin, number_in(1, 1e6, "thin", "Number of sweeps from one kept draw to the next."));
    visit(&O::temperatures, number_in(1, 256, "temperatures",
                                      "Number of temperatures of parallel tempering, for chains that do not mix. Every "
                                      "chain has a replica at each temperature, from the model's own to the hottest; "
                                      "only the coldest replica is written. 1 means Gibbs sampling alone."));
    visit(&O::hottest, number_in(1, 1e6, "hottest",
                                 "Highest temperature of option 'temperatures', by which scores are divided. The "
                                 "temperatures in between form a geometric series."));
    visit(&O::restart_rate,
          number_in(
              0, 1, "restart-rate",
              "Probability with which a run ends before each further sweep; 0 means no restarts. Above 0, every draw "
              "is the end of a separate run from a new start, so that draws are exact and independent, without warm-up "
              "and thinning; their law is that of the chain with restarts, not that of the model. Reports how far the "
              "two are apart, if chains from all assignments meet when they are given the same random numbers."));
    visit(&O::distance,
          number_in(0, 1, "distance",
                    "Restarts at the rate at which the law of the draws is at most this far from the model's, in total "
                    "variation, as measured by chains from all assignments; 0: option 'restart-rate' says."));
    visit(&O::perfect,
          option("perfect",
                 "Independent draws of the model's own law: by elimination if its tables fit the memory limit, or else "
                 "by coupling from the past, if chains from all assignments meet in time."));
    visit(
        &O::exactness,
        option("exactness",
               "Propose random values instead of Gibbs sampling and look at only as many of a variable's factors as a "
               "decision needs, for variables with hundreds of factors. With exact, each decision is that of all "
               "factors; with bounded:ERROR, it differs with at most this probability; with fraction:SHARE, this "
               "share of the factors is drawn; with width:WIDTH, factors are drawn until the 95 % confidence interval "
               "of their mean is narrower than this; with estimate[:VARIANCE], until the variance of their mean is "
               "below this, 1 by default. Not with 'temperatures', 'restart-rate', 'distance' and 'perfect'.",
               "HOW"));
  }
};

/// Function that receives the number of a draw (from 0) and every chain's assignment of the whole model at that draw.
using DrawFunction = std::function<void(int draw, std::span<const Assignment> chains)>;

/// Record of a call of draw_chains.
struct DrawSummary {
  int draws = 0;                          ///< from each chain; fewer than asked for only if the limits ended it
  std::vector<double> temperatures = {};  ///< rising from 1; empty if there is only one
  double mean_sweeps = 0;                 ///< per draw, with restarts or by coupling from the past
  double restart_rate = 0;                ///< as used
  /// With restarts: the total variation distance of the draws' law from the model's is at most this, at 95 %
  /// confidence. None if chains from all assignments have not met.
  std::optional<double> distance = {};
  /// With option 'perfect'.
  enum class Perfect { kNo, kElimination, kCoupling } perfect = Perfect::kNo;
  std::vector<double> trades = {};  ///< [i]: share of trades accepted between temperatures i and i + 1, over all chains
  ProposalWork proposals = {};      ///< of all chains, with option 'exactness'
};

/// Throws UsageError for options that are wrong or do not go together.
void check(const DrawOptions& options);

/// Runs Gibbs chains in colour order, or tempered ones, on the model with its evidence. Their law is that of the model
/// unless hard constraints disconnect the assignments. With restarts at rate epsilon it is that of the strong Doeblin
/// chain (restart_kernel.h), between the law of the starts and the model's: its spectral gap is at least epsilon per
/// sweep, whatever the model is, and its draws are exact. With an exactness other than exact the law of the chains is
/// near that of the model, as proposal_chain.h says. Perfect draws are independent and of the model's law
/// (junction_tree.h, bounding_chain.h). Draws arrive in order, all chains of a draw at once; they depend on the seed
/// alone, not on the number of threads. Throws like solve() if no assignment is possible, and LimitError if coupled
/// chains have not met in time, where that is needed.
DrawSummary draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options, const Run& run,
                        const DrawFunction& on_draw);

}  // namespace fovea::graph
