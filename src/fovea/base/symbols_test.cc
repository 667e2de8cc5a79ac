// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/symbols.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>

#include "fovea/base/utf8.h"
#include "tests/support/any_text.h"

namespace fovea::internal {
namespace {

TEST(SymbolsTest, AsciiIsToldFromTheRestAtEveryPosition) {
  EXPECT_TRUE(is_ascii(""));
  for (std::size_t size = 1; size < 40; ++size) {
    EXPECT_TRUE(is_ascii(std::string(size, '\x7F')));
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      text[at] = '\x80';
      EXPECT_FALSE(is_ascii(text)) << size << " " << at;
    }
  }
}

RC_GTEST_PROP(SymbolsTest, SymbolsAreEqualWhereCharactersAre, ()) {
  auto [a, b] = testing::any_texts();
  if (a.size() == b.size()) b += U'x';  // else the order is not given
  const std::u32string &few = a.size() < b.size() ? a : b, &many = a.size() < b.size() ? b : a;
  with_symbols(testing::to_utf8(a), testing::to_utf8(b), [&](auto shorter, auto longer, std::size_t alphabet) {
    RC_ASSERT(shorter.size() == few.size() && longer.size() == many.size());
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      RC_ASSERT(shorter[i] < alphabet && longer[i] < alphabet);
      for (std::size_t j = 0; j < longer.size(); ++j) RC_ASSERT((shorter[i] == longer[j]) == (few[i] == many[j]));
    }
  });
}

RC_GTEST_PROP(SymbolsTest, LongPositionsAreShortOnesSideBySide, ()) {
  const auto text = *rc::gen::container<std::vector<unsigned char>>(150, rc::gen::inRange<unsigned char>(0, 4));
  const std::span<const unsigned char> pattern = text;
  const LongSymbolPositions positions(pattern, 4);
  for (std::size_t word = 0; word < 3; ++word) {
    const auto part = pattern.subspan(64 * word, std::min<std::size_t>(64, pattern.size() - 64 * word));
    const SymbolPositions expected(part, pattern);
    for (std::size_t symbol : pattern) RC_ASSERT(positions(symbol, word) == expected(symbol));
  }
}

}  // namespace
}  // namespace fovea::internal
