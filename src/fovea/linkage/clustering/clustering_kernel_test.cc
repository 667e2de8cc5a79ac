// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_kernel.h"

#include <gtest/gtest.h>

#include "fovea/mcmc/subsample/planned_rule.h"
#include "tests/support/attribute_models.h"
#include "tests/support/partition_chains.h"

namespace fovea::linkage {
namespace {

template <class Model, class Proposal>
double gap(const Model& model, Proposal proposal, double share, double temperature, double expected_temperature) {
  ClusteringKernel kernel(proposal, mcmc::PlannedRule(mcmc::Exactness{}), share);
  return testing::invariance_gap(
      model, {}, [&](auto& clustering, auto& random) { kernel.step(clustering, random, temperature); },
      expected_temperature);
}

TEST(ClusteringKernelTest, ExactMixturesLeaveTheTargetInvariant) {
  const testing::PairTable model(4, 1.5);
  for (const double temperature : {1.0, 0.3, 4.0}) {
    EXPECT_LT(gap(model, CompanionProposal(0.2), 0.3, temperature, temperature), 1e-12);
    EXPECT_LT(gap(model, UniformProposal(), 0.3, temperature, temperature), 1e-12);
  }
  EXPECT_GT(gap(model, CompanionProposal(0.2), 0.3, 0.5, 1), 1e-3);
}

TEST(ClusteringKernelTest, OfSparseAttributesAndWeightsToo) {
  const AttributePairs model = testing::sparse_model(4, Random(1));
  EXPECT_LT(gap(model, CompanionProposal(0.2), 0.3, 2, 2), 1e-12);
  EXPECT_GT(gap(model, CompanionProposal(0.2), 0.3, 2, 1), 1e-3);
}

TEST(ClusteringKernelTest, SaysWhatAScheduleDoesToTheTarget) {
  using Kernel = ClusteringKernel<CompanionProposal, mcmc::ExactRule>;
  static_assert(std::same_as<Kernel::TargetLaw, mcmc::Invariant>);
  static_assert(
      std::same_as<ScheduledClusteringKernel<CompanionProposal, mcmc::ExactRule>::TargetLaw, mcmc::Heuristic>);
}

// The target law of the type is right: records that are alone come first, so the target is not invariant.
TEST(ClusteringKernelTest, AScheduledChoiceIsNotInvariant) {
  const testing::PairTable model(4, 1.5);
  const auto step = [&](auto& clustering, auto& random) {
    using Kernel = ClusteringKernel<CompanionProposal, mcmc::PlannedRule>;
    const RecordRule prefers_alone{.weights = {0, 0, 0, 5}};
    ScheduledClusteringKernel scheduled(Kernel(CompanionProposal(0.2), mcmc::PlannedRule(mcmc::Exactness{}), 0),
                                        RecordSchedule(prefers_alone, clustering.partition()));
    scheduled.step(clustering, random);
  };
  EXPECT_GT(testing::invariance_gap(model, {}, step), 1e-3);
}

}  // namespace
}  // namespace fovea::linkage
