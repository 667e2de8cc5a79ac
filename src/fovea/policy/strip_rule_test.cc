// SPDX-License-Identifier: Apache-2.0
#include "fovea/policy/strip_rule.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "fovea/policy/universal_strip_rule.h"
#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

using Verdict = StripTable::Verdict;

TEST(StripRule, HotBitsAreARule) {
  for (const std::size_t least : {1u, 6u, 9u}) {
    const StripTable table = StripRule::hot_bits(least).table(), expected = StripTable::hot_bits(least);
    for_each_strip_features(
        [&](const StripFeatures& features) { EXPECT_EQ(table[features], expected[features]) << features.index(); });
  }
}

TEST(StripRule, WeighsEveryFeature) {
  const StripRule rule{.weights = {1, 10, 100, 1000, 10000, 100000}};
  EXPECT_EQ(rule.value({.doubt = 5, .neighbours = 2, .own = 1, .age = 4, .phase = 3}), 134125);
}

TEST(StripRule, IsWhatItWasWhenLoaded) {
  const testing::TemporaryFolder folder;
  const StripRule rule{.weights = {1, -2, .5f, 4, 0, -6}, .sources = {"a grid", "another \"grid\""}};
  rule.save(folder / "grid.policy");
  const StripRule loaded = StripRule::load(folder / "grid.policy");
  EXPECT_EQ(loaded.weights, rule.weights);
  EXPECT_EQ(loaded.sources, rule.sources);
  EXPECT_NE(loaded.describe().find("another \"grid\""), std::string::npos);
}

TEST(UniversalStripRule, VisitsDoubtAndLeavesWhatHasSettled) {
  const StripRule rule = universal_strip_rule();
  EXPECT_EQ(rule.sources.size(), kUniversalStripSources.size());
  const StripTable table = rule.table();
  for (std::size_t phase = 0; phase < StripFeatures::kPhases; ++phase) {
    EXPECT_EQ((table[{.doubt = 11, .own = 1, .phase = phase}]), Verdict::kNow);
    EXPECT_EQ((table[{.doubt = 0, .neighbours = 1, .own = 0, .phase = phase}]), Verdict::kNow);
    EXPECT_EQ((table[{.doubt = 0, .own = 0, .phase = phase}]), Verdict::kNever);
  }
}

/// Writes a file with the given sections; load must refuse it and name the section.
void expect_refused(const std::string& sources, std::vector<float> weights, const char* section) {
  const testing::TemporaryFolder folder;
  ContainerWriter writer("grid policy", 1);
  writer.add("sources", sources);
  writer.add_array("weights", std::span<const float>(weights));
  writer.write(folder / "bad.policy");
  try {
    StripRule::load(folder / "bad.policy");
    FAIL() << "loaded";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(section), std::string::npos) << e.what();
  }
}

TEST(StripRule, RefusesDamagedFiles) {
  expect_refused("[]", {1, 2, 3, 4, 5}, "weights");
  expect_refused("[]", {1, 2, 3, 4, 5, std::numeric_limits<float>::infinity()}, "weights");
  expect_refused("[1]", {1, 2, 3, 4, 5, 6}, "sources");
  expect_refused("[\"a\"", {1, 2, 3, 4, 5, 6}, "sources");
}

}  // namespace
}  // namespace fovea
