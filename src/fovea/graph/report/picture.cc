// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/picture.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"

namespace fovea::graph {
namespace {

using Colour = std::array<std::uint8_t, 3>;
constexpr std::array<Colour, 8> kPalette = {{{0, 0, 0},
                                             {230, 159, 0},
                                             {86, 180, 233},
                                             {0, 158, 115},
                                             {240, 228, 66},
                                             {0, 114, 178},
                                             {213, 94, 0},
                                             {204, 121, 167}}};
constexpr Colour kHot = {165, 15, 21};
constexpr std::size_t kLeastSide = 480;

std::uint8_t mix(double a, double b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + share * (b - a)));
}

Colour colour_of(Value label) {
  Colour colour = kPalette[label % kPalette.size()];
  for (std::size_t darker = 0; darker < label / kPalette.size(); ++darker)
    for (std::uint8_t& channel : colour) channel = static_cast<std::uint8_t>(channel * 3 / 4);
  return colour;
}

Picture empty_picture(std::size_t cells, std::size_t columns) {
  FOVEA_CHECK(columns > 0 && cells % columns == 0);
  return {.rows = cells / columns, .columns = columns, .pixels = std::vector<std::uint8_t>(3 * cells)};
}

Picture enlarged(const Picture& picture) {
  const std::size_t scale =
      (kLeastSide + std::max(picture.rows, picture.columns) - 1) / std::max(picture.rows, picture.columns);
  Picture large = empty_picture(picture.rows * picture.columns * scale * scale, picture.columns * scale);
  for (std::size_t row = 0; row < large.rows; ++row)
    for (std::size_t column = 0; column < large.columns; ++column)
      std::copy_n(
          picture.pixels.begin() + static_cast<std::ptrdiff_t>(3 * ((row / scale) * picture.columns + column / scale)),
          3, large.pixels.begin() + static_cast<std::ptrdiff_t>(3 * (row * large.columns + column)));
  return large;
}

}  // namespace

Picture label_picture(std::span<const Value> labels, std::size_t columns) {
  Picture picture = empty_picture(labels.size(), columns);
  for (std::size_t i = 0; i < labels.size(); ++i) std::ranges::copy(colour_of(labels[i]), &picture.pixels[3 * i]);
  return picture;
}

Picture heat_picture(std::span<const Value> labels, std::span<const std::uint64_t> visits, std::size_t columns) {
  Picture picture = empty_picture(labels.size(), columns);
  const auto [least, most] = std::ranges::minmax_element(visits);
  const double cold = std::log1p(static_cast<double>(*least)), range = std::log1p(static_cast<double>(*most)) - cold;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Colour colour = colour_of(labels[i]);
    const double grey = (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]) / 4 + 190;
    const double heat = range > 0 ? (std::log1p(static_cast<double>(visits[i])) - cold) / range : 0;
    for (std::size_t channel = 0; channel < 3; ++channel)
      picture.pixels[3 * i + channel] = mix(grey, kHot[channel], heat);
  }
  return picture;
}

std::string png_bytes(const Picture& picture) {
  const Picture large = enlarged(picture);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(large.columns);
  image.height = static_cast<png_uint_32>(large.rows);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, large.pixels.data(), 0, nullptr) == 0)
    throw LimitError(std::string("the picture cannot be made: ") + image.message + ". Try a smaller model");
  bytes.resize(size);
  return bytes;
}

void write_png(const Picture& picture, const std::string& path) {
  const std::string bytes = png_bytes(picture);
  io::OutputFile output(path);
  output.write(bytes);
  output.finish();
}

}  // namespace fovea::graph
