// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/byte_count.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"

namespace fovea {
namespace {

TEST(ByteCount, ReadsDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_byte_count("--memory-limit", "4GB"), 4'000'000'000u);
  EXPECT_EQ(parse_byte_count("--memory-limit", "1.5 MB"), 1'500'000u);
  EXPECT_EQ(parse_byte_count("--memory-limit", "2 GiB"), 2u << 30);
  EXPECT_EQ(parse_byte_count("--memory-limit", "7B"), 7u);
}

TEST(ByteCount, RefusesWhatIsNoNumberOfBytes) {
  for (const char* text : {"", "4", "GB", "-1GB", "4gb", "4 GB of", "nan GB", "0.5B", "1e30GB", "99999999999 GiB"})
    EXPECT_THROW(parse_byte_count("--memory-limit", text), UsageError) << text;
}

TEST(ByteCount, IsWrittenInTheLargestUnit) {
  EXPECT_EQ(byte_count_text(0), "0 B");
  EXPECT_EQ(byte_count_text(999), "999 B");
  EXPECT_EQ(byte_count_text(1.5e9), "1.5 GB");
  EXPECT_EQ(byte_count_text(2e13), "2e+04 GB");
}

}  // namespace
}  // namespace fovea
