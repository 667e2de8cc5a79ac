// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/fixed_schedule.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "fovea/mcmc/gibbs.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

static_assert(mcmc::kLeavesTargetInvariant<SequenceGibbs, mcmc::FixedSchedule>);
static_assert(mcmc::kLeavesTargetInvariant<mcmc::GibbsKernel<SequenceView>, mcmc::FixedSchedule>);
static_assert(!mcmc::kLeavesTargetInvariant<SequenceIcm, mcmc::FixedSchedule>);

struct Proposal {
  std::vector<VariableId> visits;
  std::vector<std::size_t> sizes;  // of the batches
};

Proposal all_of(mcmc::FixedSchedule schedule) {
  Proposal proposal;
  Random random(1);
  while (const auto batch = schedule.next(random)) {
    proposal.visits.insert(proposal.visits.end(), batch->begin(), batch->end());
    proposal.sizes.push_back(batch->size());
    schedule.observe(*batch, {});
  }
  return proposal;
}

TEST(FixedScheduleTest, RepeatsTheOrderInBatches) {
  const Proposal proposal = all_of(mcmc::FixedSchedule({5, 3, 9}, 2, 2));
  EXPECT_EQ(proposal.visits, (std::vector<VariableId>{5, 3, 9, 5, 3, 9}));
  EXPECT_EQ(proposal.sizes, (std::vector<std::size_t>{2, 1, 2, 1}));  // batches do not span sweeps
}

TEST(FixedScheduleTest, FractionsOfASweepRoundDown) {
  const std::vector<VariableId> order = {1, 2, 3, 4};
  EXPECT_EQ(all_of(mcmc::FixedSchedule(order, 1.5)).visits, (std::vector<VariableId>{1, 2, 3, 4, 1, 2}));
  EXPECT_EQ(all_of(mcmc::FixedSchedule(order, 0.7)).visits, (std::vector<VariableId>{1, 2}));
  EXPECT_TRUE(all_of(mcmc::FixedSchedule(order, 0)).visits.empty());
  EXPECT_TRUE(all_of(mcmc::FixedSchedule({}, 10)).visits.empty());
}

TEST(FixedScheduleTest, OneBatchIsAtMostTheWholeOrder) {
  EXPECT_EQ(all_of(mcmc::FixedSchedule({1, 2, 3}, 2)).sizes, (std::vector<std::size_t>{3, 3}));
}

TEST(FixedScheduleTest, GoesOnAfterABatchThatWasCutShort) {
  Random random(1);
  mcmc::FixedSchedule schedule({5, 3, 9, 7}, 2, 3);
  schedule.observe(schedule.next(random)->first(2), {});
  const Proposal rest = all_of(schedule);
  EXPECT_EQ(rest.visits, (std::vector<VariableId>{9, 7, 5, 3, 9, 7}));
  EXPECT_EQ(rest.sizes, (std::vector<std::size_t>{2, 3, 1}));
}

TEST(FixedScheduleTest, AsksForGainsOnlyOnRequest) {
  Random random(1);
  mcmc::FixedSchedule with({1, 2, 3}, 1, 2, true), without({1, 2, 3}, 1, 2);
  EXPECT_NE(with.detail(*with.next(random)).gains, nullptr);
  EXPECT_EQ(without.detail(*without.next(random)).gains, nullptr);
}

}  // namespace
}  // namespace fovea::sequence
