// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/training/expectations.h"

namespace fovea::gp {

/// A natural gradient step of length rho on the sites of some items (Khan, Lin 2017): each is mixed with the Gaussian
/// that has the expected slope and curvature of the log likelihood,
///   precision <- (1 - rho) precision + rho E[-d^2 log p],
///   linear    <- (1 - rho) linear + rho (E[-d^2 log p] E[f] + E[d log p]).
/// `rows`: the items' projected features; `means`: E[f], items x |V|.
void step_sites(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means, const SiteExpectations& expectations,
                double rho, Sites& sites);

}  // namespace fovea::gp
