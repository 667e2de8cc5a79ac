// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/target_chain.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// Marginals from Markov chains, with errors: every chain's draws are averaged over batches, and the spread of all
/// batch means gives the standard errors (Geyer 1992, section 3.2). The chains leave the law invariant; schedules that
/// look at values would not, and their chains do not compile. If chains stay in different regions, R-hat shows it; if a
/// variable never moved in any of them, nothing is known about it.
class MarginalSampler {
 public:
  static constexpr std::size_t kChains = 4, kMaxBatches = 32;

  /// chains: kChains chains of `graph`, which begin at different assignments; both arguments must outlive the sampler.
  MarginalSampler(const FactorGraph& graph, std::vector<TargetChain>& chains);

  /// Memory for the draws of variables with `values` values together.
  static double predicted_bytes(std::size_t values) {
    return static_cast<double>(values * kChains * kMaxBatches * sizeof(float));
  }

  /// Adds a batch to every chain, unless stopped; after kMaxBatches batches, neighbours are merged and batches become
  /// twice as long. The first quarter of all batches counts as warm-up and is left out of the answers.
  Work run_round(const Stop& stop, int threads);

  /// True if there are enough batches for errors: at least four per chain after the warm-up.
  bool has_errors() const { return batch_count() >= 6; }

  /// The trust that one variable's draws deserve.
  struct Trust {
    double squared_error = 0;      ///< of the whole marginal: the sum of its values' squared standard errors
    double r_hat = 1;              ///< the largest of its values
    double effective_samples = 0;  ///< the fewest of its values; 0 if it never moved
  };

  /// Errors, R-hat and effective samples are those of the indicators y_v = k, the worst of all variables that moved. No
  /// standard error is below that of the effective number of independent draws, with some of each outcome added
  /// (Agresti and Coull 1998): a value that was never drawn is not known to be impossible.
  struct Answer {
    std::vector<std::vector<double>> marginals = {};  ///< [variable][value]
    std::vector<Trust> trust = {};                    ///< [variable]
    double max_standard_error = 0;                    ///< NaN where a variable never moved
    double max_r_hat = 1;                             ///< from half chains
    double min_effective_samples = 0;                 ///< p (1 - p) / squared standard error
    std::size_t unmoved = 0;                          ///< variables with one value in all draws of all chains
    mcmc::Mixing mixing = mcmc::Mixing::kCannotTell;
  };
  /// has_errors() holds.
  Answer answer() const;

 private:
  struct Chain {
    TargetChain* states = nullptr;
    std::vector<std::vector<float>> batches = {};  // [batch][value of all variables laid end to end]: mean of draws
  };
  /// Statistics of one value: of the indicator that y_v is k.
  struct Indicator {
    double mean = 0, squared_error = 0, r_hat = 1;
    double spread() const { return mean * (1 - mean); }  ///< the variance of one draw
  };
  /// Adds the next values' indicators, so that there are at least this many.
  void look_at_more(std::size_t least, std::vector<Indicator>& indicators) const;

  std::size_t batch_count() const { return chains_[0].batches.size(); }
  std::size_t kept_count() const { return batch_count() - batch_count() / 4; }  // after the warm-up
  bool extend(Chain& chain, const Stop& stop) const;
  static void merge_neighbours(Chain& chain);
  void add_variable(std::span<const Indicator> indicators, Answer& answer) const;

  const FactorGraph* graph_;
  std::vector<std::size_t> begin_{0};  // [variable + 1] in the values laid end to end
  std::vector<Chain> chains_;
  std::uint64_t sweeps_per_batch_ = 4;
};

struct DrawnMarginals {
  MarginalSampler::Answer answer = {};
  const char* method = "";
};

/// Estimates the marginals of `graph` with Gibbs chains, until the limits or the target error. If chains are stuck
/// after a third of that (R-hat above 3), the rest goes to parallel tempering, whose answer counts unless its chains
/// agree less. Returns nothing if the limits came before there were enough draws for errors, or if draws would not fit
/// the memory. Without any limit it ends after 256 batches.
std::optional<DrawnMarginals> draw_marginals(const FactorGraph& graph, const SumOptions& options, const Run& run,
                                             SolveLog& log);

}  // namespace fovea::graph
