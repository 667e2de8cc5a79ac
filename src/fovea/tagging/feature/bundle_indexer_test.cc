// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/bundle_indexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/item_sequences.h"

namespace fovea::tagging {
namespace {

using testing::make_sequence;
using AttributeRows = std::vector<std::vector<std::string>>;

constexpr std::size_t kColumns = 3;

/// Every line at every item, by the book: what the indexer must be equal to. Per item, sorted.
std::vector<std::vector<std::string>> expand_naively(const FeatureTemplate& feature_template,
                                                     const ItemSequence& sequence) {
  std::vector<std::vector<std::string>> result(sequence.size());
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    for (const TemplateLine& line : feature_template.lines())
      if (std::string text; line.expand(sequence, t, text)) result[t].push_back(text);
    std::ranges::sort(result[t]);
  }
  return result;
}

/// A caller that keeps all attributes as text.
class TextKeeper {
 public:
  explicit TextKeeper(const FeatureTemplate& feature_template) : indexer(feature_template) {}

  std::vector<std::vector<std::string>> expand(const ItemSequence& sequence) {
    std::vector<std::uint32_t> bundles;
    const NewBundles& fresh = indexer.index(sequence, bundles);
    RC_ASSERT(fresh.first_part() == parts_.size());
    RC_ASSERT(fresh.first_bundle() == bundles_.size());
    for (std::size_t i = 0; i < fresh.part_count(); ++i)
      parts_.emplace_back(fresh.attributes(i).begin(), fresh.attributes(i).end());
    for (std::size_t i = 0; i < fresh.bundle_count(); ++i) add_bundle(fresh.parts(i));
    RC_ASSERT(bundles.size() == sequence.size() * indexer.slot_count());
    return collect(sequence.size(), bundles);
  }

  void clear() {
    indexer.clear();
    parts_.clear();
    bundles_.clear();
  }

  BundleIndexer indexer;

 private:
  void add_bundle(std::span<const std::uint32_t> parts) {
    std::vector<std::string>& texts = bundles_.emplace_back();
    for (std::uint32_t part : parts) texts.insert(texts.end(), parts_[part].begin(), parts_[part].end());
  }

  std::vector<std::vector<std::string>> collect(std::size_t size, const std::vector<std::uint32_t>& bundles) const {
    std::vector<std::vector<std::string>> result(size);
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      const std::vector<std::string>& texts = bundles_[bundles[i]];
      std::vector<std::string>& item = result[i / indexer.slot_count()];
      item.insert(item.end(), texts.begin(), texts.end());
    }
    for (std::vector<std::string>& item : result) std::ranges::sort(item);
    return result;
  }

  std::vector<std::vector<std::string>> parts_, bundles_;
};

rc::Gen<std::string> any_macro() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::element(0, 1, 2, 3), rc::gen::element(-3, -2, -1, 0, 1, 2), rc::gen::element(0, 1, 2)),
      [](const std::tuple<int, int, int>& choice) {
        const auto& [kind, row, column] = choice;
        if (kind == 0) return fmt::format("%suffix[{},{},1]", row, column);
        return fmt::format("%{}[{},{}]", kind == 1 ? "shape" : "x", row, column);
      });
}

rc::Gen<std::string> any_line() {
  const auto macros = rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(any_macro()));
  return rc::gen::map(rc::gen::pair(rc::gen::element(0, 1, 2), macros),
                      [](const std::pair<int, std::vector<std::string>>& choice) {
                        std::string line = fmt::format("U{}:", choice.first);
                        for (const std::string& macro : choice.second) line += fmt::format("{}/", macro);
                        return line;
                      });
}

FeatureTemplate any_template() {
  const auto lines = *rc::gen::nonEmpty(rc::gen::resize(8, rc::gen::container<std::vector<std::string>>(any_line())));
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return FeatureTemplate::parse(text, "template");
}

/// Few distinct cells, so that types and tuples recur; some look like the names of the ends, some are empty.
ItemSequence any_sequence() {
  const auto cell = rc::gen::element<std::string>("a", "B", "ab", "", "_B-1", "_B+1", " b");
  const auto row = rc::gen::container<std::vector<std::string>>(kColumns, cell);
  const auto rows = *rc::gen::nonEmpty(rc::gen::resize(6, rc::gen::container<AttributeRows>(row)));
  return make_sequence(rows, *rc::gen::element('\t', ' '));
}

