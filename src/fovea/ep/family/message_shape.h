// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/ep/family/message.h"

namespace fovea::ep {

/// A scalar message as two numbers over all reals, on which factors act smoothly: its location, and the log of its
/// width there.
///
///   Gaussian   mean               log standard deviation
///   Gamma      log mean           -log(shape) / 2, about the standard deviation of log x
///   Beta       logit of the mean  -log(total mean (1 - mean)) / 2, about the standard deviation of logit x
///   Bernoulli  log odds           0
///   Poisson    log rate           0
///   Point      value              0
struct MessageShape {
  double location = 0, log_spread = 0;
};

/// Number of components that carry information: 2, 1 (the location), or 0 for messages that are not scalar.
std::size_t shape_size(const Message& message);
/// Shape of a proper message.
MessageShape shape_of(const Message& message);
/// The value of a variable of `like`'s family at this location: the location itself, its exponential or its inverse
/// logit.
double value_at(const Message& like, double location);
/// The message of `like`'s family with this shape; improper if the shape is too large for its parameters.
Message message_of(const Message& like, const MessageShape& shape);

}  // namespace fovea::ep
