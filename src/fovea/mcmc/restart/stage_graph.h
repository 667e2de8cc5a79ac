// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fovea::mcmc {

/// The stages of a staged strong Doeblin chain (Steinhardt and Liang 2015, section 3.1): a Markov chain C over stages
/// 0 .. k-1, of which stage 0 (z* in the paper) restarts.
class StageGraph {
 public:
  /// transitions[i][j] = C(j | i), linear domain: rows sum to 1. Throws UsageError if this is not such a chain, or if
  /// the restart cannot be reached from every stage; the message names a stage from which it cannot.
  explicit StageGraph(std::vector<std::vector<double>> transitions);

  /// Corollary 3.7: stage i is left with probability leave[i], for the next stage or, from the last, for the restart.
  static StageGraph cycle(std::span<const double> leave);

  /// The stages of a plain strong Doeblin chain, Figure 2(a): stage 0 restarts, stage 1 moves on.
  static StageGraph restarts(double epsilon);

  std::size_t size() const { return transitions_.size(); }
  double probability(std::size_t from, std::size_t to) const { return transitions_[from][to]; }
  std::span<const double> from(std::size_t stage) const { return transitions_[stage]; }

  /// [stage]: the share of time spent in it.
  const std::vector<double>& stationary() const { return stationary_; }

 private:
  void check() const;

  std::vector<std::vector<double>> transitions_;
  std::vector<double> stationary_;
};

}  // namespace fovea::mcmc
