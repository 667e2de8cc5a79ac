// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/mixing.h"

namespace fovea::mcmc {

Mixing mixing_of(double r_hat, double effective_draws, bool has_moved) {
  if (r_hat > kMixedRHat) return Mixing::kNotMixed;
  if (!has_moved || !(effective_draws >= kFewestEffectiveDraws) || !(r_hat <= kMixedRHat)) return Mixing::kCannotTell;
  return Mixing::kMixed;
}

const char* name_of(Mixing mixing) {
  switch (mixing) {
    case Mixing::kMixed:
      return "mixed";
    case Mixing::kNotMixed:
      return "not mixed";
    case Mixing::kCannotTell:
      break;
  }
  return "cannot tell";
}

}  // namespace fovea::mcmc
