// SPDX-License-Identifier: Apache-2.0
#include "bench/grid_sampling/generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fovea::bench {
namespace {

constexpr graph::GridShape kShape = {.rows = 80, .columns = 96};
constexpr float kCertain = 50;

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
  const std::vector<std::size_t> picture = draw_discs(labels, random.child("discs"));
  std::vector<float> unary(kShape.cells() * labels);
  for (std::size_t cell = 0; cell < picture.size(); ++cell)
    if (cell % kShape.columns * 3 / kShape.columns != 1)
      unary[cell * labels + picture[cell]] = random.bernoulli(.125) ? kCertain : .5f;
  return unary;
}

/// A disc in the middle has unknown colours; all around it colours are certain.
std::vector<float> hidden_disc(std::size_t labels, Random random) {
  const std::vector<std::size_t> picture = draw_discs(labels, random.child("discs"));
  const int row = 30 + static_cast<int>(random.uniform_index(20));
  const int column = 35 + static_cast<int>(random.uniform_index(26));
  const int radius = 18 + static_cast<int>(random.uniform_index(12));
  std::vector<float> unary(kShape.cells() * labels);
  for (std::size_t cell = 0; cell < picture.size(); ++cell) {
    const int down = static_cast<int>(cell / kShape.columns) - row;
    const int across = static_cast<int>(cell % kShape.columns) - column;
    if (down * down + across * across >= radius * radius) unary[cell * labels + picture[cell]] = kCertain;
  }
  return unary;
}

/// What two labels cost that differ by `steps`: stereo's truncated line, from 0 to 1.
double truncated(double steps) { return std::min(std::abs(steps), 3.0) / 3; }

/// A pixel shows its depth, a little off, or with probability 1/5 any.
std::vector<float> noisy_depths(std::size_t labels, Random random) {
  const std::vector<std::size_t> picture = draw_discs(labels, random.child("discs"));
  std::vector<float> unary(kShape.cells() * labels);
  for (std::size_t cell = 0; cell < picture.size(); ++cell) {
    const double shown = random.bernoulli(.2) ? random.uniform_index(static_cast<std::uint32_t>(labels))
                                              : static_cast<double>(picture[cell]) + .7 * random.normal();
    for (std::size_t k = 0; k < labels; ++k)
      unary[cell * labels + k] = static_cast<float>(-truncated(static_cast<double>(k) - shown));
  }
  return unary;
}

/// What sets a family apart. Annealings are short enough for their length to matter.
struct Family {
  const char* name;
  std::vector<float> (*unary)(std::size_t labels, Random random);
  std::uint32_t rounds;
  bool has_steps = false;  ///< pair scores fall with the difference of the labels
};

constexpr Family kFamilies[] = {{.name = "random fields", .unary = random_field, .rounds = 300},
                                {.name = "noisy pictures", .unary = noisy_picture, .rounds = 60},
                                {.name = "holes", .unary = holes, .rounds = 300},
                                {.name = "hidden discs", .unary = hidden_disc, .rounds = 300},
                                {.name = "depths", .unary = noisy_depths, .rounds = 90, .has_steps = true}};

graph::TuningGrid make(const Family& family, std::size_t index, const Random& random) {
  const std::size_t labels = family.has_steps ? 8 + 4 * (index % 3) : 3 + index % 4;
  const double coupling = index % 2 ? 1 : .8;
  std::vector<float> pair(labels * labels);
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) {
      const double difference = static_cast<double>(a) - static_cast<double>(b);
      const double score = family.has_steps ? -truncated(difference) : static_cast<double>(a == b);
      pair[a * labels + b] = static_cast<float>(coupling * score);
    }
  return {
      .model = graph::GridModel(kShape, labels, family.unary(labels, random), pair, pair),
      .plan = {.hottest = .9 * coupling, .coldest = coupling / 16, .rounds = family.rounds},
      .source = fmt::format("generated: {}, {} labels, coupling {}, number {}", family.name, labels, coupling, index)};
}

}  // namespace

std::vector<std::string> grid_families() {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) names.emplace_back(family.name);
  return names;
}

std::vector<graph::TuningGrid> generated_grids(const std::string& family, std::size_t count, const Random& random) {
  std::vector<graph::TuningGrid> grids;
  for (const Family& known : kFamilies)
    if (known.name == family)
      for (std::size_t i = 0; i < count; ++i) grids.push_back(make(known, i, random.child(family, i)));
  return grids;
}

}  // namespace fovea::bench
