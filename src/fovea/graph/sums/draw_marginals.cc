// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/draw_marginals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/graph/draw/initial_states.h"
#include "fovea/graph/draw/model_chains.h"
#include "fovea/graph/temper/parallel_tempering.h"

namespace fovea::graph {
namespace {

constexpr double kGibbsShare = 1.0 / 3;  // of the limits, until chains that are stuck are given up
constexpr double kStuck = 3;             // R-hat; chains that are merely slow do better when left to themselves
constexpr std::size_t kTemperatures = 16;
constexpr double kHottest = 20;                  // on strongly coupled grids better than 5, 10 or 40
constexpr double kUntimedRounds = 256;           // without any limit
constexpr std::uint64_t kRoundsPerQuestion = 8;  // between looks at the target error

class MarginalDrawing {
 public:
  MarginalDrawing(const FactorGraph& graph, const SumOptions& options, const Run& run, SolveLog& log)
      : graph_(graph),
        options_(options),
        run_(run),
        log_(log),
        limit_(run.budget.transition_limit(static_cast<double>(graph.variable_count()))) {}

  std::optional<DrawnMarginals> run() {
    if (!find_starts()) return std::nullopt;
    const Allowance all = allowance(1);
    begin(gibbs_, "sampling", {}, allowance(kGibbsShare));
    if (!r_hat_is_above(gibbs_, kStuck) || is_done(all)) return finish(gibbs_, "Gibbs sampling", all);
    begin(tempered_, "parallel tempering", geometric_ladder(1 / kHottest, kTemperatures), all);
    if (has_errors(tempered_) && !r_hat_is_above(tempered_, gibbs_.sampler->answer().max_r_hat))
      return finish(tempered_, "parallel tempering", all);
    return finish(gibbs_, "Gibbs sampling", all);
  }

 private:
  struct Sampling {
    std::uint64_t sweeps = 1;  // of one draw
    std::optional<ModelChains> chains = {};
    std::optional<MarginalSampler> sampler = {};
  };

  /// Limits of a phase of drawing.
  struct Allowance {
    Stop stop = {};
    double transitions = Budget::kUnlimited, rounds = 0;
  };

  /// Allowance of a share of the time left, and of all work. Rounds count only if nothing else is limited.
  Allowance allowance(double share) const {
    const bool is_limited = stop().has_deadline() || limit_ < Budget::kUnlimited;
    return {.stop = stop().within(share * stop().seconds_left()),
            .transitions = share * limit_,
            .rounds = is_limited ? std::numeric_limits<double>::infinity() : share * kUntimedRounds};
  }

  /// True if an allowance is spent, or the target error was reached.
  bool is_done(const Allowance& allowed) const {
    return is_on_target_ || allowed.stop.requested() || static_cast<double>(rounds_) >= allowed.rounds ||
           static_cast<double>(log_.work().transitions) >= allowed.transitions;
  }

  const Stop& stop() const { return run_.stop; }

  bool find_starts() {
    log_.phase("starts", [&] {
      starts_ = find_initial_states(graph_, MarginalSampler::kChains, run_.child("starts"));
      return "found";
    });
    return !stop().requested();
  }

  void begin(Sampling& sampling, const char* name, const std::vector<double>& inverse_temperatures,
             const Allowance& allowed) {
    log_.phase(name, [&]() -> std::string {
      sampling.sweeps = std::max<std::uint64_t>(inverse_temperatures.size(), 1);
      sampling.chains = ModelChains::build(graph_, inverse_temperatures, starts_, run_.random.child("chains"), stop());
      if (!sampling.chains) return "out of time";
      sampling.sampler.emplace(graph_, sampling.chains->chains());
      return draw(sampling, allowed);
    });
  }

  std::optional<DrawnMarginals> finish(Sampling& sampling, const char* method, const Allowance& allowed) {
    if (!sampling.sampler) return std::nullopt;
    if (!is_done(allowed)) log_.phase("drawing on", [&] { return draw(sampling, allowed); });
    if (!has_errors(sampling)) return std::nullopt;
    return DrawnMarginals{.answer = sampling.sampler->answer(), .method = method};
  }

  static bool has_errors(const Sampling& s) { return s.sampler && s.sampler->has_errors(); }
  static bool r_hat_is_above(const Sampling& s, double limit) {
    return has_errors(s) && s.sampler->answer().max_r_hat > limit;
  }

  /// Draws until the allowance is spent; returns the outcome. A tempered chain may find that it cannot keep the
  /// constraints; then there are no errors.
  std::string draw(Sampling& sampling, const Allowance& allowed) {
    MarginalSampler& sampler = *sampling.sampler;
    try {
      while (!is_done(allowed)) {
        ++rounds_;
        Work work = sampler.run_round(allowed.stop, run_.threads);
        work.transitions *= sampling.sweeps;
        log_.spend(work);
        is_on_target_ = rounds_ % kRoundsPerQuestion == 0 && reaches_target(sampler);
      }
    } catch (const LimitError& e) {
      sampling.sampler.reset();
      return e.what();
    }
    if (!sampler.has_errors()) return "too few draws";
    const MarginalSampler::Answer answer = sampler.answer();
    return fmt::format("R-hat up to {:.3f}, {} variables never moved", answer.max_r_hat, answer.unmoved);
  }

  bool reaches_target(const MarginalSampler& sampler) const {
    const double target = options_.target_error;
    if (!(target > 0) || !sampler.has_errors()) return false;
    const MarginalSampler::Answer answer = sampler.answer();
    return answer.mixing == mcmc::Mixing::kMixed && answer.max_standard_error <= target;
  }

  const FactorGraph& graph_;
  const SumOptions& options_;
  const Run& run_;
  SolveLog& log_;
  double limit_;  // transitions
  std::uint64_t rounds_ = 0;
  bool is_on_target_ = false;
  std::vector<Assignment> starts_;
  Sampling gibbs_, tempered_;
};

}  // namespace

std::optional<DrawnMarginals> draw_marginals(const FactorGraph& graph, const SumOptions& options, const Run& run,
                                             SolveLog& log) {
  return MarginalDrawing(graph, options, run, log).run();
}

}  // namespace fovea::graph
