// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <functional>

#include "fovea/gp/training/mixture_expectation.h"

namespace fovea::gp {

/// Hears of the bound after each iteration; false ends.
using BoundObserver = std::function<bool(double bound)>;

/// The bound of a mixture, equations (17) and (20), and its gradient with respect to weights and components.
double unary_bound(const InferenceProblem& problem, const ScoreEstimator& estimator, const VariationalMixture& mixture,
                   MixtureGradient& gradient);
/// 50 iterations of L-BFGS on the components and their weights. Ends within one look at all sequences after `stop` asks
/// to.
void ascend_unary(const InferenceProblem& problem, const ScoreEstimator& estimator, const Stop& stop,
                  VariationalMixture& mixture, const BoundObserver& observer);
/// 10 iterations of L-BFGS on the pairwise function; returns the bound.
Bound ascend_pairwise(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture& mixture,
                      const BoundObserver& observer);

}  // namespace fovea::gp
