// SPDX-License-Identifier: Apache-2.0
// Draws and marginals of discrete models come from chains that leave the model's law invariant.
// refused: constraints not satisfied|no matching function
#include "fovea/graph/colour/target_chain.h"

struct Chain {
#if FOVEA_MISUSE
  using TargetLaw = fovea::Heuristic;
#else
  using TargetLaw = fovea::mcmc::Invariant;
#endif
  bool sweep(std::size_t, int, const fovea::Stop&) { return true; }
  const fovea::Assignment& values() const { return labels; }
  fovea::Assignment labels;
};

fovea::graph::TargetChain made() { return fovea::graph::TargetChain(Chain()); }
