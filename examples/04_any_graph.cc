// SPDX-License-Identifier: Apache-2.0
// Any discrete model under a deadline: a noisy picture of 10 x 10 pixels, three questions about it.
#include <cmath>
#include <cstdio>
#include <vector>

#include "fovea/graph.h"

namespace {

constexpr std::size_t kSide = 10;

fovea::VariableId pixel(std::size_t row, std::size_t column) {
  return static_cast<fovea::VariableId>(row * kSide + column);
}

// log p(y) = .8 for each pixel that equals its observation, .5 for each pair of equal neighbours, + const.
fovea::graph::FactorGraph noisy_picture() {
  fovea::graph::FactorGraph::Builder builder;
  for (std::size_t p = 0; p < kSide * kSide; ++p) builder.add_variable(/*cardinality=*/2);
  const std::vector<double> light = {0, .8}, dark = {.8, 0};
  const fovea::graph::TableId as_light = builder.add_table(light), as_dark = builder.add_table(dark);
  const std::vector<double> potts = {.5, 0, 0, .5};
  const fovea::graph::TableId equal = builder.add_table(potts);  // all pairs share it
  fovea::Random noise(/*seed=*/1);
  for (std::size_t row = 0; row < kSide; ++row)
    for (std::size_t column = 0; column < kSide; ++column) {
      const fovea::VariableId here = pixel(row, column);
      const bool is_light = (column >= kSide / 2) != noise.bernoulli(.2);
      builder.add_factor(std::vector{here}, is_light ? as_light : as_dark);
      if (column + 1 < kSide) builder.add_factor(std::vector{here, pixel(row, column + 1)}, equal);
      if (row + 1 < kSide) builder.add_factor(std::vector{here, pixel(row + 1, column)}, equal);
    }
  return builder.build();
}

}  // namespace

int main() {
  const fovea::graph::FactorGraph graph = noisy_picture();
  const fovea::Run run = {.stop = fovea::Stop().within(/*seconds=*/10)};

  const fovea::graph::MapResult map = fovea::graph::solve_map(graph, {}, {}, run);
  for (std::size_t p = 0; p < kSide * kSide; ++p)
    std::printf("%c%s", map.best.values[p] ? '#' : '.', (p + 1) % kSide ? "" : "\n");
  std::printf("log score %.3f, at most %.3f is possible (%s)\n", map.best.score, map.bound, map.method.c_str());

  const double light = fovea::graph::solve_marginals(graph, {}, {}, run).marginals[pixel(0, 5)][1];

  // The same probability: the share of the partition function that is left when the pixel is observed.
  const fovea::graph::Evidence observed = {{.variable = pixel(0, 5), .value = 1}};
  const double all = fovea::graph::solve_partition(graph, {}, {}, run).log_partition;
  const double some = fovea::graph::solve_partition(graph, observed, {}, run).log_partition;
  const double share = std::exp(some - all);
  std::printf("P(pixel 5 of row 0 is light) = %.9f, and by partition functions %.9f\n", light, share);
  return map.gap() < 1e-9 && std::abs(light - share) < 1e-9 ? 0 : 1;
}
