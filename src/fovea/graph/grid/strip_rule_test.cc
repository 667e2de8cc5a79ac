// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_rule.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
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
  const StripRule rule{.weights = {1, 1e2, 1e3, 1e4, 1e5, 0, 1e6, 2e6}};
  EXPECT_EQ(rule.value({.doubt = 5, .neighbours = 2, .own = 1, .age = 4, .phase = 3}), 2412005);
  EXPECT_EQ(rule.value({.doubt = 11, .neighbours = 0, .own = 0, .age = 0, .phase = 0}), 3000111);
  const StripRule phases{.weights = {0, 0, 0, 0, 0, 1, 0, 0}};
  EXPECT_EQ(phases.value({.phase = 3}), 3);
}

TEST(StripRule, IsWhatItWasWhenLoaded) {
  const testing::TemporaryFolder folder;
  const StripRule rule{.weights = {1, -2, .5f, 4, 0, -6, 7, .25f}, .sources = {"a grid", "another \"grid\""}};
  rule.save(folder / "grid.policy");
  const StripRule loaded = StripRule::load(folder / "grid.policy");
  EXPECT_EQ(loaded.weights, rule.weights);
  EXPECT_EQ(loaded.sources, rule.sources);
  EXPECT_NE(loaded.describe().find("another \"grid\""), std::string::npos);
  EXPECT_EQ(loaded.to_json(),
            R"({"kind":"grid policy","weights":{"doubt":1.0,"saturated":-2.0,"neighbours":0.5,"own":4.0,"age":0.0,)"
            R"("phase":-6.0,"first quarter":7.0,"bias":0.25},"sources":["a grid","another \"grid\""]})");
}

TEST(StripRule, IsTheSameAsBytes) {
  const StripRule rule{.weights = {1, -2, .5f, 4, 0, -6, 7, .25f}, .sources = {"a grid"}};
  std::string bytes;
  rule.save(ContainerTarget::memory(bytes));
  const StripRule loaded = StripRule::load(ContainerSource::memory(bytes));
  EXPECT_EQ(loaded.weights, rule.weights);
  EXPECT_EQ(loaded.sources, rule.sources);
}

TEST(UniversalStripRule, VisitsDoubtAndLeavesWhatHasSettled) {
  const StripRule rule = universal_strip_rule();
  EXPECT_NE(rule.describe().find("generated: "), std::string::npos);
  const StripTable table = rule.table();
  for (std::size_t phase = 0; phase < StripFeatures::kPhases; ++phase) {
    EXPECT_EQ((table[{.doubt = 11, .own = 1, .phase = phase}]), Verdict::kNow);
    EXPECT_EQ((table[{.doubt = 2, .neighbours = 1, .own = 0, .phase = phase}]), Verdict::kNow);
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
  expect_refused("[]", {1, 2, 3, 4, 5, 6, 7}, "weights");
  expect_refused("[]", {1, 2, 3, 4, 5, 6, 7, std::numeric_limits<float>::infinity()}, "weights");
  expect_refused("[1]", {1, 2, 3, 4, 5, 6, 7, 8}, "sources");
  expect_refused("[\"a\"", {1, 2, 3, 4, 5, 6, 7, 8}, "sources");
}

}  // namespace
}  // namespace fovea::graph
