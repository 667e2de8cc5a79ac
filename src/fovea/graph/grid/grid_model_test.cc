// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/grid_model.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "tests/support/random_grid.h"

namespace fovea::graph {
namespace {

/// A grid as a factor graph: unary factors, then edges, every second of them written the other way round.
class GridGraph {
 public:
  GridGraph(const GridShape& shape, std::size_t labels) : shape_(shape), labels_(labels) {
    std::mt19937 engine(1);
    for (std::size_t cell = 0; cell < shape.cells(); ++cell) {
      const VariableId v = builder_.add_variable(labels);
      const auto scores = testing::normal_scores(labels, 1, engine);
      builder_.add_factor({{v}}, std::vector<double>(scores.begin(), scores.end()));
    }
    for (auto& table : tables_) {
      const auto scores = testing::normal_scores(labels * labels, 1, engine);
      table.assign(scores.begin(), scores.end());
    }
  }

  void add_edge(std::size_t from, std::size_t to, std::size_t across) {
    const auto a = static_cast<VariableId>(from), b = static_cast<VariableId>(to);
    is_reversed_ = !is_reversed_;
    if (!is_reversed_) builder_.add_factor({{a, b}}, tables_[across]);
    else builder_.add_factor({{b, a}}, transposed(tables_[across]));
  }
  void add_edges() {
    const auto& [rows, columns, is_torus] = shape_;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        if (is_torus || c + 1 < columns) add_edge(r * columns + c, r * columns + (c + 1) % columns, 0);
        if (is_torus || r + 1 < rows) add_edge(r * columns + c, (r + 1) % rows * columns + c, 1);
      }
  }
  FactorGraph build() { return builder_.build(); }
  FactorGraph::Builder& builder() { return builder_; }

 private:
  std::vector<double> transposed(const std::vector<double>& table) const {
    std::vector<double> other(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) other[i % labels_ * labels_ + i / labels_] = table[i];
    return other;
  }

  GridShape shape_;
  std::size_t labels_;
  FactorGraph::Builder builder_;
  std::vector<double> tables_[2];
  bool is_reversed_ = false;
};

TEST(GridModel, DetectsGridsAndScoresThemAlike) {
  std::mt19937 engine(5);
  for (const GridShape& shape : {GridShape{2, 2, false}, GridShape{3, 5, false}, GridShape{4, 37, false},
                                 GridShape{4, 6, true}, GridShape{6, 34, true}, GridShape{1, 7, false}}) {
    GridGraph made(shape, 3);
    made.add_edges();
    const FactorGraph graph = made.build();
    const std::optional<GridModel> model = GridModel::detect(graph);
    ASSERT_TRUE(model);
    EXPECT_EQ(model->shape(), shape);
    for (int draw = 0; draw < 10; ++draw) {
      Assignment labels(shape.cells());
      for (Value& label : labels) label = static_cast<Value>(engine() % 3);
      EXPECT_NEAR(model->log_score(labels), graph.log_score(labels), 1e-4);
    }
  }
}

TEST(GridModel, DetectsNothingElse) {
  const GridShape shape{3, 5, false};
  const auto detected = [&](const auto& change) {
    GridGraph made(shape, 3);
    change(made);
    return GridModel::detect(made.build()).has_value();
  };
  EXPECT_TRUE(detected([](GridGraph& made) { made.add_edges(); }));
  EXPECT_FALSE(detected([](GridGraph&) {})) << "no edges";
  EXPECT_FALSE(detected([](GridGraph& made) { made.add_edge(0, 1, 0), made.add_edge(0, 5, 1); })) << "edges missing";
  EXPECT_FALSE(detected([](GridGraph& made) { made.add_edges(), made.add_edge(3, 4, 0); })) << "an edge twice";
  EXPECT_FALSE(detected([](GridGraph& made) { made.add_edges(), made.add_edge(4, 5, 0); })) << "over a row's end";
  EXPECT_FALSE(detected([](GridGraph& made) { made.add_edges(), made.add_edge(0, 6, 0); })) << "a diagonal";
  EXPECT_FALSE(detected([](GridGraph& made) {
    made.add_edges();
    made.builder().add_variable(3);
  })) << "a cell too many";
  EXPECT_FALSE(detected([](GridGraph& made) {
    made.add_edges();
    made.builder().add_factor({{0, 1, 2}}, std::vector<double>(27));
  })) << "a factor of three";
  EXPECT_FALSE(GridModel::detect(FactorGraph())) << "an empty graph";
}

TEST(GridModel, EdgesOfDifferentTablesAreNoGridModel) {
  FactorGraph::Builder builder;
  for (int v = 0; v < 4; ++v) builder.add_variable(2);
  const std::vector<double> table = {1, 0, 0, 1}, other = {1, 0, 0, 2};
  builder.add_factor({{0, 1}}, table);
  builder.add_factor({{2, 3}}, other);
  builder.add_factor({{0, 2}}, table);
  builder.add_factor({{1, 3}}, table);
  EXPECT_FALSE(GridModel::detect(builder.build()));
}

TEST(GridModel, KnowsPlainPotts) {
  const GridShape shape{4, 4, false};
  EXPECT_EQ(testing::potts_grid(shape, 3, .7f).plain_potts(), .7f);
  EXPECT_FALSE(testing::potts_grid(shape, 3, -.7f).plain_potts());
  EXPECT_FALSE(testing::random_grid(shape, 3, 1).plain_potts());
  const std::vector<float> pair = {1, 0, 0, 2};
  EXPECT_FALSE(GridModel(shape, 2, {}, pair, pair).plain_potts());
}

TEST(GridModel, RefusesWrongSizes) {
  const std::vector<float> pair(4), unary(12 * 2);
  EXPECT_NO_THROW(GridModel({3, 4, false}, 2, unary, pair, pair));
  EXPECT_THROW(GridModel({3, 5, false}, 2, unary, pair, pair), std::invalid_argument);
  EXPECT_THROW(GridModel({3, 4, false}, 3, unary, pair, pair), std::invalid_argument);
  EXPECT_THROW(GridModel({3, 4, false}, 2, unary, pair, unary), std::invalid_argument);
  EXPECT_THROW(GridModel({3, 4, true}, 2, unary, pair, pair), std::invalid_argument);
  EXPECT_THROW(GridModel({0, 4, false}, 2, {}, pair, pair), std::invalid_argument);
  EXPECT_THROW(GridModel({3, 4, false}, 255, {}, pair, pair), std::invalid_argument);
}

TEST(GridLabeling, GivesBackWhatItWasGiven) {
  for (const GridShape& shape : {GridShape{5, 35, false}, GridShape{4, 32, true}, GridShape{4, 66, true}}) {
    const GridModel model = testing::random_grid(shape, 7, 1);
    Assignment labels(shape.cells());
    for (std::size_t cell = 0; cell < labels.size(); ++cell) labels[cell] = static_cast<Value>(cell * 31 % 7);
    GridLabeling labeling(model);
    labeling.assign(model, labels);
    EXPECT_EQ(labeling.labels(model), labels);
  }
}

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
