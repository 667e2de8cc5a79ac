// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/acceptance_rules.h"

#include <gtest/gtest.h>

#include "fovea/linkage/clustering/record_move.h"
#include "tests/support/partition_chains.h"

namespace fovea {
namespace {

using testing::PairTable;

/// A change that knows its sum from grouped statistics.
template <class Change>
struct Grouped {
  const Change& change;

  std::size_t size() const { return change.size(); }
  double difference(std::size_t j) const { return change.difference(j); }
  mcmc::GroupedSum grouped() const { return {.sum = mcmc::total_difference(change), .lookups = 2}; }
  std::size_t grouped_cost() const { return 1; }
};

/// A rule that passes every change on with its sum.
template <class Rule>
struct WithSum {
  Rule rule;

  template <class Change, class Random>
  mcmc::Decision decide(const Change& change, double log_proposal_ratio, Random& random) {
    return rule.decide(Grouped<Change>{change}, log_proposal_ratio, random);
  }
};

template <class Rule>
double gap(Rule rule) {
  const PairTable model(4, 1.5);
  return testing::invariance_gap(model, {}, [&](auto& clustering, auto& random) {
    move_record(clustering, linkage::CompanionProposal(0.2), rule, random);
  });
}

TEST(AcceptanceRulesTest, GroupedEvaluationLeavesTheTargetInvariant) {
  EXPECT_LT(gap(WithSum<mcmc::GroupedRule>{}), 1e-12);
}

/// Ten factors of -1 each.
struct TenFactors {
  std::size_t size() const { return 10; }
  double difference(std::size_t) const { return -1; }
};

TEST(AcceptanceRulesTest, WorkIsWhatWasLookedAt) {
  const TenFactors change;
  const Grouped<TenFactors> grouped{change};
  Random random(1);
  EXPECT_EQ(mcmc::ExactRule().decide(change, 0, random).factors, 10u);
  EXPECT_EQ(mcmc::GroupedRule().decide(grouped, 0, random).factors, 0u);
  EXPECT_EQ(mcmc::GroupedRule().decide(grouped, 0, random).lookups, 2u);
}

}  // namespace
}  // namespace fovea
