// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/draw_chains.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/graph/draw/bounding_chain.h"
#include "fovea/graph/draw/model_chains.h"
#include "fovea/graph/draw/proposal_chain.h"
#include "fovea/graph/task/elimination_plan.h"
#include "fovea/graph/tree/junction_tree.h"
#include "fovea/mcmc/restart/restart_kernel.h"
#include "fovea/mcmc/subsample/exactness.h"

namespace fovea::graph {
namespace {

constexpr double kLeastDrawRate = 1e-6;
/// Runs of coupled chains that measure a distance, and their largest number of sweeps, relative to a run's mean length
/// with restarts and absolute.
constexpr std::size_t kMeetings = 40;
constexpr double kMeetingLengths = 20, kMostMeetingSweeps = 1 << 16;
/// Share of the time left that measuring may take where it only informs.
constexpr double kMeasuringShare = .2, kMeasuringSeconds = 2;
/// Coupling from the past goes back this number of sweeps.
constexpr std::uint64_t kMostPast = std::uint64_t{1} << 20;

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
    if (options_.perfect) return draw_perfectly();
    const bool restarts = options_.restart_rate > 0 || options_.distance > 0;
    std::vector<Assignment> starts = find_initial_states(*reduction_.graph, lifted_.size(), run_);
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
    DrawSummary summary;
    choose_rate(summary);
    std::vector<std::uint64_t> sweeps(lifted_.size());
    for (std::size_t c = 0; c < lifted_.size(); ++c) streams_.push_back(run_.random.child("lengths", c));
    for (; summary.draws < options_.draws; ++summary.draws) {
      const bool is_complete =
          for_each_chain([&](std::size_t c) { sweeps[c] += draw_run(summary.restart_rate, summary.draws, c); });
      if (!is_complete) break;
      on_draw_(summary.draws, lifted_);
    }
    summary.mean_sweeps = mean_of(sweeps, summary.draws);
    return summary;
  }

  double mean_of(const std::vector<std::uint64_t>& sweeps, int draws) const {
    const double count = static_cast<double>(lifted_.size()) * std::max(draws, 1);
    return static_cast<double>(std::accumulate(sweeps.begin(), sweeps.end(), std::uint64_t{0})) / count;
  }

  /// The rate that was asked for, with the distance if it can be measured, or the largest rate for a distance.
  void choose_rate(DrawSummary& summary) const {
    const double asked = options_.restart_rate;
    const double most = asked > 0 ? std::min(kMeetingLengths / asked, kMostMeetingSweeps) : kMostMeetingSweeps;
    const double seconds = std::min(kMeasuringSeconds, kMeasuringShare * run_.stop.seconds_left());
    const Stop stop = asked > 0 ? run_.stop.within(seconds) : run_.stop;
    const std::vector<double> times = meeting_times(static_cast<std::uint64_t>(most), stop);
    summary.restart_rate = asked;
    if (asked == 0) {
      summary.restart_rate = 1;
      while (summary.restart_rate > kLeastDrawRate &&
             distance_with_restarts(times, summary.restart_rate) > options_.distance)
        summary.restart_rate *= .9;
      if (summary.restart_rate <= kLeastDrawRate && !run_.is_cancelled())
        throw LimitError(
            fmt::format("no restart rate is known to bring the draws within a distance of {} of the model: "
                        "chains from all assignments have not met. Give a rate (option 'restart-rate')",
                        options_.distance));
    }
    if (!times.empty() && std::ranges::all_of(times, [](double time) { return std::isfinite(time); }))
      summary.distance = distance_with_restarts(times, summary.restart_rate);
  }

  /// Infinite for chains that have not met. Empty for kernels that are not coupled: tempered ones, and those that draw
  /// blocks jointly.
  std::vector<double> meeting_times(std::uint64_t most, const Stop& stop) const {
    if (inverse_.size() > 1 || models_->has_constraints() ||
        reduction_.graph->max_cardinality() > BoundingChain::kMostValues)
      return {};
    std::vector<double> times(kMeetings, std::numeric_limits<double>::infinity());
    parallel_for(times.size(), 8, run_.threads, [&](std::size_t begin, std::size_t end) {
      BoundingChain chain(*reduction_.graph);
      for (std::size_t i = begin; i < end && !stop.requested(); ++i) {
        const auto time = meeting_time(chain, run_.random.child("meeting", i), most, stop);
        if (!time) return;
        times[i] = static_cast<double>(*time);
      }
    });
    return times;
  }

  /// Returns the number of its sweeps; draws nothing once `stop` is requested.
  std::uint64_t draw_run(double rate, int draw, std::size_t c) {
    TargetChain& chain = models_->chains()[c];
    const auto restart = [&](TargetChain& state, Random&) {
      const Random stream = run_.random.child("draw", static_cast<std::uint64_t>(draw)).child("chain", c);
      const Run alone = {.stop = run_.stop, .threads = 1, .random = stream};
      Assignment start = find_initial_states(*reduction_.graph, 1, alone).front();
      if (run_.stop.requested()) return;
      if (inverse_.size() > 1) state = models_->chain_from(std::move(start), stream);
      else state.set_values(std::move(start));
    };
    std::size_t steps = 0;  // made at once, below
    const auto transition = [&](TargetChain&, Random&) { ++steps; };
    const std::uint64_t sweeps = mcmc::with_restarts(transition, restart, rate).draw(chain, streams_[c]);
    if (!run_.stop.requested()) chain.sweep(steps, run_.stop);
    if (!run_.stop.requested()) lifted_[c] = reduction_.lift(chain.values());
    return sweeps;
  }

