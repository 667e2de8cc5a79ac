// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <functional>

#include "fovea/gp/training/mixture_expectation.h"

namespace fovea::gp {

/// SAGA (Defazio, Bach, Lacoste-Julien (2014)) on the bound: see fit_by_scores. Stored gradients are with respect to
/// means and covariances at each sequence's own items, T_n and T_n x T_n per label, whatever M is.
class SagaAscent {
 public:
  /// Fills the table with one pass over all sequences, which `stop` may end; then nothing can be moved. `problem` and
  /// `estimator` must outlive this.
  SagaAscent(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture start, Random random,
             const Stop& stop);

  /// Takes kUnarySteps steps on weights and components; calls `go_on` every hundred steps and ends if it returns false.
  void move_unary(const std::function<bool()>& go_on);
  /// Takes kPairwiseSteps steps on the pairwise function.
  void move_pairwise(const std::function<bool()>& go_on);

  static constexpr int kUnarySteps = 3000, kPairwiseSteps = 1000;
  int steps() const { return steps_; }  ///< so far, of both kinds

  const VariationalMixture& mixture() const { return mixture_; }
  /// Bound from the value of each sequence at its last visit; sequences never visited count as the average of the
  /// others.
  Bound bound() const;

 private:
  /// Sums over sequences of the stored gradients, with respect to a component's means and covariances.
  struct StoredSum {
    RowMatrix means;                        ///< |V| x M
    std::vector<LargeColumns> covariances;  ///< [label] M x M; none if covariances are diagonal
    RowMatrix variances;                    ///< |V| x M; empty if they are full
  };

  std::size_t sequence_count() const { return problem_.projected.sequence_count(); }
  SequenceExpectation look_at(std::size_t sequence, std::size_t component, bool wants_unary, bool wants_pairwise);
  void add_to_sum(std::size_t sequence, const SequenceExpectation& change, StoredSum& sum) const;
  void step_unary(std::size_t sequence);
  void step_pairwise(std::size_t sequence);
  void add_sum_gradient(const StoredSum& sum, const UnaryGaussian& component, double weight,
                        UnaryGaussian& gradient) const;
  void take_unary_step(const MixtureGradient& gradient);

  const InferenceProblem& problem_;
  const ScoreEstimator& estimator_;
  VariationalMixture mixture_;
  Random random_;
  std::uint64_t looks_ = 0;  // each has draws of its own
  int steps_ = 0;
  std::size_t filled_ = 0;                                // sequences in the table
  std::vector<std::vector<SequenceExpectation>> stored_;  // [component][sequence]
  std::vector<StoredSum> sums_;                           // [component]
  std::vector<double> pairwise_sum_;                      // of means, then log deviations; weighted by the components
  std::vector<std::vector<double>> stored_pairwise_;      // [sequence], the same
};

}  // namespace fovea::gp
