// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

#include "fovea/ep/family/message.h"

namespace fovea::ep {

/// The message of `like`'s family that carries no information: a child has no prior other than its factor's.
inline Message uniform_of(const Message& like) { return quotient(like, like); }

/// True if a variable of this family can have this value; never for a vector or a known variable.
inline bool can_be(const Message& family, double value) {
  return std::visit(
      [&]<class F>(const F& message) {
        const bool is_whole = value >= 0 && value == std::floor(value);
        if constexpr (std::is_same_v<F, Gaussian>) return true;
        else if constexpr (std::is_same_v<F, Gamma>) return value > 0;
        else if constexpr (std::is_same_v<F, Beta>) return value > 0 && value < 1;
        else if constexpr (std::is_same_v<F, Bernoulli>) return value == 0 || value == 1;
        else if constexpr (std::is_same_v<F, Poisson>) return is_whole;
        else if constexpr (std::is_same_v<F, Categorical>)
          return is_whole && value < static_cast<double>(message.natural.size());
        else return false;
      },
      family);
}

}  // namespace fovea::ep
