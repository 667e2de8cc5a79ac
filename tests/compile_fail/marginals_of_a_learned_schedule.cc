// SPDX-License-Identifier: Apache-2.0
// Marginals are not averaged over the visits of a schedule that looks at the labels it changes: they would be biased.
// refused: constraints not satisfied|no matching function
#include "fovea/sequence/decode/marginal_average.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/mcmc/fixed_schedule.h"

#if FOVEA_MISUSE
using Schedule = fovea::HeapSchedule;
#else
using Schedule = fovea::FixedSchedule;
#endif

fovea::RunSummary average(const fovea::Chains& chains, Schedule& schedule, fovea::Assignment& labels,
                          fovea::Random& random, fovea::MarginalAverage& average) {
  return fovea::run_for_marginals(labels, schedule, fovea::ChainGibbs(chains), fovea::RunLimits(), random, 0, average,
                                  [](auto&&, auto&&) {});
}
