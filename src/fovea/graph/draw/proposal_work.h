// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fovea::graph {

/// Record of proposals.
struct ProposalWork {
  std::uint64_t proposals = 0, accepted = 0;
  std::uint64_t factors = 0;    ///< of the proposed variables
  std::uint64_t looked_at = 0;  ///< of these, those that the decisions needed
  std::uint64_t by_all = 0;     ///< proposals decided by all factors
  std::uint64_t by_bounds = 0;  ///< as by all factors, but early: those left could not change the decision
  std::uint64_t by_draws = 0;   ///< by factors drawn at random

  ProposalWork& operator+=(const ProposalWork& other) {
    proposals += other.proposals;
    accepted += other.accepted;
    factors += other.factors;
    looked_at += other.looked_at;
    by_all += other.by_all;
    by_bounds += other.by_bounds;
    by_draws += other.by_draws;
    return *this;
  }
};

}  // namespace fovea::graph
