// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/temper/score_rows.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Parallel tempering (Geyer 1991; Hukushima and Nemoto 1996): replicas of a model at rising temperatures, each moved
/// by sweeps of Gibbs visits; neighbours trade places with probability
///   min(1, exp((b_i - b_j) (score_j - score_i))),   b: inverse temperatures,
/// so that the coldest replica reaches modes that it could not walk to. Leaves the product of all p^b invariant.
///
/// Hard constraints are softened. With b = 1 the coldest replica, conditioned on breaking none, follows the model: keep
/// its draws of finite log score.
class ParallelTempering {
 public:
  using TargetLaw = mcmc::Invariant;

  /// inverse_temperatures: from the coldest replica to the hottest, >= 0; starts: one for each, in the same order.
  /// `tables` must outlive it.
  ParallelTempering(const SoftTables& tables, std::vector<double> inverse_temperatures,
                    const std::vector<Assignment>& starts)
      : inverse_(std::move(inverse_temperatures)), trades_(inverse_.empty() ? 0 : inverse_.size() - 1) {
    FOVEA_CHECK(inverse_.size() == starts.size());
    for (const Assignment& start : starts) replicas_.emplace_back(tables, start);
  }

  std::size_t replica_count() const { return replicas_.size(); }
  /// Assignment of the i-th coldest replica.
  const Assignment& values(std::size_t i) const { return replicas_[i].values(); }

  /// Makes one sweep of every replica. Returns false if `stop` was requested first: then some visits are missing.
  template <class R>
  bool sweep(R& random, const Stop& stop = {}) {
    for (std::size_t i = 0; i < replicas_.size(); ++i)
      for (VariableId v = 0; v < replicas_[i].values().size(); ++v) {
        if (v % kVisitsPerQuestion == 0 && stop.requested()) return false;
        heat_bath_.visit(replicas_[i], v, inverse_[i], random);
      }
    return true;
  }

  /// Offers a trade to the pairs (first, first + 1), (first + 2, first + 3), ...; returns the number accepted.
  /// Alternate first = 0 and 1, which carries replicas along the ladder faster than random pairs.
  template <class R>
  std::size_t trade(std::size_t first, R& random) {
    std::size_t accepted = 0;
    for (std::size_t i = first; i + 1 < replicas_.size(); i += 2) {
      ++trades_[i].offered;
      const double exponent = (inverse_[i] - inverse_[i + 1]) * (replicas_[i + 1].score() - replicas_[i].score());
      if (!random.bernoulli_log(std::min(exponent, 0.0))) continue;
      std::swap(replicas_[i], replicas_[i + 1]);
      ++trades_[i].accepted;
      ++accepted;
    }
    return accepted;
  }

  struct Trades {
    std::uint64_t offered = 0, accepted = 0;
  };
  /// Trades [i] between the i-th coldest replica and the next.
  const std::vector<Trades>& trades() const { return trades_; }

 private:
  static constexpr VariableId kVisitsPerQuestion = 512;

  std::vector<double> inverse_;
  std::vector<ScoreRows> replicas_;  // parallel to inverse_
  std::vector<Trades> trades_;
  HeatBath heat_bath_;
};

/// Inverse temperatures from 1 down to `hottest` in (0, 1], in geometric steps; `replicas` >= 2.
inline std::vector<double> geometric_ladder(double hottest, std::size_t replicas) {
  std::vector<double> inverse(replicas);
  for (std::size_t i = 0; i < replicas; ++i)
    inverse[i] = std::pow(hottest, static_cast<double>(i) / static_cast<double>(replicas - 1));
  return inverse;
}

}  // namespace fovea::graph
