// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/word_trie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gestures {
namespace {

TEST(WordTrieTest, KnowsWordsAndPrefixes) {
  const WordTrie trie({{"to", 6}, {"tea", 3}, {"ten", 1}, {"a", 2}});
  EXPECT_EQ(trie.nodes().size(), 7U);
  EXPECT_EQ(trie.find_word("tea"), 1U);
  EXPECT_EQ(trie.find_word("te"), WordTrie::kNone);
  EXPECT_EQ(trie.find_word("tent"), WordTrie::kNone);
  EXPECT_EQ(trie.find_word("don't"), WordTrie::kNone);
  const std::uint32_t te = trie.find(keys_of("te", {}));
  ASSERT_NE(te, WordTrie::kNone);
  EXPECT_EQ(trie.child(te, 'n' - 'a'), trie.find(keys_of("ten", {})));
  EXPECT_EQ(trie.child(te, 'b' - 'a'), WordTrie::kNone);
  EXPECT_EQ(trie.child(WordTrie::kNone, 0), WordTrie::kNone);
  EXPECT_NEAR(trie.log_frequency(0), std::log(.5), 1e-6);
  EXPECT_NEAR(trie.nodes()[te].best_below, std::log(.25), 1e-6);
}

using testing::TemporaryFolder;

std::string refusal_of_words(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "words.tsv") << text;
  return testing::message_of<InputError>([&] { read_words(folder / "words.tsv"); });
}

TEST(ReadWordsTest, ReadsWordsAndCountsUpToALimit) {
  const TemporaryFolder folder;
  std::ofstream(folder / "words.tsv") << "the\t9\t1\n\nof\t3.5\nto\t1\n";
  const std::vector<CountedWord> words = read_words(folder / "words.tsv", 2);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[1].word, "of");
  EXPECT_EQ(words[1].count, 3.5);
}

TEST(ReadWordsTest, RefusesWhatIsNoDictionary) {
  EXPECT_THAT(refusal_of_words(""), HasSubstr("the dictionary is empty"));
  EXPECT_THAT(refusal_of_words("the\t9\n77\t2\n"), AllOf(HasSubstr("words.tsv:2"), HasSubstr("a .. z")));
  EXPECT_THAT(refusal_of_words("the\n"), AllOf(HasSubstr("words.tsv:1"), HasSubstr("no count")));
  EXPECT_THAT(refusal_of_words("the\tmany\n"), AllOf(HasSubstr("words.tsv:1"), HasSubstr("'many'")));
  EXPECT_THAT(refusal_of_words("the\t0\n"), HasSubstr("counts above 0"));
  EXPECT_THAT(refusal_of_words("the\tnan\n"), HasSubstr("counts above 0"));
  EXPECT_THAT(refusal_of_words("the\t1\nthe\t2\n"), AllOf(HasSubstr("words.tsv:2"), HasSubstr("before")));
}

TEST(WordTrieTest, KeepsAllWordsOfTheSameLetters) {
  const WordTrie words({{"its", 3}, {"it's", 5}, {"it", 9}, {"Its", 1}});
  const std::uint32_t node = words.find(keys_of("its", {}));
  ASSERT_NE(node, WordTrie::kNone);
  EXPECT_EQ(words.nodes()[node].word, 1U);
  EXPECT_EQ(words.next_alike(1), 0U);
  EXPECT_EQ(words.next_alike(0), 3U);
  EXPECT_EQ(words.next_alike(3), WordTrie::kNone);
  EXPECT_EQ(words.next_alike(2), WordTrie::kNone);
  EXPECT_EQ(words.find_word("its"), 0U);
  EXPECT_EQ(words.find_word("Its"), 3U);
  EXPECT_EQ(words.find_word("i-ts"), WordTrie::kNone);
  EXPECT_EQ(words.first_alike(3), 1U);
}

TEST(TypedLettersTest, LeaveOutWhatIsNotTyped) {
  EXPECT_EQ(typed_letters("Don't"), "dont");
  EXPECT_EQ(typed_letters("naïve-Œuvre"), "naiveuvre");
  EXPECT_EQ(typed_letters("ﬁne"), "fine");
  EXPECT_EQ(typed_letters("straße"), "strasse");
  EXPECT_EQ(typed_letters("77 \xFF"), "");
}

}  // namespace
}  // namespace fovea::gestures
