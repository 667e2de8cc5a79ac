// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/assignment.h"

namespace fovea::graph {

/// A picture of `rows` x `columns` cells, 24-bit colour, rows from the top.
struct Picture {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels = {};  ///< [row][column][red, green, blue]
};

/// Draws labels in colours that are easy to tell apart, also for the colour-blind (after Okabe and Ito); beyond eight
/// they repeat, darker.
Picture label_picture(std::span<const Value> labels, std::size_t columns);

/// Draws where the work went: the labels pale in grey, and over them, from transparent to dark red, the logarithm of
/// the visits of each cell. `visits` is parallel to `labels`.
Picture heat_picture(std::span<const Value> labels, std::span<const std::uint64_t> visits, std::size_t columns);

/// The picture as PNG, each cell enlarged to the same whole number of pixels so that the longer side has 480 pixels or
/// more. Throws LimitError if it would be too large.
std::string png_bytes(const Picture& picture);

/// Writes the same. Written whole or not at all; throws InputError if the file cannot be written.
void write_png(const Picture& picture, const std::string& path);

}  // namespace fovea::graph
