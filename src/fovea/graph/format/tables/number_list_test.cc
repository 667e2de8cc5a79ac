// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/number_list.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fovea/base/log_math.h"
#include "tests/support/same_graph.h"

namespace fovea::graph {
namespace {

std::string exponential(double log_value) {
  std::string text;
  append_exponential(text, log_value);
  return text;
}

TEST(LogNumberTest, ReadsDecimals) {
  EXPECT_EQ(log_of_decimal("1"), 0);
  EXPECT_EQ(log_of_decimal("+0.25"), std::log(0.25));
  for (const char* zero : {"0", "0.000", "-0", "0e5", "0e-999"}) EXPECT_EQ(log_of_decimal(zero), -kInfinity) << zero;
  EXPECT_EQ(log_of_decimal("inf"), kInfinity);
  for (const char* bad : {"", "-1", "nan", "x", "1x", "+-1", "-1e-999", "1e", "1e9999999999999999999999", "-inf"})
    EXPECT_TRUE(std::isnan(log_of_decimal(bad))) << bad;
}

TEST(LogNumberTest, ReadsDecimalsThatAreNoDoubles) {
  EXPECT_TRUE(testing::same_score(log_of_decimal("2e-400"), std::log(2) - 400 * std::log(10), 1e-15));
  EXPECT_TRUE(testing::same_score(log_of_decimal("2E+5000"), std::log(2) + 5000 * std::log(10), 1e-15));
  EXPECT_TRUE(testing::same_score(log_of_decimal("0." + std::string(399, '0') + "1"), -400 * std::log(10), 1e-15));
}

TEST(LogNumberTest, WritesTheShortDecimalThatWasRead) {
  for (const char* text : {"0", "1", "0.3", "0.1", "1e-05", "0.999999", "0.123456789012", "1.5e-200", "20", "100000"})
    EXPECT_EQ(exponential(log_of_decimal(text)), text);
}

RC_GTEST_PROP(LogNumberProperty, LogarithmsSurvive, (std::int32_t raw)) {
  const double log_value = raw * 1e-5;  // up to 2e4: far beyond doubles
  RC_ASSERT(testing::same_score(log_of_decimal(exponential(log_value)), log_value, 3e-16));
}

TEST(LogNumberTest, ExtremeLogarithmsSurvive) {
  for (const double log_value : {-1e6, -12345.678, -745.2, -740.0, -715.87631, -700.1, -699.9, 1e-9, 709.9, 1e5, 1e15})
    EXPECT_TRUE(testing::same_score(log_of_decimal(exponential(log_value)), log_value, 1e-15)) << log_value;
}

}  // namespace
}  // namespace fovea::graph
