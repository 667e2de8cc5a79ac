// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <functional>

#include "fovea/gp/training/mixture_expectation.h"
#include "fovea/gp/training/natural_gradient.h"

namespace fovea::gp {

/// Maximises the same bound as fit_by_natural_gradient, for many sequences. Minibatches take turns, in a new order each
/// pass; the information of the others about the functions and label pairs is kept as their sites. A step replaces the
/// sites of one minibatch, given those of all others (Bui, Ashman, Nguyen, Turner (2018), "Partitioned variational
/// inference"): its items' sites by one natural gradient step, halved as long as it lowers their worth, and its
/// Gaussian factors of the pairwise function by L-BFGS. As in SAGA no rate has to fall; unlike in SAGA steps are whole,
/// because posteriors are added up, not gradients.
///
/// A step costs O(|V| (M^3 + items M^2) + draws items |V|^2) for the items of the minibatch, whatever the number of
/// sequences. `minibatch`: approximate number of items in one. `iterations`: maximum number of passes over all
/// sequences. The bound is the sum of each minibatch's worth at its last visit; the fit ends when a pass changes it by
/// less than the tolerance.
FittedPosterior fit_by_minibatches(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                   const Random& random, InferenceWatch& watch);

/// Receives the bound after each iteration; returns false to end.
using BoundObserver = std::function<bool(double bound)>;

/// The bound of a mixture, equations (17) and (20), and its gradient with respect to weights and components.
double unary_bound(const InferenceProblem& problem, const ScoreEstimator& estimator, const VariationalMixture& mixture,
                   MixtureGradient& gradient);
/// Runs 50 iterations of L-BFGS on the components and their weights. Ends within one evaluation of all sequences after
/// `stop` requests it.
void ascend_unary(const InferenceProblem& problem, const ScoreEstimator& estimator, const Stop& stop,
                  VariationalMixture& mixture, const BoundObserver& observer);
/// Runs 10 iterations of L-BFGS on the pairwise function; returns the bound.
Bound ascend_pairwise(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture& mixture,
                      const BoundObserver& observer);

}  // namespace fovea::gp
