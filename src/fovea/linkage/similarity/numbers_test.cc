// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/numbers.h"

#include <gtest/gtest.h>

#include <utility>

namespace fovea::linkage {
namespace {

TEST(NumbersTest, EveryForm) {
  const std::pair<const char*, double> cases[] = {{"1234.5", 1234.5},
                                                  {" 12 ", 12},
                                                  {"+5", 5},
                                                  {"-5", -5},
                                                  {".5", .5},
                                                  {"1e3", 1000},
                                                  {"1.234", 1.234},
                                                  {" 1,234.50 ", 1234.5},
                                                  {"1.234,50", 1234.5},
                                                  {"1 234,5", 1234.5},
                                                  {"1,234,567", 1234567},
                                                  {"1.234.567", 1234567},
                                                  {"1'234", 1234},
                                                  {"12 345 678", 12345678},
                                                  {"1\u202F234\u00A0567", 1234567},
                                                  {"12,5", 12.5},
                                                  {"0,125", .125},
                                                  {"1234,567", 1234.567},
                                                  {",5", .5},
                                                  {"-1.234,5", -1234.5},
                                                  {"1'234'567.89", 1234567.89}};
  for (const auto& [text, number] : cases) {
    ASSERT_TRUE(parse_number(text)) << text;
    EXPECT_DOUBLE_EQ(*parse_number(text), number) << text;
  }
}

TEST(NumbersTest, WhatHasNoMeaningOrTwo) {
  for (const char* text :
       {"",      " ",   "x",   "1,234", "12,345",  "1,23,456", "1,2345.6", "1,234.5,6", "1.2.3",
        "12 34", "- 5", "--5", "5-",    "1,234e5", "$5",       "5 %",      "1 234'567", "1 234.567'8",
        ",",     ".",   "inf", "nan",   "1e999",   "1234 567", ",234,567", "1,234,"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fovea::linkage
