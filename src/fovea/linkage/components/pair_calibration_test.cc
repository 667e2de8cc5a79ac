// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/pair_calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

/// Blocks of 12 rows of two people: each has a colour and a town, which may be the same for both. Where they are, no
/// weights tell them apart.
class PairCalibrationTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kBlocks = 40, kRows = 12;

  PairCalibrationTest() {
    Random random(5);
    std::vector<std::vector<std::string>> rows;
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      const bool is_one_town = random.bernoulli(.4);
      for (std::uint32_t i = 0; i < kRows; ++i) {
        const std::uint32_t person = i % 2;
        const std::string town = is_one_town || person == 0 ? "Ulm" : "Bonn";
        rows.push_back({town, random.bernoulli(.1) ? "" : "number" + std::to_string(random.uniform_index(3))});
        entities_.push_back(2 * block + person);
        blocks_.rows.push_back(block * kRows + i);
      }
      blocks_.begin.push_back(blocks_.rows.size());
    }
    table_ = testing::table_of({"town", "number"}, rows);
    comparisons_ = parse_comparisons("town, number", table_);
  }

  MonotoneMap learn(int threads = 1) const {
    return learn_pair_calibration({comparisons_, blocks_, entities_}, {.threads = threads, .random = Random(1)});
  }

  io::Table table_{"people.csv"};
  std::vector<Comparison> comparisons_;
  std::vector<std::uint32_t> entities_;
  Blocks blocks_;
};

TEST_F(PairCalibrationTest, WhatIsTogetherIsTrueAsOftenAsItWas) {
  const MonotoneMap map = learn();
  // About 24 of 40 blocks have two towns: 30 pairs of each are together and match. The others have 66 pairs together,
  // of which 30 match.
  double together = 0, right = 0;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    const std::uint32_t row = block * kRows;
    together += table_.cell(row, 0) == table_.cell(row + 1, 0) ? 66 : 30;
    right += 30;
  }
  EXPECT_NEAR(map(1), right / together, .05);
  EXPECT_LT(map(0), .1);
}

TEST_F(PairCalibrationTest, DoesNotDependOnThreads) { EXPECT_EQ(learn(1), learn(2)); }

TEST_F(PairCalibrationTest, RowsWithoutLabelsTakeNoPart) {
  std::fill_n(entities_.end() - kRows, kRows, kUnlabelled);
  const MonotoneMap without_labels = learn();
  blocks_.rows.resize(blocks_.rows.size() - kRows);
  blocks_.begin.pop_back();
  EXPECT_EQ(without_labels, learn());
}

TEST_F(PairCalibrationTest, TooFewLabelsAreNoMap) {
  std::fill(entities_.begin() + kRows, entities_.end(), kUnlabelled);
  EXPECT_EQ(learn(), MonotoneMap());
  std::ranges::fill(entities_, kUnlabelled);
  EXPECT_EQ(learn(), MonotoneMap());
}

}  // namespace
}  // namespace fovea::linkage
