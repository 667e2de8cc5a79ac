// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/extractor.h"

#include <gtest/gtest.h>

#include <optional>

namespace fovea::tagging {
namespace {

std::optional<std::string> extract(std::string_view name, std::string_view cell, unsigned length = 0) {
  const Extractor* extractor = find_extractor(name);
  if (extractor == nullptr) throw std::invalid_argument(std::string(name));
  std::string output = "before:";
  const bool found = extractor->extract(cell, length, output);
  EXPECT_TRUE(found || output == "before:") << "nothing may be appended when there is no extract";
  return found ? std::optional(output.substr(7)) : std::nullopt;
}

struct Case {
  const char* name;
  const char* cell;
  unsigned length;
  std::optional<std::string> expected;
};

class ExtractorTest : public ::testing::TestWithParam<Case> {};

TEST_P(ExtractorTest, ExtractsAsDocumented) {
  const Case& c = GetParam();
  EXPECT_EQ(extract(c.name, c.cell, c.length), c.expected) << c.name << " of '" << c.cell << "', length " << c.length;
}

INSTANTIATE_TEST_SUITE_P(Table, ExtractorTest,
                         ::testing::Values(  //
                             Case{"x", "McDiarmid", 0, "McDiarmid"}, Case{"x", "", 0, ""},
                             Case{"x", "\xFF\x80", 0, "\xFF\x80"}, Case{"lower", "McDiarmid", 0, "mcdiarmid"},
                             Case{"lower", "ÉLAN\xFFX", 0, "élan\xFFx"}, Case{"prefix", "McDiarmid", 2, "Mc"},
                             Case{"prefix", "Mc", 2, "Mc"}, Case{"prefix", "M", 2, std::nullopt},
                             Case{"prefix", "été", 2, "ét"}, Case{"prefix", "\xFF\xFEz", 2, "\xFF\xFE"},
                             Case{"suffix", "McDiarmid", 3, "mid"}, Case{"suffix", "mid", 3, "mid"},
                             Case{"suffix", "id", 3, std::nullopt}, Case{"suffix", "été", 2, "té"},
                             Case{"suffix", "a\xFF", 1, "\xFF"}, Case{"signature", "McDiarmid", 0, "AaAaaaaaa"},
                             Case{"signature", "Élan-20", 0, "Aaaa-00"}, Case{"signature", "a\xFF", 0, "a\xFF"},  //
                             Case{"shape", "McDiarmid", 0, "AaAa"}, Case{"shape", "banana", 0, "a"},
                             Case{"shape", "U.S.A.", 0, "A.A.A."}, Case{"shape", "1990s", 0, "0a"},
                             Case{"shape", "--", 0, "-"},  //
                             Case{"outline", "McDiarmid", 0, "AA"}, Case{"outline", "banana", 0, "a"},
                             Case{"outline", "iPhone-7s", 0, "A-0"}, Case{"digits", "1990s", 0, "0000s"},
                             Case{"digits", "none", 0, std::nullopt}, Case{"has-digit", "B2B", 0, "y"},
                             Case{"has-digit", "BB", 0, std::nullopt}, Case{"all-digits", "42", 0, "y"},
                             Case{"all-digits", "4.2", 0, std::nullopt}, Case{"all-digits", "", 0, std::nullopt},  //
                             Case{"capitalized", "Élan", 0, "y"}, Case{"capitalized", "eLan", 0, std::nullopt},
                             Case{"capitalized", "", 0, std::nullopt},  //
                             Case{"all-capitals", "UN", 0, "y"}, Case{"all-capitals", "U.N", 0, std::nullopt},
                             Case{"all-capitals", "", 0, std::nullopt}));

TEST(ExtractorTableTest, NamesAreUniqueAndFound) {
  for (const Extractor& extractor : known_extractors()) EXPECT_EQ(find_extractor(extractor.name), &extractor);
  EXPECT_EQ(find_extractor("y"), nullptr);
  EXPECT_EQ(find_extractor(""), nullptr);
}

}  // namespace
}  // namespace fovea::tagging
