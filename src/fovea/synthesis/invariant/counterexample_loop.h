// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/synthesis/invariant/invariant_search.h"

namespace fovea::synthesis {

/// Looks for an inductive invariant by examples (Garg et al. 2014, "ICE: a robust framework for learning invariants"):
/// a formula in disjunctive normal form that errs on no example is found by DnfSearch, over comparisons that the
/// program's text suggests; Z3 tests it and answers with states at which it fails; they become examples. Examples that
/// contradict each other are a run that is unsafe. Where that takes long, clauses that runs of the program suggest and
/// that are inductive by themselves (inductive_clauses.h) are known from then on. The same seed gives the same
/// candidates as long as no call of the solver is cut short and no limit of time is hit.
InvariantAnswer find_by_counterexamples(const TransitionSystem& system, const InvariantSearchOptions& options,
                                        const Stop& stop, const ProgressFunction& progress = {});

}  // namespace fovea::synthesis
