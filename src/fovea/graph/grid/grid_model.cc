// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/grid_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fovea::graph {
namespace {

float bounded(float score) { return std::max(score, GridModel::kForbidden); }

void require(bool condition, const char* rule) {
  if (!condition) throw std::invalid_argument(fmt::format("not a grid model: {}", rule));
}

}  // namespace

GridModel::GridModel(const GridShape& shape, std::size_t label_count, std::span<const float> unary,
                     std::span<const float> horizontal, std::span<const float> vertical)
    : shape_(shape),
      label_count_(label_count),
      strips_per_row_(((shape.columns + 1) / 2 + kStripSites - 1) / kStripSites),
      unary_step_(unary.empty() ? 0 : label_count * kStripSites) {
  require(shape.rows > 0 && shape.columns > 0, "it has no cells");
  require(label_count > 0 && label_count <= kMaxLabels, "cells have 1 to 254 labels");
  require(!shape.is_torus || (shape.rows % 2 == 0 && shape.columns % 2 == 0), "a torus has even sides");
  require(unary.empty() || unary.size() == shape.cells() * label_count, "unary scores: one for each cell and label");
  require(horizontal.size() == label_count * label_count && vertical.size() == horizontal.size(),
          "pair scores: one for each pair of labels");
  pairs_.resize(4 * label_count * pair_stride());
  for (std::size_t a = 0; a < label_count; ++a)
    for (std::size_t b = 0; b < label_count; ++b) {
      const auto at = [&](GridDirection direction, std::size_t k, std::size_t neighbour) -> float& {
        return pairs_[(direction * label_count + k) * pair_stride() + neighbour];
      };
      at(kRight, a, b) = at(kLeft, b, a) = bounded(horizontal[a * label_count + b]);
      at(kBelow, a, b) = at(kAbove, b, a) = bounded(vertical[a * label_count + b]);
    }
  unary_.resize(unary.empty() ? label_count * kStripSites : strip_count() * unary_step_);
  for (std::size_t cell = 0; cell * label_count < unary.size(); ++cell) {
    const std::size_t row = cell / shape.columns, column = cell % shape.columns, site = column / 2;
    float* strip = unary_.data() + strip_index((row + column) & 1, row, site / kStripSites) * unary_step_;
    for (std::size_t k = 0; k < label_count; ++k)
      strip[k * kStripSites + site % kStripSites] = bounded(unary[cell * label_count + k]);
  }
}

std::optional<float> GridModel::plain_potts() const {
  if (has_unary() || label_count_ < 2) return std::nullopt;
  const float score = pair(kAbove, 0)[0];
  for (std::size_t d = kAbove; d <= kRight; ++d)
    for (std::size_t k = 0; k < label_count_; ++k)
      for (std::size_t m = 0; m < label_count_; ++m)
        if (pair(static_cast<GridDirection>(d), k)[m] != (k == m ? score : 0)) return std::nullopt;
  return score >= 0 ? std::optional(score) : std::nullopt;
}

float GridModel::score_at(std::span<const Value> labels, std::size_t row, std::size_t column) const {
  const std::size_t site = column / 2, strip = strip_index((row + column) & 1, row, site / kStripSites);
  const std::size_t label = labels[row * shape_.columns + column];
  float score = unary(strip)[label * kStripSites + site % kStripSites];
  if (shape_.is_torus || column + 1 < shape_.columns)
    score += pair(kRight, label)[labels[row * shape_.columns + (column + 1) % shape_.columns]];
  if (shape_.is_torus || row + 1 < shape_.rows)
    score += pair(kBelow, label)[labels[(row + 1) % shape_.rows * shape_.columns + column]];
  return score;
}

double GridModel::log_score(std::span<const Value> labels) const {
  double score = 0;
  for (std::size_t row = 0; row < shape_.rows; ++row)
    for (std::size_t column = 0; column < shape_.columns; ++column)
      score += static_cast<double>(score_at(labels, row, column));
  return score;
}

