// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/dictionary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

TEST(DictionaryTest, StringsGetIdsInTheOrderOfTheirFirstAppearance) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.add("b"), 0u);
  EXPECT_EQ(dictionary.add("a"), 1u);
  EXPECT_EQ(dictionary.add("b"), 0u);
  EXPECT_EQ(dictionary.add(""), 2u);
  EXPECT_EQ(dictionary.size(), 3u);
  EXPECT_EQ(dictionary.find("a"), 1u);
  EXPECT_EQ(dictionary.find("c"), kNoId);
  EXPECT_EQ(dictionary.text(1), "a");
  EXPECT_EQ(dictionary.text(2), "");
}

TEST(DictionaryTest, AnEmptyViewFindsNothing) {
  const FrozenDictionary nothing;
  EXPECT_EQ(nothing.size(), 0u);
  EXPECT_EQ(nothing.find("a"), kNoId);
  const std::string_view text = "a";
  std::uint32_t id = 0;
  nothing.find_all({&text, 1}, &id);
  EXPECT_EQ(id, kNoId);
}

RC_GTEST_PROP(DictionaryTest, AgreesWithAMap, (const std::vector<std::string>& words)) {
  Dictionary dictionary;
  std::map<std::string, std::uint32_t> map;
  for (const std::string& word : words) {
    const std::uint32_t expected = map.try_emplace(word, map.size()).first->second;
    RC_ASSERT(dictionary.add(word) == expected);
  }
  RC_ASSERT(dictionary.size() == map.size());
  for (const auto& [word, id] : map) {
    RC_ASSERT(dictionary.find(word) == id);
    RC_ASSERT(dictionary.text(id) == word);
  }
}

/// Many strings, so that the table grows and its chains meet.
std::vector<std::string> numbered_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back("word" + std::to_string(i));
  return words;
}

TEST(DictionaryTest, FindAllFindsWhatFindFinds) {
  Dictionary dictionary;
  for (const std::string& word : numbered_words(50000)) dictionary.add(word);
  const std::vector<std::string> words = numbered_words(60000);
  const std::vector<std::string_view> texts(words.begin(), words.end());
  std::vector<std::uint32_t> ids(texts.size());
  dictionary.freeze().find_all(texts, ids.data());
  for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(ids[i], i < 50000 ? i : kNoId);
}

TEST(DictionaryTest, EqualHashesDoNotConfuseStrings) {
  Dictionary dictionary;
  for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(dictionary.add(std::to_string(i), 7), i);
  for (std::uint32_t i = 0; i < 500; ++i) EXPECT_EQ(dictionary.add(std::to_string(i), 7), i);
}

TEST(DictionaryTest, ChainsWrapAroundTheEndOfTheTable) {
  Dictionary dictionary;
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(dictionary.add(std::to_string(i), ~std::uint64_t{0}), i);
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(dictionary.add(std::to_string(i), ~std::uint64_t{0}), i);
}

TEST(DictionaryTest, RetainDropsAndRenumbersInOrder) {
  Dictionary dictionary;
  for (const char* word : {"a", "b", "c", "d"}) dictionary.add(word);
  EXPECT_EQ(dictionary.retain({false, true, false, true}), (std::vector<std::uint32_t>{kNoId, 0, kNoId, 1}));
  EXPECT_EQ(dictionary.size(), 2u);
  EXPECT_EQ(dictionary.find("b"), 0u);
  EXPECT_EQ(dictionary.find("d"), 1u);
  EXPECT_EQ(dictionary.find("a"), kNoId);
}

class StoredDictionaryTest : public ::testing::Test {
 protected:
  Container store(const Dictionary& dictionary) {
    ContainerWriter writer("test", 1);
    dictionary.save(writer, "words");
    writer.write(folder_ / "file");
    return Container::open(folder_ / "file", "test", 1);
  }

  /// The error of opening sections with these contents.
  std::string error_of(std::vector<std::uint64_t> slots, std::vector<std::uint32_t> offsets, std::string_view bytes) {
    ContainerWriter writer("test", 1);
    writer.add_array("words.slots", std::span<const std::uint64_t>(slots));
    writer.add_array("words.offsets", std::span<const std::uint32_t>(offsets));
    writer.add("words.bytes", bytes);
    writer.write(folder_ / "bad");
    const Container container = Container::open(folder_ / "bad", "test", 1);
    return message_of<InputError>([&] { FrozenDictionary::open(container, "words"); });
  }

  testing::TemporaryFolder folder_;
};

TEST_F(StoredDictionaryTest, IsUsedInPlace) {
  for (std::size_t count : {1u, 1000u}) {
    Dictionary dictionary;
    for (const std::string& word : numbered_words(count)) dictionary.add(word);
    const Container container = store(dictionary);
    const FrozenDictionary stored = FrozenDictionary::open(container, "words");
    ASSERT_EQ(stored.size(), count);
    for (std::uint32_t id = 0; id < count; ++id) {
      EXPECT_EQ(stored.find(dictionary.text(id)), id);
      EXPECT_EQ(stored.text(id), dictionary.text(id));
    }
    EXPECT_EQ(stored.find("other"), kNoId);
    EXPECT_EQ(stored.text(0).data(), container.bytes("words.bytes").data());
  }
}

TEST_F(StoredDictionaryTest, MayBeEmpty) {
  const Container container = store(Dictionary());
  const FrozenDictionary stored = FrozenDictionary::open(container, "words");
  EXPECT_EQ(stored.size(), 0u);
  EXPECT_EQ(stored.find("a"), kNoId);
}

TEST_F(StoredDictionaryTest, PartsThatDoNotFitAreRefused) {
  constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  EXPECT_THAT(error_of({kEmpty, 0}, {}, "a"), HasSubstr("offsets"));
  EXPECT_THAT(error_of({kEmpty, 0}, {1, 1}, "a"), HasSubstr("offsets"));
  EXPECT_THAT(error_of({kEmpty, 0}, {0, 2}, "a"), HasSubstr("offsets"));
  EXPECT_THAT(error_of({kEmpty, kEmpty, 0, 1}, {0, 3, 2}, "ab"), HasSubstr("offsets"));
  EXPECT_THAT(error_of({}, {0, 1}, "a"), HasSubstr("power of two"));
  EXPECT_THAT(error_of({0}, {0, 1}, "a"), HasSubstr("power of two"));
  EXPECT_THAT(error_of({kEmpty, kEmpty, 0}, {0, 1}, "a"), HasSubstr("power of two"));
  EXPECT_THAT(error_of({kEmpty, 1}, {0, 1}, "a"), HasSubstr("ids must be below"));
  EXPECT_THAT(error_of({kEmpty, kEmpty}, {0, 1}, "a"), HasSubstr("one slot"));
  EXPECT_THAT(error_of({0, 0}, {0, 1}, "a"), HasSubstr("one slot"));
}

}  // namespace
}  // namespace fovea
