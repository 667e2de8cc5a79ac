// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/atom_sets.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/random.h"

namespace fovea::synthesis {
namespace {

/// Adds examples of all kinds; some of their rows overflow sums.
void add_any_examples(ExampleSet& examples, std::size_t count, Random& random) {
  const auto draw_row = [&] {
    ExampleSet::Row row(examples.variables());
    const bool is_huge = random.bernoulli(.05);
    for (std::int64_t& x : row)
      x = is_huge ? std::numeric_limits<std::int64_t>::max() - random.uniform_index(9)
                  : static_cast<std::int64_t>(random.uniform_index(9)) - 4;
    return row;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random.uniform_index(3);
    if (kind == 0) examples.add_good(draw_row());
    else if (kind == 1) examples.add_bad(draw_row());
    else examples.add_implication(draw_row(), draw_row());
  }
}

/// Expects each comparison's set to be what evaluation gives, with bits of no example 0.
void expect_right_sets(AtomSets& sets, const ExampleSet& examples, std::uint64_t step) {
  const ExampleLayout& layout = sets.layout();
  for (std::uint64_t number = 0; number < sets.space().size(); number += step) {
    std::vector<std::uint64_t> expected(layout.words());
    for (const ExampleLayout::Bit& bit : layout.bits()) {
      const auto row = bit.is_target ? examples.target(bit.example) : examples.row(bit.example);
      expected[bit.word] |= std::uint64_t{sets.space().holds(number, row)} << bit.bit;
    }
    const std::uint64_t* set = sets.set(number);
    ASSERT_EQ(std::vector(set, set + layout.words()), expected) << number;
  }
}

TEST(AtomSetsTest, TableAndCacheAreWhatEvaluationSays) {
  for (const std::size_t bytes : {AtomSets::kTableBytes, std::size_t{4096}}) {
    const AtomSpace space({.variables = 3, .forms = {{2, -3, 1}}, .octagons = true, .equations = true});
    AtomSets sets(space, bytes);
    ExampleSet examples(3);
    Random random(1);
    for (const std::size_t count : {5, 3, 100, 1, 200}) {
      add_any_examples(examples, count, random);
      sets.take(examples);
      EXPECT_EQ(sets.has_table(), bytes == AtomSets::kTableBytes);
      expect_right_sets(sets, examples, 1);
    }
  }
}

TEST(AtomSetsTest, ACacheServesSpacesThatNoTableHolds) {
  const AtomSpace space({.variables = 12, .coefficient_range = 5});
  AtomSets sets(space);
  ExampleSet examples(12);
  Random random(2);
  add_any_examples(examples, 20, random);
  sets.take(examples);
  EXPECT_FALSE(sets.has_table());
  expect_right_sets(sets, examples, space.size() / 50);
}

TEST(AtomSetsTest, AStoppedTakeGoesOnFromThere) {
  const AtomSpace space({.variables = 3, .octagons = true});
  AtomSets sets(space);
  ExampleSet examples(3);
  Random random(3);
  add_any_examples(examples, 100, random);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(sets.take(examples, {.cancel = &cancel}));
  EXPECT_TRUE(sets.take(examples));
  expect_right_sets(sets, examples, 1);
}

TEST(ExampleLayoutTest, GrowsByDoubling) {
  ExampleLayout layout;
  ExampleSet examples(1);
  const auto add_rows = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t x = first; x < end; ++x) examples.add_good(ExampleSet::Row{x});
    return layout.take(examples);
  };
  EXPECT_FALSE(add_rows(0, 64));
  EXPECT_EQ(layout.words(), 1u);
  EXPECT_EQ(layout.expected()[0], ~std::uint64_t{0});
  EXPECT_TRUE(add_rows(64, 65));
  EXPECT_EQ(layout.words(), 2u);
  examples.add_implication(ExampleSet::Row{0}, ExampleSet::Row{1});
  EXPECT_TRUE(layout.take(examples));
  EXPECT_EQ(layout.words(), 4u);
  EXPECT_FALSE(add_rows(65, 128));
  EXPECT_TRUE(add_rows(128, 129));
  EXPECT_EQ(layout.labelled_words(), 4u);
  EXPECT_EQ(layout.bits().size(), 129u + 2);
}

}  // namespace
}  // namespace fovea::synthesis