RC_GTEST_PROP(BundleIndexerTest, EqualsTheExpansionOfEveryLineAtEveryItem, ()) {
  const FeatureTemplate feature_template = any_template();
  TextKeeper keeper(feature_template);
  for (int round = 0; round < 4; ++round) {
    const ItemSequence sequence = any_sequence();
    RC_ASSERT(keeper.expand(sequence) == expand_naively(feature_template, sequence));
    if (round == 2 && *rc::gen::arbitrary<bool>()) keeper.clear();
  }
}

TEST(BundleIndexerTest, LinesShareSlotsByRowAndByCells) {
  const auto slots = [](std::string_view text) {
    return BundleIndexer(FeatureTemplate::parse(text, "template")).slot_count();
  };
  EXPECT_EQ(slots("U1:%x[0,0]\nU2:%x[0,1]/%x[0,2]\nUbias"), 1u);
  EXPECT_EQ(slots("U1:%x[0,0]\nU2:%x[1,0]"), 2u);
  EXPECT_EQ(slots("U1:%x[0,0]/%x[1,0]\nU2:%x[1,0]/%lower[0,0]"), 1u);
  EXPECT_EQ(slots("U1:%x[0,0]/%x[1,0]\nU2:%x[0,0]/%x[1,1]"), 2u);
  EXPECT_EQ(slots("B"), 0u);
}

TEST(BundleIndexerTest, WhatWasSeenIsNotExpandedAgain) {
  BundleIndexer indexer(FeatureTemplate::parse("U1:%x[0,0]\nU2:%x[0,1]\nU3:%x[0,0]/%x[1,0]", "template"));
  std::vector<std::uint32_t> bundles;
  const NewBundles& fresh = indexer.index(make_sequence({{"a", "N"}, {"a", "N"}, {"a", "V"}}), bundles);
  // AttributeRows: (a, N) and (a, V). Pairs: (a, a) and (a, end).
  EXPECT_EQ(fresh.bundle_count(), 4u);
  // Parts: a, N, V, (a, a), (a, end).
  EXPECT_EQ(fresh.part_count(), 5u);
  EXPECT_EQ(fresh.attributes().size(), 5u);
  EXPECT_EQ(bundles[0], bundles[2]);
  EXPECT_NE(bundles[0], bundles[4]);
  indexer.index(make_sequence({{"a", "V"}, {"a", "N"}}), bundles);
  EXPECT_EQ(fresh.bundle_count(), 0u);
  EXPECT_EQ(fresh.part_count(), 0u);
  indexer.index(make_sequence({{"b", "V"}}), bundles);
  EXPECT_EQ(fresh.bundle_count(), 2u);
  EXPECT_EQ(fresh.first_bundle(), 4u);
  EXPECT_EQ(fresh.first_part(), 5u);
  EXPECT_EQ(fresh.attributes().size(), 2u) << "the known V makes no new attribute";
}

TEST(BundleIndexerTest, EqualBytesCutDifferentlyAreDifferentTypes) {
  BundleIndexer indexer(FeatureTemplate::parse("U:%x[0,0]|%x[0,1]|%x[0,2]", "template"));
  using Cells = std::vector<ItemSequence::Cell>;
  std::set<std::uint32_t> types;
  for (const Cells& cells : {Cells{{0, 1}, {2, 3}, {5, 6}}, {{0, 1}, {3, 4}, {5, 6}}, {{0, 1}, {2, 4}, {5, 6}}}) {
    ItemSequence sequence;
    sequence.clear(1);
    sequence.add_line("abcdef", cells);
    std::vector<std::uint32_t> bundles;
    indexer.index(sequence, bundles);
    types.insert(bundles[0]);
  }
  EXPECT_EQ(types.size(), 3u);
}

TEST(BundleIndexerTest, MemoryGrowsWithDistinctItemsAndIsGivenBack) {
  BundleIndexer indexer(FeatureTemplate::default_for(1));
  const std::size_t before = indexer.memory_in_bytes();
  std::vector<std::uint32_t> bundles;
  for (int i = 0; i < 10000; ++i) indexer.index(make_sequence({{"word" + std::to_string(i)}}), bundles);
  const std::size_t full = indexer.memory_in_bytes();
  EXPECT_GT(full, before + 10000 * 10);
  for (int i = 0; i < 10000; ++i) indexer.index(make_sequence({{"word" + std::to_string(i)}}), bundles);
  EXPECT_EQ(indexer.memory_in_bytes(), full);
  indexer.clear();
  EXPECT_LT(indexer.memory_in_bytes(), before + 1000);
}

}  // namespace
}  // namespace fovea::tagging
