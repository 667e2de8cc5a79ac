// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/map_policies.h"

#include <gmock/gmock.h>

#include "fovea/base/error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
namespace {

using ::testing::HasSubstr;

TEST(MapPolicies, KnowTheNamesOfThoseThatComeWithTheProgram) {
  EXPECT_EQ(map_policies_of("universal").strips.weights, universal_strip_rule().weights);
  EXPECT_EQ(map_policies_of("hot-bits").strips.weights, StripRule::hot_bits().weights);
  for (const char* name : {"universal", "hot-bits"}) {
    EXPECT_TRUE(map_policies_of(name).search.searchers.empty());
    EXPECT_TRUE(are_shipped_policies(name));
    EXPECT_THAT(describe_map_policies(name), HasSubstr("policy for grids"));
    EXPECT_THAT(map_policies_json(name), HasSubstr("search policy"));
  }
}

TEST(MapPolicies, ComeFromFilesOfEitherKind) {
  const testing::TemporaryFolder folder;
  StripRule strips{.weights = {1, 2, 3, 4, 5, 6, 7, 8}};
  strips.save(folder / "strips.policy");
  SearchPolicy search{.searchers = {{.name = "annealing", .share = .5}}};
  search.save(folder / "search.policy");
  EXPECT_EQ(map_policies_of(folder / "strips.policy").strips.weights, strips.weights);
  EXPECT_TRUE(map_policies_of(folder / "strips.policy").search.searchers.empty());
  EXPECT_EQ(map_policies_of(folder / "search.policy").search.to_json(), search.to_json());
  EXPECT_EQ(map_policies_of(folder / "search.policy").strips.weights, universal_strip_rule().weights);
  EXPECT_EQ(map_policies_json(folder / "search.policy"), search.to_json());
  EXPECT_EQ(describe_map_policies(folder / "strips.policy"), strips.describe());
  EXPECT_THROW(map_policies_of(folder / "none.policy"), InputError);
}

}  // namespace
}  // namespace fovea::graph
