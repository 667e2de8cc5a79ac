// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/keyboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea::gestures {
namespace {

Key key(char letter) { return static_cast<Key>(letter - 'a'); }

TEST(Keyboard, KeysAreWhereTheirCentresAre) {
  for (Key k = 0; k < kKeyCount; ++k) EXPECT_EQ(key_at(key_centre(k)), k) << letters_of({k});
  EXPECT_EQ(key_at({.x = -5, .y = -5}), key('q'));
  EXPECT_EQ(key_at({.x = 50, .y = 0}), key('p'));
}

TEST(Keyboard, RowsAreAKeyApartAndShifted) {
  EXPECT_FLOAT_EQ(key_centre(key('w')).x - key_centre(key('q')).x, 1);
  EXPECT_FLOAT_EQ(key_centre(key('a')).x - key_centre(key('q')).x, .5F);
  EXPECT_FLOAT_EQ(key_centre(key('z')).x - key_centre(key('q')).x, 1.5F);
  EXPECT_NEAR(key_centre(key('a')).y - key_centre(key('q')).y, 1, .05);
}

TEST(Keyboard, NearKeysAreInTheOrderOfTheAlphabet) {
  EXPECT_EQ(letters_of(keys_near(key('q'), 1.2F)), "aqw");
  EXPECT_EQ(letters_of(keys_near(key('g'), 0)), "g");
  EXPECT_EQ(keys_near(key('g'), 100).size(), 26U);
}

TEST(Keyboard, WordsAreLettersAlone) {
  EXPECT_TRUE(is_typed_by_letters("word"));
  for (const char* word : {"", "Word", "wo rd", "n\xc3\xa4he", "it's"}) {
    EXPECT_FALSE(is_typed_by_letters(word)) << word;
    EXPECT_THAT(testing::message_of<InputError>([&] { keys_of(word, {.file = "words.tsv", .line = 3}); }),
                ::testing::HasSubstr("words.tsv:3"));
  }
  EXPECT_EQ(letters_of(keys_of("azerty", {})), "azerty");
}

}  // namespace
}  // namespace fovea::gestures
