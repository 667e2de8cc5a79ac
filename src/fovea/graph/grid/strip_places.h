// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/graph/grid/grid_model.h"

namespace fovea::graph {

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
