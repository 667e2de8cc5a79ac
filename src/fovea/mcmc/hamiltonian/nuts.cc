// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/hamiltonian/nuts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::mcmc {
namespace {

using Numbers = std::vector<double>;

/// A point of a trajectory.
struct State {
  Numbers place, momentum, gradient;
  double density = 0;
};

/// Tunes the length of steps (Hoffman and Gelman 2014, section 3.2).
class StepLength {
 public:
  explicit StepLength(double target) : target_(target) {}

  void restart(double step) {
    centre_ = std::log(10 * step);
    log_step_ = std::log(step);
    mean_log_step_ = excess_ = 0;
    count_ = 0;
  }

  void learn(double acceptance) {
    constexpr double kShrinkage = .05, kDelay = 10, kForgetting = .75;
    ++count_;
    const double rate = 1 / (count_ + kDelay);
    excess_ += rate * (target_ - acceptance - excess_);
    log_step_ = centre_ - excess_ * std::sqrt(count_) / kShrinkage;
    const double weight = std::pow(count_, -kForgetting);
    mean_log_step_ += weight * (log_step_ - mean_log_step_);
  }

  double current() const { return std::exp(log_step_); }
  double settled() const { return std::exp(count_ > 0 ? mean_log_step_ : log_step_); }

 private:
  double target_, centre_ = 0, log_step_ = 0, mean_log_step_ = 0, excess_ = 0, count_ = 0;
};

/// Variances of draws, drawn towards 1e-3 while they are few.
class RunningVariances {
 public:
  explicit RunningVariances(std::size_t size) : mean_(size), squares_(size) {}

  void add(std::span<const double> x) {
    ++count_;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double gap = x[i] - mean_[i];
      mean_[i] += gap / count_;
      squares_[i] += gap * (x[i] - mean_[i]);
    }
  }

  Numbers variances() const {
    constexpr double kPrior = 1e-3, kWorth = 5;
    Numbers result;
    for (const double squares : squares_)
      result.push_back((count_ / (count_ + kWorth)) * squares / (count_ - 1) + kPrior * kWorth / (count_ + kWorth));
    return result;
  }

  double count() const { return count_; }

 private:
  Numbers mean_, squares_;
  double count_ = 0;
};

/// First draw of the warm-up by which variances are estimated: those before only tune the length of steps.
int first_window(int warm_up) { return std::max(1, static_cast<int>(.075 * warm_up)); }

/// Ends of the windows of the warm-up in which variances are estimated; after them, too, only steps are tuned.
std::vector<int> windows_of(int warm_up) {
  const int start = first_window(warm_up), end = warm_up - std::max(1, warm_up / 20);
  std::vector<int> ends;
  int length = std::max(1, warm_up / 40);
  for (int at = start; at < end; length *= 2) {
    at += length;
    if (at + 2 * length > end) at = end;
    ends.push_back(at);
  }
  return ends;
}

/// One chain.
class Sampler {
 public:
  Sampler(const LogDensity& density, std::span<const double> start, const NutsOptions& options, Random random,
          const NutsRun& run)
      : density_(density), options_(options), random_(random), run_(run), step_length_(options.target_acceptance) {
    chain_.parameters = start.size();
    chain_.variances.assign(run.scales.begin(), run.scales.end());
    chain_.variances.resize(start.size(), 1);
    now_ = {.place = Numbers(start.begin(), start.end()),
            .momentum = Numbers(start.size()),
            .gradient = Numbers(start.size())};
    evaluate(now_);
    if (!(now_.density > -kInfinity)) throw UsageError("the chain starts where the density is 0: start it elsewhere");
  }

  NutsChain run() {
    warm_up();
    chain_.step = step_ = step_length_.settled();
    for (int i = 0; i < options_.draws && chain_.is_whole; ++i) {
      transition();
      if (run_.stop.requested()) chain_.is_whole = false;
      chain_.divergences += is_divergent_;
      chain_.at_deepest += is_at_deepest_;
      chain_.draws.insert(chain_.draws.end(), now_.place.begin(), now_.place.end());
      chain_.densities.push_back(now_.density);
    }
    return std::move(chain_);
  }

