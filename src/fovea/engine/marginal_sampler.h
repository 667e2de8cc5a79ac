// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/stop.h"
#include "fovea/base/work.h"
#include "fovea/graph/factor_graph.h"
#include "fovea/sample/target_chain.h"

namespace fovea {

/// Marginals from Markov chains, with errors: every chain's draws are averaged over batches, and the spread of all
/// batch means gives the standard errors (Geyer 1992, section 3.2). The chains leave the law invariant; schedules that
/// look at values would not, and their chains do not compile. Where hard constraints cut the assignments apart, Gibbs
/// chains stay where they began: R-hat tells, if they began in different parts.
class MarginalSampler {
 public:
  static constexpr std::size_t kChains = 4, kMaxBatches = 32;

  /// chains: kChains of them, of `graph`, that begin at different assignments; both must outlive the sampler.
  MarginalSampler(const FactorGraph& graph, std::vector<TargetChain>& chains);

  /// Makes one more batch of every chain, unless stopped; after kMaxBatches of them, neighbours are merged and batches
  /// become twice as long. The first quarter of all batches counts as warm-up and is left out of the answers.
  Work run_round(const Stop& stop, int threads);

  /// Whether there are batches enough for errors: at least four a chain behind the warm-up.
  bool has_errors() const { return batch_count() >= 6; }

  struct Answer {
    std::vector<std::vector<double>> marginals = {};  ///< [variable][value]
    double max_standard_error = 0;
    double max_r_hat = 1;              ///< of the indicators y_v = k, by half chains
    double min_effective_samples = 0;  ///< of the same: p (1 - p) / squared standard error
  };
  /// has_errors() holds.
  Answer answer() const;

 private:
  struct Chain {
    TargetChain* states = nullptr;
    std::vector<std::vector<float>> batches = {};  // [batch][value of all variables laid end to end]: mean of draws
  };
  std::size_t batch_count() const { return chains_[0].batches.size(); }
  bool extend(Chain& chain, const Stop& stop) const;
  static void merge_neighbours(Chain& chain);

  const FactorGraph* graph_;
  std::vector<std::size_t> begin_{0};  // [variable + 1] in the values laid end to end
  std::vector<Chain> chains_;
  std::uint64_t sweeps_per_batch_ = 4;
};

}  // namespace fovea
