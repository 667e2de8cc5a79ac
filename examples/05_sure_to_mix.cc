// SPDX-License-Identifier: Apache-2.0
// A chain that is sure to mix: Gibbs sweeps over a stiff ring of spins hardly ever leave the mode they are in.
// Restarts from fair coins bound how long that can last, whatever the model is.
#include <cmath>
#include <cstdio>
#include <vector>

#include "fovea/mcmc.h"

namespace {

using Spins = std::vector<int>;  // each -1 or 1

// log p(y) = 1.5 * (sum of y_i y_(i+1) on the ring) + const.
void sweep(Spins& y, fovea::Random& random) {
  const std::size_t n = y.size();
  for (std::size_t i = 0; i < n; ++i) {
    const int around = y[(i + n - 1) % n] + y[(i + 1) % n];
    y[i] = random.bernoulli(1 / (1 + std::exp(-2 * 1.5 * around))) ? 1 : -1;
  }
}

void toss(Spins& y, fovea::Random& random) {
  for (int& spin : y) spin = random.bernoulli(.5) ? 1 : -1;
}

double share_up(const Spins& y) {
  double up = 0;
  for (const int spin : y) up += spin > 0;
  return up / static_cast<double>(y.size());
}

}  // namespace

int main() {
  auto kernel = fovea::mcmc::with_restarts(sweep, toss, /*epsilon=*/.05);
  fovea::Random random(/*seed=*/1);
  Spins y(40, 1);

  double up = 0, steps = 0;
  constexpr int kDraws = 2000;
  for (int i = 0; i < kDraws; ++i) {
    steps += static_cast<double>(kernel.draw(y, random));  // exact and independent: no burn-in
    up += share_up(y) / kDraws;
  }
  std::printf("spins up: %.3f of %d exact draws, %.1f sweeps each; by symmetry .5\n", up, kDraws, steps / kDraws);

  const fovea::mcmc::StageGraph stages =
      fovea::mcmc::StageGraph::cycle(std::vector{1., .2, .05});  // toss, warm sweeps, sweeps
  std::printf("spectral gap: at least %.3f with restarts, at least %.4f with three stages\n", kernel.epsilon(),
              fovea::mcmc::best_mixing_bound(stages).tight_gap());
  return std::abs(up - .5) < .03 && std::abs(steps / kDraws - 19) < 2 ? 0 : 1;
}