 private:
  /// A part of a trajectory: its ends, the sum of its momenta, a draw from it and the log of its weight.
  struct Tree {
    State first, last, draw;
    Numbers momenta;
    double log_weight = -kInfinity;
    bool goes_on = true;
  };

  void evaluate(State& state) {
    ++chain_.evaluations;
    state.density = density_(state.place, state.gradient);
    if (std::isnan(state.density)) state.density = -kInfinity;
  }

  /// log of the density of place and momentum.
  double log_joint(const State& state) const {
    double energy = 0;
    for (std::size_t i = 0; i < state.momentum.size(); ++i)
      energy += state.momentum[i] * state.momentum[i] * chain_.variances[i];
    return state.density - .5 * energy;
  }

  void draw_momentum(State& state) {
    for (std::size_t i = 0; i < state.momentum.size(); ++i)
      state.momentum[i] = random_.normal() / std::sqrt(chain_.variances[i]);
  }

  void leap(State& state, double step) {
    for (std::size_t i = 0; i < state.place.size(); ++i) {
      state.momentum[i] += .5 * step * state.gradient[i];
      state.place[i] += step * chain_.variances[i] * state.momentum[i];
    }
    evaluate(state);
    for (std::size_t i = 0; i < state.place.size(); ++i) state.momentum[i] += .5 * step * state.gradient[i];
  }

  /// A step that changes the joint density by about a factor of two: the start of the tuning.
  double reasonable_step() {
    double step = 1;
    int direction = 0;
    for (int trial = 0; trial < 100; ++trial) {
      State state = now_;
      draw_momentum(state);
      const double before = log_joint(state);
      leap(state, step);
      const double change = log_joint(state) - before;
      const int wanted = change > std::log(.8) ? 1 : -1;
      if (direction != 0 && wanted != direction) break;
      direction = wanted;
      step *= direction > 0 ? 2 : .5;
    }
    return step;
  }

  void warm_up() {
    step_length_.restart(reasonable_step());
    const std::vector<int> windows = windows_of(options_.warm_up);
    const int start = first_window(options_.warm_up);
    std::size_t window = 0;
    RunningVariances variances(chain_.parameters);
    for (int i = 0; i < options_.warm_up; ++i) {
      if (run_.stop.requested()) {
        chain_.is_whole = false;
        return;
      }
      step_ = step_length_.current();
      transition();
      step_length_.learn(acceptance_);
      if (i >= start && window < windows.size()) variances.add(now_.place);
      if (window < windows.size() && i + 1 == windows[window]) {
        if (variances.count() > 2) chain_.variances = variances.variances();
        variances = RunningVariances(chain_.parameters);
        step_length_.restart(reasonable_step());
        ++window;
      }
    }
  }

  /// True if the trajectory still moves apart at both ends (the generalised criterion of Betancourt 2017).
  bool moves_apart(const State& first, const State& last, const Numbers& momenta) const {
    double at_first = 0, at_last = 0;
    for (std::size_t i = 0; i < momenta.size(); ++i) {
      at_first += momenta[i] * chain_.variances[i] * first.momentum[i];
      at_last += momenta[i] * chain_.variances[i] * last.momentum[i];
    }
    return at_first > 0 && at_last > 0;
  }

  Tree leaf(const State& from, double step) {
    constexpr double kDivergent = 1000;
    Tree tree;
    tree.first = from;
    leap(tree.first, step);
    tree.last = tree.draw = tree.first;
    tree.momenta = tree.first.momentum;
    tree.log_weight = log_joint(tree.first) - start_joint_;
    if (std::isnan(tree.log_weight)) tree.log_weight = -kInfinity;
    acceptances_ += std::min(1., std::exp(tree.log_weight));
    ++leaves_;
    if (tree.log_weight < -kDivergent) {
      is_divergent_ = true;
      tree.goes_on = false;
    }
    return tree;
  }

