// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_places.h"

#include <algorithm>

namespace fovea::graph {
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
