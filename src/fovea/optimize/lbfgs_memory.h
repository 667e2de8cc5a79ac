// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/optimize/vector_ops.h"

namespace fovea::optimize {

/// The last few steps s = x_{k+1} - x_k and gradient changes y = g_{k+1} - g_k, and the inverse Hessian that they
/// imply. L-BFGS remembers nothing else, so this can be stored to resume a run.
template <class Real>
class LbfgsMemory {
 public:
  explicit LbfgsMemory(std::size_t capacity = 8) : capacity_(capacity) {}

  std::size_t size() const { return pairs_.size(); }
  void clear() { pairs_.clear(); }

  /// Remembers a pair and forgets the oldest beyond the capacity. A pair without positive curvature (s.y <= 0) would
  /// spoil the Hessian and is skipped.
  void add(std::vector<Real> step, std::vector<Real> change, const internal::VectorOps& ops) {
    const double curvature = ops.dot<Real>(step, change);
    if (!(curvature > 0) || capacity_ == 0) return;
    if (pairs_.size() == capacity_) pairs_.erase(pairs_.begin());
    pairs_.push_back({std::move(step), std::move(change), curvature});
  }

  /// Two vectors in which to build the next pair, so that memory is reused: those of the oldest pair once the memory is
  /// full.
  std::pair<std::vector<Real>, std::vector<Real>> take_buffers(std::size_t dimension) {
    if (pairs_.size() < capacity_ || pairs_.empty())
      return {std::vector<Real>(dimension), std::vector<Real>(dimension)};
    std::pair<std::vector<Real>, std::vector<Real>> buffers(std::move(pairs_.front().step),
                                                            std::move(pairs_.front().change));
    pairs_.erase(pairs_.begin());
    return buffers;
  }

  /// v <- H v by the two-loop recursion (Nocedal, Wright 2006, "Numerical optimization", algorithm 7.4), with
  /// H_0 = gamma diag(scale), gamma = s.y / (y diag(scale) y) of the last pair; an empty `scale` is all ones. Without
  /// pairs H = diag(scale).
  void apply_inverse_hessian(std::span<Real> v, std::span<const Real> scale, const internal::VectorOps& ops) const {
    std::vector<double> alpha(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      const Pair& p = pairs_[i];
      alpha[i] = ops.dot<Real>(p.step, v) / p.curvature;
      const Real factor = static_cast<Real>(alpha[i]);
      ops.each(v.size(), [&](std::size_t j) { v[j] -= factor * p.change[j]; });
    }
    const Real gamma = static_cast<Real>(pairs_.empty() ? 1 : pairs_.back().curvature / scaled_norm(scale, ops));
    ops.each(v.size(), [&](std::size_t j) { v[j] *= scale.empty() ? gamma : gamma * scale[j]; });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Pair& p = pairs_[i];
      const Real factor = static_cast<Real>(alpha[i] - ops.dot<Real>(p.change, v) / p.curvature);
      ops.each(v.size(), [&](std::size_t j) { v[j] += factor * p.step[j]; });
    }
  }

  /// Pair i, oldest first, for storing. To restore the memory, add() the pairs in the same order.
  std::span<const Real> step(std::size_t i) const { return pairs_[i].step; }
  std::span<const Real> change(std::size_t i) const { return pairs_[i].change; }

 private:
  struct Pair {
    std::vector<Real> step, change;
    double curvature;  // step . change
  };

  double scaled_norm(std::span<const Real> scale, const internal::VectorOps& ops) const {
    const std::vector<Real>& y = pairs_.back().change;
    return ops.sum(y.size(), [&](std::size_t j) { return double{y[j]} * y[j] * (scale.empty() ? 1.0 : scale[j]); });
  }

  std::size_t capacity_;
  std::vector<Pair> pairs_;
};

/// State that a run of L-BFGS or OWL-QN needs, in addition to x, to continue where it stopped, the same to the bit.
template <class Real>
struct LbfgsState {
  LbfgsMemory<Real> memory;
  std::vector<double> objectives;  ///< of the start and of each finished iteration

  explicit LbfgsState(std::size_t capacity = 8) : memory(capacity) {}
};

}  // namespace fovea::optimize
