// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fovea::optimize {

struct AdaGradOptions {
  double learning_rate = 1;  ///< eta
  double delta = 1e-4;       ///< added to the sum of squares, so that a small first gradient makes no giant step
  double l2 = 0;             ///< weight of a penalty l2 |x|^2 per step, see AdaGrad
};

/// Diagonal AdaGrad for sparse stochastic gradients (Duchi, Hazan, Singer 2010, "Adaptive subgradient methods for
/// online learning and stochastic optimization"), with the L2 penalty taken as a proximal step (their composite mirror
/// descent) and applied lazily:
///
///   G_i <- G_i + g_i^2,   r_i = eta / sqrt(delta + G_i),   x_i <- (x_i - r_i g_i) / (1 + 2 l2 r_i)
///
/// In a step with g_i = 0 only the division happens, with the same r_i, so one power makes up for all steps missed
/// since the last touch: touching a parameter costs O(1), and the others cost nothing. Call next_step() once per
/// stochastic gradient, current(i) for a value that is up to date, update(i, g) to apply a gradient, and flush() at the
/// end.
template <class Real>
class AdaGrad {
 public:
  /// x must outlive the object; it is up to date only after flush().
  AdaGrad(std::span<Real> x, const AdaGradOptions& options)
      : x_(x), options_(options), squares_(x.size()), touched_(options.l2 > 0 ? x.size() : 0, 1) {}

  void next_step() { ++now_; }

  Real current(std::size_t i) {
    catch_up(i);
    return x_[i];
  }

  void update(std::size_t i, Real gradient) {
    catch_up(i);
    squares_[i] += gradient * gradient;
    x_[i] -= static_cast<Real>(rate(i)) * gradient;
    // The penalty of this step falls due with the next catch_up.
  }

  void flush() {
    ++now_;
    for (std::size_t i = 0; i < x_.size(); ++i) catch_up(i);
    --now_;
  }

  /// Sums of squared gradients, to be stored, or set again to resume.
  std::span<Real> squares() { return squares_; }

 private:
  double rate(std::size_t i) const { return options_.learning_rate / std::sqrt(options_.delta + double{squares_[i]}); }

  void catch_up(std::size_t i) {
    if (touched_.empty()) return;
    if (touched_[i] >= now_) return;
    const std::uint32_t missed = now_ - std::exchange(touched_[i], now_);
    if (x_[i] != 0) x_[i] = static_cast<Real>(x_[i] * std::pow(1 + 2 * options_.l2 * rate(i), -double(missed)));
  }

  std::span<Real> x_;
  AdaGradOptions options_;
  std::vector<Real> squares_;
  std::vector<std::uint32_t> touched_;  // the first step whose penalty has not been applied
  std::uint32_t now_ = 0;
};

}  // namespace fovea::optimize
