// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <functional>

#include "fovea/gp/training/mixture_expectation.h"
#include "fovea/gp/training/natural_gradient.h"

namespace fovea::gp {

/// The same bound as fit_by_natural_gradient, for many sequences: minibatches take turns, in a new order each pass, and
/// what the others say of the functions and of label pairs is kept as their sites. A step replaces the sites of one
/// minibatch, given those of all others (Bui, Ashman, Nguyen, Turner (2018), "Partitioned variational inference"): its
/// items' by one natural gradient step, halved as long as it lowers what they are worth, its Gaussian factors of the
/// pairwise function by L-BFGS. As in SAGA no rate has to fall; unlike there steps are whole, because posteriors and
/// not gradients are added up.
///
/// A step costs O(|V| (M^3 + items M^2) + draws items |V|^2) for the items of the minibatch, whatever the number of
/// sequences. `minibatch`: items of one, about. `iterations`: passes over all sequences at most. The bound is the sum
/// of what each minibatch was worth when it was last looked at; ends where a pass changes it by less than the
/// tolerance.
FittedPosterior fit_by_minibatches(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                   const Random& random, InferenceWatch& watch);

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