  DrawSummary draw_perfectly() {
    const FactorGraph& graph = *reduction_.graph;
    const EliminationPlan plan = plan_elimination(graph, EliminationGoal::kMaximum, run_);
    if (!plan.fits) return draw_by_coupling();
    const JunctionDraws draws(graph, *plan.tree, static_cast<double>(run_.memory_bytes), run_.threads, run_.stop);
    DrawSummary summary = {.perfect = DrawSummary::Perfect::kElimination};
    draw_each(summary, [&](std::size_t c, Random& random) {
      lifted_[c] = reduction_.lift(draws.draw(random));
      return true;
    });
    return summary;
  }

  DrawSummary draw_by_coupling() {
    std::vector<BoundingChain> chains(lifted_.size(), BoundingChain(*reduction_.graph));
    std::vector<std::uint64_t> sweeps(lifted_.size());
    DrawSummary summary = {.perfect = DrawSummary::Perfect::kCoupling};
    std::atomic<bool> has_failed = false;
    draw_each(summary, [&](std::size_t c, Random& random) {
      const auto drawn = draw_from_the_past(chains[c], random, kMostPast, run_.stop, sweeps[c]);
      if (drawn) lifted_[c] = reduction_.lift(*drawn);
      else if (!run_.stop.requested()) has_failed = true;
      return drawn.has_value();
    });
    summary.mean_sweeps = mean_of(sweeps, summary.draws);
    if ((has_failed || summary.draws == 0) && !run_.is_cancelled())
      throw LimitError(
          "no perfect draw: elimination exceeds the memory limit, and chains from all assignments have not met. Allow "
          "more "
          "memory or time (options 'memory-limit', 'time-limit'), or draw by chains (without option 'perfect')");
    return summary;
  }

  /// draw_one(c, random) draws lifted_[c] by itself, and says whether it could: the first draw that is missing is the
  /// end.
  template <class DrawOne>
  void draw_each(DrawSummary& summary, const DrawOne& draw_one) {
    for (; summary.draws < options_.draws; ++summary.draws) {
      const Random stream = run_.random.child("draw", static_cast<std::uint64_t>(summary.draws));
      std::atomic<bool> is_whole = true;
      const bool is_complete = for_each_chain([&](std::size_t c) {
        Random random = stream.child("chain", c);
        if (!draw_one(c, random)) is_whole = false;
      });
      if (!is_complete || !is_whole) return;
      on_draw_(summary.draws, lifted_);
    }
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
  std::vector<Random> streams_;     // [chain], of lengths of runs
};

/// Refuses what has no meaning for draws that are separate runs, or perfect.
void check_separate_draws(const DrawOptions& options) {
  // A run draws its whole length even if the limits have ended its sweeps.
  if (options.restart_rate > 0 && options.restart_rate < kLeastDrawRate)
    throw UsageError(
        fmt::format("option 'restart-rate {}': give 0, or {} and more", options.restart_rate, kLeastDrawRate));
  const char* const way = options.perfect            ? "perfect"
                          : options.restart_rate > 0 ? "restart-rate"
                          : options.distance > 0     ? "distance"
                                                     : nullptr;
  if (!way) return;
  const auto refuse = [&](const char* other, const char* why) {
    throw UsageError(
        fmt::format("option '{}' has no meaning with option '{}', {}: leave out one of them", other, way, why));
  };
  const DrawOptions usual;
  constexpr const char* kSeparate = "whose draws are independent of each other";
  if (options.warm_up != usual.warm_up) refuse("warm-up", kSeparate);
  if (options.thin != usual.thin) refuse("thin", kSeparate);
  if (!options.exactness.empty()) refuse("exactness", "which is of Gibbs sampling");
  if (options.perfect && (options.restart_rate > 0 || options.distance > 0))
    refuse(options.distance > 0 ? "distance" : "restart-rate", "whose draws have the model's own law");
  if (options.perfect && options.temperatures > 1) refuse("temperatures", "which needs no chains that mix");
  if (options.distance > 0 && options.restart_rate > 0) refuse("restart-rate", "which chooses the rate");
  if (options.distance > 0 && options.temperatures > 1) refuse("temperatures", "which is measured for Gibbs sampling");
}

}  // namespace

void check(const DrawOptions& options) {
  validate(options);
  check_separate_draws(options);
  if (options.exactness.empty()) return;
  mcmc::Exactness::parse(options.exactness);
  if (options.temperatures > 1)
    throw UsageError(fmt::format("option 'exactness {}' does not go with option 'temperatures': leave out one of them",
                                 options.exactness));
}

DrawSummary draw_chains(const FactorGraph& graph, const Evidence& evidence, const DrawOptions& options, const Run& run,
                        const DrawFunction& on_draw) {
  check(options);
  const Reduction reduction = reduce(graph, evidence, run.stop);
  return Drawing(reduction, options, run, on_draw).run();
}

}  // namespace fovea::graph
