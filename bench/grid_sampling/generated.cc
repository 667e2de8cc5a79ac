// SPDX-License-Identifier: Apache-2.0
#include "bench/grid_sampling/generated.h"

#include <fmt/format.h>

namespace fovea::bench {
namespace {

constexpr GridShape kShape = {.rows = 80, .columns = 96};

/// [cell]: discs of random colours, the later ones on top of the earlier ones.
std::vector<std::size_t> draw_discs(std::size_t colours, Random random) {
  std::vector<std::size_t> picture(kShape.cells());
  for (int disc = 0; disc < 12; ++disc) {
    const int row = static_cast<int>(random.uniform_index(kShape.rows));
    const int column = static_cast<int>(random.uniform_index(kShape.columns));
    const int radius = 5 + static_cast<int>(random.uniform_index(20));
    const std::size_t colour = random.uniform_index(static_cast<std::uint32_t>(colours));
    for (std::size_t cell = 0; cell < picture.size(); ++cell) {
      const int down = static_cast<int>(cell / kShape.columns) - row;
      const int across = static_cast<int>(cell % kShape.columns) - column;
      if (down * down + across * across < radius * radius) picture[cell] = colour;
    }
  }
  return picture;
}

std::vector<float> random_field(std::size_t labels, Random random) {
  std::vector<float> unary(kShape.cells() * labels);
  for (float& score : unary) score = static_cast<float>(random.normal());
  return unary;
}

/// A pixel shows its colour, or with probability 3/10 any.
std::vector<float> noisy_picture(std::size_t labels, Random random) {
  const std::vector<std::size_t> picture = draw_discs(labels, random.child("discs"));
  std::vector<float> unary(kShape.cells() * labels);
  for (std::size_t cell = 0; cell < picture.size(); ++cell) {
    const std::size_t shown =
        random.bernoulli(.3) ? random.uniform_index(static_cast<std::uint32_t>(labels)) : picture[cell];
    unary[cell * labels + shown] = 1.2f;
  }
  return unary;
}

/// Columns in thirds: in the middle one colours are unknown, elsewhere a pixel in eight has a certain colour.
std::vector<float> holes(std::size_t labels, Random random) {
  constexpr float kCertain = 50;
  const std::vector<std::size_t> picture = draw_discs(labels, random.child("discs"));
  std::vector<float> unary(kShape.cells() * labels);
  for (std::size_t cell = 0; cell < picture.size(); ++cell)
    if (cell % kShape.columns * 3 / kShape.columns != 1)
      unary[cell * labels + picture[cell]] = random.bernoulli(.125) ? kCertain : .5f;
  return unary;
}

TuningGrid make(const std::string& family, std::size_t index, const Random& random) {
  const std::size_t labels = 3 + index % 4;
  const float coupling = index % 2 ? 1.0f : 0.8f;
  std::vector<float> pair(labels * labels);
  for (std::size_t k = 0; k < labels; ++k) pair[k * (labels + 1)] = coupling;
  const std::vector<float> unary = family == "random fields"    ? random_field(labels, random)
                                   : family == "noisy pictures" ? noisy_picture(labels, random)
                                                                : holes(labels, random);
  const auto scale = static_cast<double>(coupling);
  return {.model = GridModel(kShape, labels, unary, pair, pair),
          .plan = {.hottest = .9 * scale, .coldest = scale / 16, .rounds = 600},
          .source = fmt::format("generated: {}, {} labels, coupling {}, number {}", family, labels, coupling, index)};
}

}  // namespace

std::vector<std::string> grid_families() { return {"random fields", "noisy pictures", "holes"}; }

std::vector<TuningGrid> generated_grids(const std::string& family, std::size_t count, const Random& random) {
  std::vector<TuningGrid> grids;
  for (std::size_t i = 0; i < count; ++i) grids.push_back(make(family, i, random.child(family, i)));
  return grids;
}

}  // namespace fovea::bench
