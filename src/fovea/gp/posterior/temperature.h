// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/gp/data/sequences.h"
#include "fovea/gp/matrix/matrix.h"
#include "fovea/gp/posterior/fit_summary.h"

namespace fovea::gp {

/// Replaces each row of probabilities by p_j^(1 / temperature), scaled to sum 1. A temperature below 1 makes them more
/// confident, above 1 less; the likeliest label never changes (Guo et al. (2017), "On calibration of modern neural
/// networks").
void apply_temperature(double temperature, Matrix<double> marginals);

/// The temperature in [1/10, 10] at which these marginals are as confident as they are accurate: the mean of the
/// highest is the share of labels that they predict, (right + 1/2) / (items + 1) (Clarte, Loureiro, Krzakala, Zdeborova
/// (2023), "Expectation consistency for calibration of neural networks"). The maximum-likelihood temperature, which is
/// often used, is decided by the few labels that were thought all but impossible.
double calibrating_temperature(Matrix<const double> marginals, Labels labels);

/// Scores these marginals by the labels.
MarginalScore score_marginals(Matrix<const double> marginals, Labels labels);

}  // namespace fovea::gp
