// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_places.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/support/random_grid.h"

namespace fovea::graph {
namespace {

struct Cell {
  std::size_t row, column;
};

/// The cell's neighbour in a direction; nothing beyond the border.
std::optional<Cell> step(const GridShape& shape, Cell cell, GridDirection direction) {
  std::size_t& moved = direction == kAbove || direction == kBelow ? cell.row : cell.column;
  const std::size_t end = &moved == &cell.row ? shape.rows : shape.columns;
  const bool is_back = direction == kAbove || direction == kLeft;
  if (!shape.is_torus && (is_back ? moved == 0 : moved + 1 == end)) return {};
  moved = (moved + (is_back ? end - 1 : 1)) % end;
  return cell;
}

/// Every neighbour of every site lies in the strip that is named for it.
void expect_places_of(const GridShape& shape) {
  const GridModel model = testing::random_grid(shape, 2, 1);
  const GridLabeling labeling(model);
  const std::vector<StripPlace> places = strip_places(model, labeling);
  ASSERT_EQ(places.size(), model.strip_count());
  std::size_t sites = 0;
  for (const StripPlace& place : places) sites += place.sites;
  EXPECT_EQ(sites, shape.cells());
  for (std::size_t row = 0; row < shape.rows; ++row)
    for (std::size_t column = 0; column < shape.columns; ++column) {
      const std::size_t colour = (row + column) & 1, along = column / 2 / kStripSites, site = column / 2 % kStripSites;
      const StripPlace& place = places[model.strip_index(colour, row, along)];
      EXPECT_EQ(place.row, row);
      EXPECT_EQ(labeling.row(0, 0) + place.first_site + site,
                labeling.row(colour, static_cast<std::ptrdiff_t>(row)) + column / 2);
      for (const GridDirection direction : {kAbove, kBelow, kLeft, kRight}) {
        const std::optional<Cell> cell = step(shape, {row, column}, direction);
        if (!cell) continue;
        const std::size_t touched = cell->row * model.strips_per_row() + cell->column / 2 / kStripSites;
        const auto is = [&](std::size_t i) { return (place.exists >> i & 1) != 0 && place.around[i] == touched; };
        if (direction == kAbove) EXPECT_TRUE(is(0));
        else if (direction == kBelow) EXPECT_TRUE(is(1));
        else EXPECT_TRUE(is(2) || (is(3) && site == place.side_site)) << row << ' ' << column;
      }
    }
}

TEST(StripPlaces, NameTheStripsAroundEverySite) {
  expect_places_of({.rows = 3, .columns = 2});
  expect_places_of({.rows = 4, .columns = 33});  // a row's last strip may have no site of a colour
  expect_places_of({.rows = 2, .columns = 70});
  expect_places_of({.rows = 4, .columns = 70, .is_torus = true});
  expect_places_of({.rows = 2, .columns = 20, .is_torus = true});
}

}  // namespace
}  // namespace fovea::graph
