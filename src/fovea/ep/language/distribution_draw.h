// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/random.h"
#include "fovea/ep/language/drawn_from.h"

namespace fovea::ep {

/// Draws one number. `arguments`: of the distribution; those over a plate stand one after the other, with a number for
/// each member. Categories and ranks are numbered from 1 on. NaN if the distribution has no such arguments, as a
/// negative standard deviation, if its integral is infinite (flat), or if nothing lies within its bounds.
///
/// Bounds are met by drawing again, at most 10,000 times; those of a normal distribution may be anywhere.
double draw_number(const DrawnFrom& from, std::span<const double> arguments, Random& random);

/// Draws the probabilities of a Dirichlet distribution; NaN for arguments that are not positive.
void draw_simplex(std::span<const double> concentrations, Random& random, std::span<double> shares);

/// True if draw_number() knows the distribution of this name.
bool can_draw_number(std::string_view distribution);

}  // namespace fovea::ep