  /// A tree of 2^depth steps from a state, forwards or backwards. Its first end is the earlier one.
  Tree build(const State& from, int depth, double step) {
    if (depth == 0) return leaf(from, step);
    Tree near = build(from, depth - 1, step);
    if (!near.goes_on) return near;
    Tree far = build(step > 0 ? near.last : near.first, depth - 1, step);
    const double total = add_logs(near.log_weight, far.log_weight);
    if (far.goes_on && random_.bernoulli(std::exp(far.log_weight - total))) near.draw = std::move(far.draw);
    near.log_weight = total;
    Tree& earlier = step > 0 ? near : far;
    Tree& later = step > 0 ? far : near;
    near.goes_on = far.goes_on && joins(earlier, later);
    for (std::size_t i = 0; i < near.momenta.size(); ++i) near.momenta[i] += far.momenta[i];
    if (step > 0) near.last = std::move(far.last);
    else near.first = std::move(far.first);
    return near;
  }

  /// True if two parts that follow each other make no U-turn, nor does either with the end of the other.
  bool joins(const Tree& earlier, const Tree& later) const {
    Numbers momenta = earlier.momenta;
    const auto with = [&](const Numbers& base, const Numbers& more) -> const Numbers& {
      for (std::size_t i = 0; i < momenta.size(); ++i) momenta[i] = base[i] + more[i];
      return momenta;
    };
    return moves_apart(earlier.first, later.last, with(earlier.momenta, later.momenta)) &&
           moves_apart(earlier.first, later.first, with(earlier.momenta, later.first.momentum)) &&
           moves_apart(earlier.last, later.last, with(earlier.last.momentum, later.momenta));
  }

  void transition() {
    draw_momentum(now_);
    start_joint_ = log_joint(now_);
    acceptances_ = 0;
    leaves_ = 0;
    is_divergent_ = is_at_deepest_ = false;
    Tree whole = {.first = now_, .last = now_, .draw = now_, .momenta = now_.momentum, .log_weight = 0};
    int depth = 0;
    for (; depth < options_.deepest_tree && whole.goes_on && !run_.stop.requested(); ++depth) {
      const bool is_forward = random_.bernoulli(.5);
      Tree more = build(is_forward ? whole.last : whole.first, depth, is_forward ? step_ : -step_);
      if (!more.goes_on) break;
      // The later part is favoured, which carries draws further.
      if (random_.bernoulli(std::min(1., std::exp(more.log_weight - whole.log_weight))))
        whole.draw = std::move(more.draw);
      whole.goes_on = is_forward ? joins(whole, more) : joins(more, whole);
      whole.log_weight = add_logs(whole.log_weight, more.log_weight);
      for (std::size_t i = 0; i < whole.momenta.size(); ++i) whole.momenta[i] += more.momenta[i];
      if (is_forward) whole.last = std::move(more.last);
      else whole.first = std::move(more.first);
    }
    is_at_deepest_ = depth == options_.deepest_tree;
    acceptance_ = leaves_ > 0 ? acceptances_ / leaves_ : 0;
    now_ = std::move(whole.draw);
    if (run_.after_transition) run_.after_transition();
  }

  const LogDensity& density_;
  const NutsOptions& options_;
  Random random_;
  const NutsRun& run_;
  NutsChain chain_;
  StepLength step_length_;
  State now_;
  double step_ = 1, start_joint_ = 0, acceptances_ = 0, leaves_ = 0, acceptance_ = 0;
  bool is_divergent_ = false, is_at_deepest_ = false;
};

}  // namespace

NutsChain run_nuts(const LogDensity& density, std::span<const double> start, const NutsOptions& options, Random random,
                   const NutsRun& run) {
  validate(options);
  return Sampler(density, start, options, random, run).run();
}

}  // namespace fovea::mcmc
