// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/plain_potts.h"

#include <cmath>

namespace fovea::graph {
namespace {

constexpr float kSafe = 20;  // of a logarithm: the sum over all four neighbours stays far from overflow

void set_ends(PlainPottsWeights& weights) {
  using W = PlainPottsWeights;
  for (unsigned labels = 0; labels < 256; ++labels) {  // four for each neighbour: every way to share them occurs
    const unsigned above = labels % 4, below = labels / 4 % 4, left = labels / 16 % 4, right = labels / 64;
    const bool ab = above == below, al = above == left, ar = above == right, bl = below == left, br = below == right,
               lr = left == right;
    const std::size_t partition = (ab * W::kAboveBelow + al * W::kAboveLeft + ar * W::kAboveRight + bl * W::kBelowLeft +
                                   br * W::kBelowRight + lr * W::kLeftRight) %
                                  W::kPartitions;
    float end = static_cast<float>(weights.label_count);
    weights.ends[kAbove][partition] = end += weights.excess[ab + al + ar];
    weights.ends[kBelow][partition] = end += weights.excess[ab + bl + br];
    weights.ends[kLeft][partition] = end += weights.excess[al + bl + lr];
    weights.ends[kRight][partition] = end += weights.excess[ar + br + lr];
  }
}

}  // namespace

std::optional<PlainPottsWeights> PlainPottsWeights::make(const GridModel& model, double temperature) {
  const std::optional<float> coupling = model.plain_potts();
  if (!coupling || model.label_count() > kMaxLabels) return {};
  const float strength = *coupling * static_cast<float>(1 / temperature);
  if (strength >= kSafe) return {};
  PlainPottsWeights weights;
  weights.label_count = model.label_count();
  for (int n = 1; n <= 4; ++n)
    weights.excess[n - 1] = std::expm1(strength * static_cast<float>(n)) / static_cast<float>(n);
  set_ends(weights);
  return weights;
}

}  // namespace fovea::graph
