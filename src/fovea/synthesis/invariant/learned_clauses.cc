// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/learned_clauses.h"

#include <algorithm>

#include "fovea/synthesis/verify/inductive_clauses.h"
#include "fovea/synthesis/verify/program_runs.h"

namespace fovea::synthesis {
namespace {

/// Walks are longer where they have to pass through several predicates.
constexpr int kWalks = 15, kWalkSteps = 15, kMostWalkSteps = 60;

}  // namespace

LearnedClauses learn_clauses(const TransitionSystem& system, const InvariantProblem& problem,
                             const MinedMaterial& material, const Stop& stop, Random random) {
  LearnedClauses learned;
  const int steps = std::min(kMostWalkSteps, kWalkSteps * static_cast<int>(problem.slots.size()));
  const std::vector<ProgramState> states = walk_states(system, kWalks, steps, stop, random);
  if (states.empty()) return learned;
  std::vector<Clause> candidates;
  const auto prove_with = [&](const std::vector<Clause>& more) {
    if (!learned.proving.empty() || more.empty()) return;
    candidates.insert(candidates.end(), more.begin(), more.end());
    std::vector<Clause> inductive = without_implied(inductive_clauses(system, candidates, stop));
    if (inductive.empty()) return;  // nothing beyond what is known was found in time
    learned.inductive = std::move(inductive);
    learned.proving = proving_clauses(system, learned.inductive, stop);
  };
  prove_with(stated_clauses(system, states));
  prove_with(bounding_clauses(system, material, states));
  prove_with(guarded_clauses(system, material, states));
  if (problem.location) prove_with(located_clauses(system, *problem.location, material, states));
  return learned;
}

}  // namespace fovea::synthesis
