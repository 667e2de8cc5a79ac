// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "fovea/ep/density/program.h"

namespace fovea::ep {

/// Log densities of numbers x that are normal, [x]. `mean` and `sd` have a number for each, or one for all; x, too.
Node normal(Program& program, Node x, Node mean, Node sd);

/// Log densities of groups of `members` numbers x, [group][member], that are normal together: [group].
/// arguments: their means, [group][member], and covariances, [group][member][member], of which the lower triangle is
/// read. NaN where a covariance is not positive definite.
Node multi_normal(Program& program, Node x, std::span<const Node> arguments, std::size_t members);

/// Groups of numbers that are normal together: mean + L z, [group][member], with the lower triangular L L^T =
/// covariance; of z that are standard normal. Shapes as above. NaN where a covariance is not positive definite.
Node coloured(Program& program, Node z, Node mean, Node covariance, std::size_t members);

/// Log probabilities of ranks x = 1, ..., members + 1, which are known: x <= k has the log odds cut[k] - eta (McCullagh
/// 1980). arguments: eta, [x], and rising cutpoints, [x][k].
Node ordered_logistic(Program& program, Node x, std::span<const Node> arguments, std::size_t members);

}  // namespace fovea::ep
