// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_move.h"

#include <gtest/gtest.h>

#include <set>

#include "fovea/linkage/clustering/pair_clustering.h"
#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "fovea/mcmc/subsample/hard_bound_rule.h"
#include "fovea/mcmc/subsample/sequential_rule.h"
#include "fovea/mcmc/subsample/tuna_rule.h"
#include "tests/support/partition_chains.h"

namespace fovea::linkage {
namespace {

using testing::exact_law;
using testing::invariance_gap;
using testing::PairTable;

/// Thresholds at which the decision of some move changes: all positive values of -(sum of differences + log of the
/// proposals' ratio).
template <class Proposal>
std::vector<double> thresholds(const PairTable& model, const Proposal& proposal) {
  std::set<double> cuts;
  for (const auto& [start, p] : exact_law(model)) {
    const Partition partition(start);
    testing::EnumeratingRandom().enumerate(
        [&, &partition = partition](auto& random) {
          const auto move = proposal.propose(partition, random.uniform_index(model.record_count()), random);
          if (!move) return;
          const double sum = mcmc::total_difference(RecordChange(model, partition, move->record, move->to));
          if (const double cut = -(sum + move->log_ratio); cut > 0) cuts.insert(cut);
        },
        [](double) {});
  }
  return {cuts.begin(), cuts.end()};
}

template <class Proposal, class Rule>
double gap(const PairTable& model, const Proposal& proposal, Rule rule) {
  return invariance_gap(model, thresholds(model, proposal),
                        [&](auto& clustering, auto& random) { move_record(clustering, proposal, rule, random); });
}

TEST(RecordMoveTest, ExactRulesLeaveTheTargetInvariant) {
  const PairTable model(4, 1.5);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::ExactRule()), 1e-12);
  EXPECT_LT(gap(model, CompanionProposal(0.2), mcmc::ExactRule()), 1e-12);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::HardBoundRule()), 1e-12);
  EXPECT_LT(gap(model, CompanionProposal(0.2), mcmc::HardBoundRule()), 1e-12);
}

TEST(RecordMoveTest, MovesAlongLinksLeaveTheTargetInvariant) {
  const PairTable model(4, 1.5);
  const std::vector<RecordLink> links = {{0, 1, 1}, {1, 2, 1}};  // and record 3 has no neighbour
  const SparsePairs pairs(4, links, [](RecordId, RecordId) { return 0; });
  EXPECT_LT(gap(model, NeighbourProposal(pairs, .2), mcmc::ExactRule()), 1e-12);
  EXPECT_LT(gap(model, NeighbourProposal(pairs, .7), mcmc::HardBoundRule()), 1e-12);
}

// The size of its batches is unbounded: with small scores few are large.
TEST(RecordMoveTest, TunaLeavesTheTargetInvariant) {
  const PairTable model(3, 0.01);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::TunaRule(1)), 1e-12);
  EXPECT_LT(gap(model, CompanionProposal(0.3), mcmc::TunaRule(2)), 1e-12);
}

/// Wrong on purpose: leaves out the ratio of the proposals.
struct ForgetsTheProposal {
  template <class Random>
  std::optional<RecordProposal> propose(const Partition& partition, RecordId m, Random& random) const {
    auto move = UniformProposal().propose(partition, m, random);
    if (move) move->log_ratio = 0;
    return move;
  }
};

TEST(RecordMoveTest, TheRatioOfTheProposalsIsNeeded) {
  EXPECT_GT(gap(PairTable(4, 1.5), ForgetsTheProposal(), mcmc::ExactRule()), 1e-3);
}

TEST(RecordMoveTest, EstimatesOfAllFactorsAreExact) {
  const PairTable model(4, 1.5);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::EstimateRule(mcmc::UniformFraction(1))), 1e-12);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::EstimateRule(mcmc::ExactSum())), 1e-12);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::EstimateRule(mcmc::ConfidenceInterval({.minimum = 6}))), 1e-12);
}

// Rules that promise less: the bias is there, and grows with what is left out.
TEST(RecordMoveTest, EstimatesAreBiasedAndMoreSoWithFewerFactors) {
  const PairTable model(4, 1.5);
  const double half = gap(model, UniformProposal(), mcmc::EstimateRule(mcmc::UniformFraction(0.5)));
  const double one = gap(model, UniformProposal(), mcmc::EstimateRule(mcmc::UniformFraction(0.01)));
  EXPECT_GT(half, 1e-4);
  EXPECT_GT(one, half);
}

TEST(RecordMoveTest, ASequentialRuleOfAllFactorsIsExact) {
  const PairTable model(4, 1.5);
  EXPECT_LT(gap(model, UniformProposal(), mcmc::SequentialRule({.minimum = 6})), 1e-12);
}

}  // namespace
}  // namespace fovea::linkage
