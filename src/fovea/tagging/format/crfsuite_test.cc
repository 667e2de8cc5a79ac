// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/crfsuite.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

struct Item {
  std::string label;
  std::vector<std::pair<std::string, float>> attributes;
  friend bool operator==(const Item&, const Item&) = default;
};
using Sequences = std::vector<std::vector<Item>>;

std::vector<Item> items_of(const AttributeSequence& sequence) {
  std::vector<Item> items;
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    Item& item = items.emplace_back(Item{std::string(sequence.label(t)), {}});
    for (std::size_t a = 0; a < sequence.attribute_count(t); ++a) {
      const auto [name, value] = sequence.attribute(t, a);
      item.attributes.emplace_back(name, value);
    }
  }
  return items;
}

Sequences read_attributes(std::string_view text) {
  CrfsuiteReader reader(io::ByteSource::from_memory(text, "memory"));
  Sequences result;
  for (AttributeSequence sequence; reader.next(sequence);) result.push_back(items_of(sequence));
  return result;
}

std::string attribute_error(std::string_view text) {
  return message_of<InputError>([&] { read_attributes(text); });
}

std::string write_crfsuite(const Sequences& sequences) {
  std::string bytes;
  for (const std::vector<Item>& items : sequences) {
    AttributeSequence sequence;
    sequence.clear(1);
    for (const Item& item : items) {
      sequence.add_item(item.label);
      for (const auto& [name, value] : item.attributes) sequence.add_attribute(name, value);
    }
    append_crfsuite(sequence, bytes);
  }
  return bytes;
}

TEST(CrfsuiteTest, ReadsLabelsAttributesAndValues) {
  EXPECT_EQ(read_attributes("B\tw=a\tlen:2\tx:-.5e1\nO\n\nI\tw=b c\n"),
            (Sequences{{{"B", {{"w=a", 1}, {"len", 2}, {"x", -5}}}, {"O", {}}}, {{"I", {{"w=b c", 1}}}}}));
  EXPECT_EQ(read_attributes(""), Sequences{});
  EXPECT_EQ(read_attributes("\n\r\n\nO\t\r\n"), (Sequences{{{"O", {}}}}));
}

TEST(CrfsuiteTest, BackslashesEscapeColonsAndThemselvesOnly) {
  EXPECT_EQ(read_attributes("a\\:b\tx\\:y:2\t\\\\:3\t\\n\tend\\"),
            (Sequences{{{"a:b", {{"x:y", 2}, {"\\", 3}, {"\\n", 1}, {"end\\", 1}}}}}));
}

TEST(CrfsuiteTest, LabelsMayHoldColons) { EXPECT_EQ(read_attributes(":\ta"), (Sequences{{{":", {{"a", 1}}}}})); }

TEST(CrfsuiteTest, EmptyFieldsAndValuesAreAsInCrfsuite) {
  EXPECT_EQ(read_attributes("O\t\ta:\t\tb\t"), (Sequences{{{"O", {{"a", 1}, {"b", 1}}}}}));
}

TEST(CrfsuiteTest, TinyValuesAreZero) { EXPECT_EQ(read_attributes("O\ta:1e-99"), (Sequences{{{"O", {{"a", 0}}}}})); }

TEST(CrfsuiteTest, BadLinesAreRefused) {
  EXPECT_THAT(attribute_error("O\ta\n\tb\n"),
              AllOf(StartsWith("memory:2: the label is missing"), HasSubstr("label<TAB>")));
  EXPECT_THAT(attribute_error("O\ta:b\n"),
              AllOf(StartsWith("memory:1: 'b' in 'a:b' must be a finite number"), HasSubstr("\\:")));
  for (const char* value : {"1x", "nan", "inf", "1e99", "1e999", "+-1", "1:2", " 1", "0x10"})
    EXPECT_THAT(attribute_error(std::string("O\ta:") + value), HasSubstr("must be a finite number")) << value;
  EXPECT_THAT(attribute_error("O\t:1"), HasSubstr("an attribute without a name: ':1'"));
  EXPECT_THAT(attribute_error("@weight:2\nO\ta\n"), HasSubstr("instance weights (@weight) are not supported"));
}

TEST(CrfsuiteTest, SpacesForTabsAreRefused) {
  EXPECT_THAT(attribute_error("B\tw=a\nO w=b\n"), AllOf(StartsWith("memory:2: blanks but no tab"), HasSubstr("<TAB>")));
  EXPECT_THAT(attribute_error("B\nO\n"), StartsWith("memory: no line holds a tab"));
  EXPECT_EQ(read_attributes("B LOC\t\nO\n"), (Sequences{{{"B LOC", {}}, {"O", {}}}}));
}

TEST(CrfsuiteTest, MissingBlankLinesAreRefused) {
  std::string text;
  for (std::size_t i = 0; i <= CrfsuiteReader::kMaxSequenceItems; ++i) text += "O\n";
  EXPECT_THAT(attribute_error(text), HasSubstr("a sequence of more than 4194304 items"));
}

RC_GTEST_PROP(CrfsuiteTest, WhatIsWrittenIsReadBack, ()) {
  const auto text = rc::gen::map(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element(':', '\\', 'a', ' ', '\xFF', '1', '#', '"'))),
      [](std::string s) { return s; });
  const auto value = rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                                                    [](std::uint32_t bits) {
                                                      float f;
                                                      std::memcpy(&f, &bits, sizeof f);
                                                      return f;
                                                    }),
                                       [](float f) { return std::isfinite(f); });
  const auto item =
      rc::gen::construct<Item>(text, rc::gen::container<std::vector<std::pair<std::string, float>>>(
                                         rc::gen::pair(text, rc::gen::oneOf(rc::gen::just(1.0f), value))));
  const auto sequences = *rc::gen::resize(
      10, rc::gen::container<Sequences>(rc::gen::nonEmpty(rc::gen::container<std::vector<Item>>(item))));
  RC_ASSERT(read_attributes(write_crfsuite(sequences)) == sequences);
}

}  // namespace
}  // namespace fovea::tagging
