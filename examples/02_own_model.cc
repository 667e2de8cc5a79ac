// SPDX-License-Identifier: Apache-2.0
// A model of your own: anything that can condition one variable on the rest can be sampled. Here, a ring of spins.
#include <cmath>
#include <cstdio>
#include <numeric>

#include "fovea/mcmc.h"

namespace {

// log p(y) = coupling * (number of equal neighbours on the ring) + const.
struct Ring {
  std::size_t size = 12;
  float coupling = 0.5f;

  std::size_t variable_count() const { return size; }
  std::size_t cardinality(fovea::VariableId) const { return 2; }
  fovea::VariableId left(fovea::VariableId v) const { return static_cast<fovea::VariableId>((v + size - 1) % size); }
  fovea::VariableId right(fovea::VariableId v) const { return static_cast<fovea::VariableId>((v + 1) % size); }
  std::vector<fovea::VariableId> markov_blanket(fovea::VariableId v) const { return {left(v), right(v)}; }
  void conditional_scores(fovea::VariableId v, const fovea::Assignment& y, std::span<float> scores) const {
    for (fovea::Value k = 0; k < 2; ++k)
      scores[k] = coupling * static_cast<float>((y[left(v)] == k) + (y[right(v)] == k));
  }
  double log_score(const fovea::Assignment& y) const {
    double equal = 0;
    for (fovea::VariableId v = 0; v < size; ++v) equal += y[v] == y[right(v)];
    return coupling * equal;
  }
};
static_assert(fovea::mcmc::ConditionalModel<Ring>);

}  // namespace

int main() {
  const Ring ring;
  const fovea::mcmc::GibbsKernel<Ring> kernel(ring);
  std::vector<fovea::VariableId> order(ring.size);
  std::iota(order.begin(), order.end(), 0u);
  fovea::mcmc::FixedSchedule schedule(order, /*sweeps=*/20000, /*batch_size=*/ring.size);
  static_assert(fovea::mcmc::kLeavesTargetInvariant<fovea::mcmc::GibbsKernel<Ring>, fovea::mcmc::FixedSchedule>);

  fovea::Random random(/*seed=*/1);
  fovea::Assignment y(ring.size);
  double equal = 0, samples = 0;
  const auto summary = fovea::mcmc::run(y, schedule, kernel, {}, random, [&](auto, const fovea::mcmc::StepInfo&) {
    equal += ring.log_score(y) / ring.coupling;
    ++samples;
  });
  // The exact value, from the transfer matrix: Z = (e^c + 1)^n + (e^c - 1)^n, and the mean is d log Z / d c.
  const double e = std::exp(double{ring.coupling}), n = static_cast<double>(ring.size);
  const double exact =
      n * e * (std::pow(e + 1, n - 1) + std::pow(e - 1, n - 1)) / (std::pow(e + 1, n) + std::pow(e - 1, n));
  std::printf("equal neighbours: %.3f sampled, %.3f exactly, %llu transitions\n", equal / samples, exact,
              static_cast<unsigned long long>(summary.work.transitions));
  return std::abs(equal / samples - exact) < 0.1 ? 0 : 1;
}
