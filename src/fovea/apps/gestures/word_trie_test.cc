// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/gestures/word_trie.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

namespace fovea {
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

}  // namespace
}  // namespace fovea
