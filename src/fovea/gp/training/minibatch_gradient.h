// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

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

}  // namespace fovea::gp