GridLabeling::GridLabeling(const GridModel& model)
    : pitch_(static_cast<std::ptrdiff_t>(model.strips_per_row() * kStripSites) + 2 * kMargin),
      height_(static_cast<std::ptrdiff_t>(model.shape().rows) + 2),
      sites_(static_cast<std::size_t>(2 * height_ * pitch_), model.outside()) {
  assign(model, Assignment(model.shape().cells()));
}

void GridLabeling::assign(const GridModel& model, std::span<const Value> labels) {
  const auto& [rows, columns, is_torus] = model.shape();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      row((r + c) & 1, static_cast<std::ptrdiff_t>(r))[c / 2] = static_cast<std::uint8_t>(labels[r * columns + c]);
    for (const std::size_t colour : {0u, 1u}) wrap(model, colour, r);
  }
}

Assignment GridLabeling::labels(const GridModel& model) const {
  const auto& [rows, columns, is_torus] = model.shape();
  Assignment labels(rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      labels[r * columns + c] = row((r + c) & 1, static_cast<std::ptrdiff_t>(r))[c / 2];
  return labels;
}

void GridLabeling::wrap(const GridModel& model, std::size_t colour, std::size_t r) {
  if (!model.shape().is_torus) return;
  const auto rows = static_cast<std::ptrdiff_t>(model.shape().rows), at = static_cast<std::ptrdiff_t>(r);
  const auto count = static_cast<std::ptrdiff_t>(model.shape().columns / 2);
  std::uint8_t* own = row(colour, at);
  own[-1] = own[count - 1];
  own[count] = own[0];
  if (at == 0) std::copy_n(own, count, row(colour, rows));
  if (at == rows - 1) std::copy_n(own, count, row(colour, -1));
}

namespace {

/// Numbers of strips within the other colour; on a torus both ends of a line are neighbours.
class Surroundings {
 public:
  explicit Surroundings(const GridModel& model) : shape_(model.shape()), strips_per_row_(model.strips_per_row()) {}

  void add_to(StripPlace& place, std::size_t along) const {
    const std::size_t row = place.row;
    if (row > 0 || shape_.is_torus) add(place, 0, (row > 0 ? row : shape_.rows) - 1, along);
    if (row + 1 < shape_.rows || shape_.is_torus) add(place, 1, row + 1 < shape_.rows ? row + 1 : 0, along);
    add(place, 2, row, along);
    if (place.first_column == 0) {
      if (along > 0 || shape_.is_torus) add(place, 3, row, (along > 0 ? along : strips_per_row_) - 1);
    } else {
      place.side_site = static_cast<std::uint8_t>(std::max<int>(place.sites, 1) - 1);
      if (along + 1 < strips_per_row_ || shape_.is_torus)
        add(place, 3, row, along + 1 < strips_per_row_ ? along + 1 : 0);
    }
  }

 private:
  void add(StripPlace& place, std::size_t i, std::size_t row, std::size_t along) const {
    place.around[i] = static_cast<std::uint32_t>(row * strips_per_row_ + along);
    place.exists = static_cast<std::uint8_t>(place.exists | 1u << i);
  }

  GridShape shape_;
  std::size_t strips_per_row_;
};

}  // namespace

std::vector<StripPlace> strip_places(const GridModel& model, const GridLabeling& labeling) {
  const Surroundings surroundings(model);
  std::vector<StripPlace> places;
  places.reserve(model.strip_count());
  for (std::size_t colour = 0; colour < 2; ++colour)
    for (std::size_t row = 0; row < model.shape().rows; ++row)
      for (std::size_t along = 0; along < model.strips_per_row(); ++along) {
        const std::size_t first = along * kStripSites, sites = model.sites_in_row(colour, row);
        StripPlace place = {
            .first_site = labeling.row(colour, static_cast<std::ptrdiff_t>(row)) + first - labeling.row(0, 0),
            .row = static_cast<std::uint32_t>(row),
            .sites = static_cast<std::uint8_t>(std::min(std::max(sites, first) - first, kStripSites)),
            .first_column = static_cast<std::uint8_t>(GridModel::first_column(colour, row))};
        surroundings.add_to(place, along);
        places.push_back(place);
      }
  return places;
}

}  // namespace fovea::graph
