// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/draw_chains.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/graph/draw/model_chains.h"
#include "fovea/graph/draw/proposal_chain.h"
#include "fovea/mcmc/restart/restart_kernel.h"
#include "fovea/mcmc/subsample/exactness.h"

namespace fovea::graph {
namespace {

constexpr double kLeastDrawRate = 1e-6;

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

/// One call of draw_chains.
class Drawing {
 public:
  Drawing(const Reduction& reduction, const DrawOptions& options, const Run& run, const DrawFunction& on_draw)
      : reduction_(reduction),
        options_(options),
        run_(run),
        on_draw_(on_draw),
        inverse_(inverse_temperatures(options)),
        lifted_(static_cast<std::size_t>(options.chains)) {}

  DrawSummary run() {
    const bool restarts = options_.restart_rate > 0;
    std::vector<Assignment> starts;
    if (!restarts) starts = find_initial_states(*reduction_.graph, lifted_.size(), run_);
    if (!options_.exactness.empty()) return draw_by_proposals(std::move(starts));
    models_ = ModelChains::build(*reduction_.graph, inverse_, std::move(starts), run_.random, run_.stop);
    if (!models_) return {};
    if (restarts) return draw_with_restarts();
    const int draws = draw_in_turn(models_->chains());
    DrawSummary summary = summary_of(inverse_, models_->chains());
    summary.draws = draws;
    return summary;
  }

 private:
  /// Each chain continues from draw to draw.
  template <class Chain>
  int draw_in_turn(std::vector<Chain>& chains) {
    const auto advance = [&](int sweeps) {
      return for_each_chain([&](std::size_t c) { chains[c].sweep(static_cast<std::size_t>(sweeps), run_.stop); });
    };
    int draw = 0;
    for (bool goes_on = advance(options_.warm_up); goes_on && draw < options_.draws; ++draw) {
      if (!advance(options_.thin)) break;
      for (std::size_t c = 0; c < chains.size(); ++c) lifted_[c] = reduction_.lift(chains[c].values());
      on_draw_(draw, lifted_);
    }
    return draw;
  }

  DrawSummary draw_by_proposals(std::vector<Assignment> starts) {
    const std::optional<ProposalFactors> factors = ProposalFactors::build(*reduction_.graph, run_.stop);
    if (!factors) return {};
    const mcmc::Exactness exactness = mcmc::Exactness::parse(options_.exactness);
    std::vector<ProposalChain> chains;
    for (std::size_t c = 0; c < starts.size(); ++c)
      chains.emplace_back(*factors, exactness, std::move(starts[c]), run_.random.child("chain", c));
    DrawSummary summary = {.draws = draw_in_turn(chains)};
    for (const ProposalChain& chain : chains) summary.proposals += chain.work();
    return summary;
  }

  /// Each draw is a separate run.
  DrawSummary draw_with_restarts() {
    std::vector<std::uint64_t> sweeps(lifted_.size());
    DrawSummary summary;
    for (; summary.draws < options_.draws; ++summary.draws) {
      const bool is_complete = for_each_chain([&](std::size_t c) { sweeps[c] += draw_run(summary.draws, c); });
      if (!is_complete) break;
      on_draw_(summary.draws, lifted_);
    }
    const double count = static_cast<double>(lifted_.size()) * std::max(summary.draws, 1);
    summary.mean_sweeps = static_cast<double>(std::accumulate(sweeps.begin(), sweeps.end(), std::uint64_t{0})) / count;
    return summary;
  }

  /// Returns the number of its sweeps; draws nothing once `stop` is requested.
  std::uint64_t draw_run(int draw, std::size_t c) {
    const Random stream = run_.random.child("draw", static_cast<std::uint64_t>(draw)).child("chain", c);
    const auto restart = [&](std::optional<TargetChain>& chain, Random&) {
      const Run alone = {.stop = run_.stop, .threads = 1, .random = stream};
      Assignment start = find_initial_states(*reduction_.graph, 1, alone).front();
      if (!run_.stop.requested()) chain = models_->chain_from(std::move(start), stream);
    };
    const auto sweep = [&](std::optional<TargetChain>& chain, Random&) {
      if (chain) chain->sweep(1, run_.stop);
    };
    std::optional<TargetChain> chain;
    Random lengths = stream.child("length");
    const std::uint64_t sweeps = mcmc::with_restarts(sweep, restart, options_.restart_rate).draw(chain, lengths);
    if (chain && !run_.stop.requested()) lifted_[c] = reduction_.lift(chain->values());
    return sweeps;
  }

  /// False if the limits ended it.
  template <class Function>
  bool for_each_chain(const Function& function) {
    parallel_for(lifted_.size(), 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end && !run_.stop.requested(); ++c) function(c);
    });
    return !run_.stop.requested();
  }

  const Reduction& reduction_;
  const DrawOptions& options_;
  const Run& run_;
  const DrawFunction& on_draw_;
  std::vector<double> inverse_;
  std::optional<ModelChains> models_;
  std::vector<Assignment> lifted_;  // [chain]
};

/// Refuses what has no meaning with restarts, after which a run is as long as chance has it.
void check_restarts(const DrawOptions& options) {
  if (!(options.restart_rate > 0)) return;
  // A run draws its whole length even if the limits have ended its sweeps.
  if (options.restart_rate < kLeastDrawRate)
    throw UsageError(
        fmt::format("option 'restart-rate {}': give 0, or {} and more", options.restart_rate, kLeastDrawRate));
  const DrawOptions usual;
  const char* const unheeded = options.warm_up != usual.warm_up ? "warm-up"
                               : options.thin != usual.thin     ? "thin"
                                                                : nullptr;
  if (unheeded)
    throw UsageError(fmt::format(
        "option '{}' has no meaning with option 'restart-rate', whose draws are the ends of runs of random length: "
        "leave out one of them",
        unheeded));
}

}  // namespace

void check(const DrawOptions& options) {
  validate(options);
  check_restarts(options);
  if (options.exactness.empty()) return;
  mcmc::Exactness::parse(options.exactness);
  if (options.temperatures > 1 || options.restart_rate > 0)
    throw UsageError(fmt::format("option 'exactness {}' does not go with option '{}': leave out one of them",
                                 options.exactness, options.temperatures > 1 ? "temperatures" : "restart-rate"));
}

DrawSummary draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options, const Run& run,
                        const DrawFunction& on_draw) {
  check(options);
  const Reduction reduction = reduce(graph, evidence, run.stop);
  return Drawing(reduction, options, run, on_draw).run();
}

}  // namespace fovea::graph
