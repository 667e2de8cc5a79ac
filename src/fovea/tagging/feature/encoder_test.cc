// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/item_sequences.h"

namespace fovea::tagging {
namespace {

using testing::make_sequence;
/// Attribute -> summed value, at one item.
using Weights = std::map<std::string, float>;

Weights weights_at(const EncodedItems& items, const Dictionary& attributes, std::size_t item) {
  Weights weights;
  for (std::size_t entry = items.items.offsets[item]; entry < items.items.offsets[item + 1]; ++entry)
    for (std::uint32_t attribute : items.bundles.row(items.items.columns[entry]))
      weights[std::string(attributes.text(attribute))] += items.items.value(entry);
  return weights;
}

FeatureTemplate parsed_template(std::string_view text) { return FeatureTemplate::parse(text, "template"); }

AttributeSequence make_attributes(const std::vector<std::vector<std::pair<std::string, float>>>& items) {
  AttributeSequence sequence;
  sequence.clear(1);
  for (const auto& item : items) {
    sequence.add_item("label");
    for (const auto& [name, value] : item) sequence.add_attribute(name, value);
  }
  return sequence;
}

TEST(EncoderTest, ItemsHoldTheAttributesOfTheirTemplateLines) {
  Encoder encoder(parsed_template("U1:%x[0,0]\nU2:%x[-1,0]/%x[0,0]\nU3:%prefix[0,0,2]\nU:%x[0,0]\nU:%x[-1,0]"));
  encoder.append(make_sequence({{"a"}, {"a"}, {"bc"}}));
  encoder.append(make_sequence({{"bc"}}));
  const EncodedItems& items = encoder.items();
  EXPECT_EQ(items.sequence_begin, (std::vector<std::uint32_t>{0, 3, 4}));
  ASSERT_EQ(items.item_count(), 4u);
  const auto at = [&](std::size_t item) { return weights_at(items, encoder.attributes(), item); };
  EXPECT_EQ(at(0), (Weights{{"U1:a", 1}, {"U2:_B-1/a", 1}, {"U:a", 1}, {"U:_B-1", 1}}));
  EXPECT_EQ(at(1), (Weights{{"U1:a", 1}, {"U2:a/a", 1}, {"U:a", 2}})) << "twice at an item counts twice";
  EXPECT_EQ(at(2), (Weights{{"U1:bc", 1}, {"U2:a/bc", 1}, {"U3:bc", 1}, {"U:bc", 1}, {"U:a", 1}}));
  EXPECT_TRUE(items.items.values.empty());
}

TEST(EncoderTest, DistinctBundlesAreStoredOnce) {
  Encoder encoder(parsed_template("U1:%x[0,0]\nU2:%lower[0,0]"));
  encoder.append(make_sequence({{"a"}, {"b"}, {"a"}, {"a"}}));
  EXPECT_EQ(encoder.items().bundles.row_count(), 2u);
  EXPECT_EQ(encoder.items().bundles.columns.size(), 4u);
  EXPECT_EQ(encoder.items().items.columns, (std::vector<std::uint32_t>{0, 1, 0, 0}));
}

TEST(EncoderTest, BundlesWithoutAttributesAreLeftOut) {
  Encoder encoder(parsed_template("U1:%prefix[0,0,2]\nU2:%digits[1,0]"));
  encoder.append(make_sequence({{"a"}, {"bb"}, {"7"}}));
  EXPECT_EQ(encoder.items().items.offsets, (std::vector<std::uint32_t>{0, 0, 2, 2}));
}

TEST(EncoderTest, KnownAttributesKeepTheirIdsAndUnknownOnesCanBeDropped) {
  Dictionary known;
  known.add("U1:b");
  known.add("U1:z");
  Encoder encoder(parsed_template("U1:%x[0,0]"), known, UnknownAttributes::kDrop);
  encoder.append(make_sequence({{"a"}, {"b"}}));
  EXPECT_EQ(encoder.attributes().size(), 2u);
  EXPECT_EQ(weights_at(encoder.items(), encoder.attributes(), 0), Weights{});
  EXPECT_EQ(weights_at(encoder.items(), encoder.attributes(), 1), (Weights{{"U1:b", 1}}));

  Encoder adding(parsed_template("U1:%x[0,0]"), known);
  adding.append(make_sequence({{"a"}, {"b"}}));
  EXPECT_EQ(adding.attributes().text(0), "U1:b");
  EXPECT_EQ(adding.attributes().text(2), "U1:a");
}

TEST(EncoderTest, GivenAttributesKeepTheirValues) {
  Encoder encoder;
  encoder.append(make_attributes({{{"a", 1}, {"b", 1}}, {}, {{"a", 0.5f}, {"c", 1}, {"a", 2}}}));
  const auto at = [&](std::size_t item) { return weights_at(encoder.items(), encoder.attributes(), item); };
  EXPECT_EQ(at(0), (Weights{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(at(1), Weights{});
  EXPECT_EQ(at(2), (Weights{{"a", 2.5f}, {"c", 1}}));
  EXPECT_EQ(encoder.items().items.values.size(), encoder.items().items.columns.size());
}

TEST(EncoderTest, ValuesAreStoredFromTheVeryFirstEntryOn) {
  Encoder encoder;
  encoder.append(make_attributes({{{"a", 3}, {"b", 1}}}));
  EXPECT_EQ(encoder.items().items.values, (std::vector<float>{3, 1}));
}

TEST(EncoderTest, GivenAttributesKeepKnownIdsAndDropUnknownOnes) {
  Dictionary known;
  known.add("x");
  known.add("a");
  Encoder encoder(known, UnknownAttributes::kDrop);
  encoder.append(make_attributes({{{"a", 2}, {"b", 1}}}));
  EXPECT_EQ(weights_at(encoder.items(), encoder.attributes(), 0), (Weights{{"a", 2}}));
}

TEST(EncoderTest, TheCutOffCountsItemsAndRenumbers) {
  Encoder encoder(parsed_template("U1:%x[0,0]\nU2:%x[-1,0]"));
  encoder.append(make_sequence({{"a"}, {"b"}, {"a"}, {"c"}}));
  auto [items, attributes] = std::move(encoder).finish();
  // U1: a twice, b, c once. U2: a twice, _B-1 and b once.
  EXPECT_EQ(drop_rare_attributes(items, attributes, 2), 4u);
  ASSERT_EQ(attributes.size(), 2u);
  EXPECT_EQ(weights_at(items, attributes, 0), (Weights{{"U1:a", 1}}));
  EXPECT_EQ(weights_at(items, attributes, 1), (Weights{{"U2:a", 1}}));
  EXPECT_EQ(weights_at(items, attributes, 2), (Weights{{"U1:a", 1}}));
  EXPECT_EQ(weights_at(items, attributes, 3), (Weights{{"U2:a", 1}}));
  for (std::size_t b = 0; b < items.bundles.row_count(); ++b) EXPECT_FALSE(items.bundles.row(b).empty());
}

TEST(EncoderTest, TheCutOffKeepsValues) {
  Encoder encoder;
  encoder.append(make_attributes({{{"a", 0.5f}, {"b", 3}}, {{"a", 4}}}));
  auto [items, attributes] = std::move(encoder).finish();
  EXPECT_EQ(drop_rare_attributes(items, attributes, 2), 1u);
  EXPECT_EQ(weights_at(items, attributes, 0), (Weights{{"a", 0.5f}}));
  EXPECT_EQ(weights_at(items, attributes, 1), (Weights{{"a", 4}}));
}

TEST(EncoderTest, ACutOffOfOneChangesNothing) {
  Encoder encoder(parsed_template("U1:%x[0,0]"));
  encoder.append(make_sequence({{"a"}, {"b"}}));
  auto [items, attributes] = std::move(encoder).finish();
  EXPECT_EQ(drop_rare_attributes(items, attributes, 1), 0u);
  EXPECT_EQ(attributes.size(), 2u);
}

}  // namespace
}  // namespace fovea::tagging
