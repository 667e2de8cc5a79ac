// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fovea/sequence/learn/doeblin/doeblin_model.h"
#include "fovea/sequence/learn/doeblin/run_length.h"
#include "fovea/sequence/learn/doeblin/run_masses.h"

namespace fovea::sequence {

/// Credit that a step of a path receives; both kinds give the exact gradient on average.
enum class PathCredit {
  kMass,      ///< all mass of its run after it: algorithm 1 (Steinhardt and Liang 2015)
  kAdvantage  ///< that minus what the other runs have there on average: a draw no better than others changes nothing
};

/// Runs of a strong Doeblin chain on the way to an output y, and the gradient of log p(y) estimated from them, where p
/// is the stationary law of the chain with restarts: algorithm 1 of Steinhardt and Liang (2015), with the sum over
/// whole paths that it needs (lemma 4.2; as printed, transitions before the last are left out). For a path
/// y_0 .. y_{T-1}, with w_0 = epsilon u(y), w_t = epsilon A(y | y_{t-1}), W_s = sum over t >= s of w_t,
///
///   Z = W_0
///   g = w_0 d log u(y) + W_1 d log u(y_0) + sum over t = 1 .. T: w_t d log A(y | y_{t-1})
///       + sum over s = 1 .. T - 1: W_{s+1} d log A(y_s | y_{s-1})
///
/// in O(T); E[Z] = p(y), E[g] = d p(y). The gradient of log p(y) is (sum of g) / (sum of Z): its bias falls with the
/// number of runs.
template <class State>
class DoeblinRuns {
 public:
  /// Masses are divided by exp(log_scale): use, say, log u(y) for an improbable y.
  explicit DoeblinRuns(double log_scale = 0) : log_scale_(log_scale) {}

  /// Adds a run whose length is drawn.
  template <class Model, class Output, class Random>
  void add(const Model& model, const Output& y, const RunLength& length, Random& random) {
    add_of_length(model, y, length, length.draw(random), random);
  }

  /// Adds `count` runs, with one length from each of `count` equally likely parts of its law: the same law on average,
  /// with less variance of the whole. With PathCredit::kAdvantage, an estimator of lower variance than the paper's.
  template <class Model, class Output, class Random>
  void add_stratified(const Model& model, const Output& y, const RunLength& length, std::size_t count, Random& random) {
    for (std::size_t i = 0; i < count; ++i) {
      const double share = (static_cast<double>(i) + random.threshold(1.0)) / static_cast<double>(count);
      add_of_length(model, y, length, length.quantile(share), random);
    }
  }

  const RunMasses& masses() const { return masses_; }
  double log_scale() const { return log_scale_; }

  /// gradient += scale * sum over runs of g / exp(log_scale). Without bias: on average, the sum of g is the number of
  /// runs times d p(y).
  template <class Model, class Output, class Gradient>
  void add_derivative(const Model& model, const Output& y, double scale, PathCredit credit, Gradient& gradient) const {
    for (std::size_t run = 0; run < paths_.size(); ++run) add_run(model, y, run, scale, credit, gradient);
  }

  /// gradient += scale * d log p(y), asymptotically unbiased in the number of runs. Returns false, and adds nothing, if
  /// the runs have no mass.
  template <class Model, class Output, class Gradient>
  bool add_gradient(const Model& model, const Output& y, double scale, PathCredit credit, Gradient& gradient) const {
    if (!(masses_.total() > 0)) return false;
    add_derivative(model, y, scale / masses_.total(), credit, gradient);
    return true;
  }

 private:
  using Path = std::vector<State>;  // y_0 .. y_{T-1}

  template <class Model, class Output, class Random>
  void add_of_length(const Model& model, const Output& y, const RunLength& length, std::uint64_t last, Random& random) {
    const double epsilon = length.epsilon();
    Path path;
    std::vector<double> masses = {epsilon * std::exp(model.log_start(y) - log_scale_)};
    for (std::uint64_t t = 1; t <= last; ++t) {
      path.push_back(t == 1 ? model.draw_start(random) : model.draw_step(path.back(), random));
      masses.push_back(epsilon * std::exp(model.log_step(y, path.back()) - log_scale_));
    }
    paths_.push_back(std::move(path));
    masses_.add(std::move(masses));
  }

  template <class Model, class Output, class Gradient>
  void add_run(const Model& model, const Output& y, std::size_t run, double scale, PathCredit credit,
               Gradient& gradient) const {
    const Path& path = paths_[run];
    const std::vector<double>& masses = masses_.of_run(run);
    double rest = 0;  // W_{t+1}, or its excess over that of the other runs
    for (std::size_t t = path.size(); t > 0; --t) {
      if (masses[t] > 0) model.add_step_gradient(y, path[t - 1], scale * masses[t], gradient);
      if (rest != 0) model.add_step_gradient(path[t], path[t - 1], scale * rest, gradient);
      rest += masses[t];
      if (credit == PathCredit::kAdvantage) rest -= masses_.mean_of_others(run, t);
    }
    if (masses[0] > 0) model.add_start_gradient(y, scale * masses[0], gradient);
    if (rest != 0) model.add_start_gradient(path[0], scale * rest, gradient);
  }

  double log_scale_;
  std::vector<Path> paths_;
  RunMasses masses_;
};

}  // namespace fovea::sequence
