// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include "fovea/base/error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
namespace {

TEST(Picture, LabelsHaveColoursOfTheirOwn) {
  const Picture picture = label_picture(std::vector<Value>{0, 1, 2, 8, 9, 0}, 3);
  EXPECT_EQ(picture.rows, 2u);
  const auto pixel = [&](std::size_t i) { return std::vector(&picture.pixels[3 * i], &picture.pixels[3 * i] + 3); };
  EXPECT_EQ(pixel(0), pixel(5));
  EXPECT_NE(pixel(0), pixel(1));
  EXPECT_NE(pixel(1), pixel(4)) << "labels beyond the palette are darker";
}

TEST(Picture, HeatIsRedWhereVisitsAreMany) {
  const Picture picture = heat_picture(std::vector<Value>(3, 1), std::vector<std::uint64_t>{0, 10, 1000}, 3);
  const auto redness = [&](std::size_t i) { return picture.pixels[3 * i] - picture.pixels[3 * i + 1]; };
  EXPECT_LT(redness(0), redness(1));
  EXPECT_LT(redness(1), redness(2));
  const Picture even = heat_picture(std::vector<Value>(2, 1), std::vector<std::uint64_t>{7, 7}, 2);
  EXPECT_EQ(even.pixels[0], even.pixels[1]) << "nothing stands out";
}

TEST(Picture, PngIsReadBack) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "p.png";
  write_png(label_picture(std::vector<Value>{0, 1, 2, 3}, 2), path);
  const std::string bytes = testing::read_file(path);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.width, 480u);
  EXPECT_EQ(image.height, 480u);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_EQ(std::vector(&pixels[3 * 300], &pixels[3 * 300] + 3), (std::vector<std::uint8_t>{230, 159, 0}));
}

TEST(Picture, APathThatCannotBeWrittenIsAnInputError) {
  EXPECT_THROW(write_png(label_picture(std::vector<Value>{0}, 1), "/nowhere/p.png"), InputError);
}

}  // namespace
}  // namespace fovea::graph
