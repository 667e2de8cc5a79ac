// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Number of sites of one colour in one row that are visited together: the lanes of the widest vectors.
inline constexpr std::size_t kStripSites = 16;

struct GridShape {
  std::size_t rows = 1, columns = 1;
  bool is_torus = false;  ///< the last row touches the first and the last column the first; both sides must be even

  std::size_t cells() const { return rows * columns; }
  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// Direction in which a neighbour lies, seen from a site.
enum GridDirection : std::size_t { kAbove, kBelow, kLeft, kRight };

/// A pairwise model of a picture: cell (r, c), number r columns + c, touches the four cells around it,
///
///   log p(y) = sum_i unary_i(y_i) + sum_(i left of j) horizontal(y_i, y_j) + sum_(i above j) vertical(y_i, y_j) +
///   const.
///
/// Cells of one colour of the checkerboard, (r + c) mod 2, do not touch: given the other colour they are independent,
/// so a vector holds sites that are visited at once. Site j of a row's colour is its column 2j or 2j + 1; kStripSites
/// of them make a strip, the unit of all loops over grids. Scores are natural logarithms; those below kForbidden count
/// as kForbidden, so that broken hard constraints are counted and undone. Immutable, safe to read from several threads.
class GridModel {
 public:
  static constexpr float kForbidden = -1e6f;
  static constexpr std::size_t kMaxLabels = 254;

  /// unary: [cell][label], or empty for none. horizontal: [label on the left][label on the right]; vertical: [label
  /// above][label below]. Throws std::invalid_argument if a size is wrong or a torus has an odd side.
  GridModel(const GridShape& shape, std::size_t label_count, std::span<const float> unary,
            std::span<const float> horizontal, std::span<const float> vertical);

  /// Returns the same model if `graph` is a grid or torus whose variables are numbered along its lines, with one table
  /// for all edges along a line and one for all across; otherwise nothing. Takes time linear in the size of the graph.
  static std::optional<GridModel> detect(const FactorGraph& graph);

  const GridShape& shape() const { return shape_; }
  std::size_t label_count() const { return label_count_; }
  std::size_t strips_per_row() const { return strips_per_row_; }
  std::size_t strip_count() const { return 2 * shape_.rows * strips_per_row_; }

  /// Strips are numbered [colour][row][along the row].
  std::size_t strip_index(std::size_t colour, std::size_t row, std::size_t along) const {
    return (colour * shape_.rows + row) * strips_per_row_ + along;
  }
  /// The number of sites of a colour in a row.
  std::size_t sites_in_row(std::size_t colour, std::size_t row) const {
    return (shape_.columns + 1 - first_column(colour, row)) / 2;
  }
  /// The column of a row's first site of a colour: 0 or 1.
  static std::size_t first_column(std::size_t colour, std::size_t row) { return (row + colour) & 1; }

  bool has_unary() const { return unary_step_ > 0; }
  /// [label][site of the strip]
  const float* unary(std::size_t strip) const { return unary_.data() + strip * unary_step_; }
  /// pair(d, k)[m]: the score of label k at a site whose neighbour in direction d has label m; 0 for m = outside().
  const float* pair(GridDirection direction, std::size_t label) const {
    return pairs_.data() + (direction * label_count_ + label) * pair_stride();
  }
  std::size_t pair_stride() const { return row_stride(label_count_ + 1); }
  std::span<const float> pairs() const { return pairs_; }  ///< [direction][label][pair_stride()]
  /// The "label" of cells beyond the border.
  std::uint8_t outside() const { return static_cast<std::uint8_t>(label_count_); }

  /// The score of equal neighbours, if it is >= 0, other pairs score 0, and the model has no unary scores; otherwise
  /// nothing.
  std::optional<float> plain_potts() const;

  /// labels: [cell].
  double log_score(std::span<const Value> labels) const;

 private:
  float score_at(std::span<const Value> labels, std::size_t row, std::size_t column) const;

  GridShape shape_;
  std::size_t label_count_, strips_per_row_;
  std::size_t unary_step_;      // floats from strip to strip; 0: one strip of zeros serves all
  AlignedVector<float> unary_;  // [strip][label][kStripSites]
  AlignedVector<float> pairs_;  // [direction][label][pair_stride()]
};

/// A labeling of a grid in the order in which vectors read it: by colour, row and site, with a border of cells that
/// hold outside(), or copies of the opposite side of a torus.
class GridLabeling {
 public:
  /// Every cell has label 0.
  explicit GridLabeling(const GridModel& model);

  /// labels: [cell].
  void assign(const GridModel& model, std::span<const Value> labels);
  Assignment labels(const GridModel& model) const;

  /// Site 0 of a row; row -1 and row `rows` are the border, as are the sites beyond the row's ends.
  std::uint8_t* row(std::size_t colour, std::ptrdiff_t row) {
    return sites_.data() + (static_cast<std::ptrdiff_t>(colour) * height_ + row + 1) * pitch_ + kMargin;
  }
  const std::uint8_t* row(std::size_t colour, std::ptrdiff_t row) const {
    return const_cast<GridLabeling*>(this)->row(colour, row);
  }

  /// Updates the border after a row has changed; does nothing unless the grid is a torus.
  void wrap(const GridModel& model, std::size_t colour, std::size_t row);

 private:
  static constexpr std::ptrdiff_t kMargin = 16;

  std::ptrdiff_t pitch_, height_;
  AlignedVector<std::uint8_t> sites_;
};

/// Place of a strip and the strips that it touches, computed once: rounds that visit few strips would spend as much
/// time on this as on visits. Strips that touch have different colours; each is numbered here within its own.
struct StripPlace {
  std::ptrdiff_t first_site = 0;          ///< in GridLabeling, from colour 0's row 0
  std::array<std::uint32_t, 4> around{};  ///< above, below, in the same row, and the one next to that
  std::uint32_t row = 0;
  std::uint8_t sites = 0;         ///< 0 to kStripSites
  std::uint8_t first_column = 0;  ///< of the row: 0 or 1
  std::uint8_t exists = 0;        ///< bit i: around[i] exists; its number is 0 if not
  std::uint8_t side_site = 0;     ///< the one site that touches around[3]
};

/// [strip], as GridModel numbers them. `labeling` may be any of the model's.
std::vector<StripPlace> strip_places(const GridModel& model, const GridLabeling& labeling);

}  // namespace fovea::graph
