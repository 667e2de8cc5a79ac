// SPDX-License-Identifier: Apache-2.0
// Marginals may not be averaged over visits of a schedule that looks at the labels it changes: they would be biased.
// refused: constraints not satisfied|no matching function
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/sequence/decode/marginal_average.h"
#include "fovea/sequence/policy/queue_schedule.h"

#if FOVEA_MISUSE
using Schedule = fovea::sequence::HeapSchedule;
#else
using Schedule = fovea::mcmc::FixedSchedule;
#endif

fovea::RunSummary average(const fovea::sequence::LabelSequences& sequences, Schedule& schedule,
                          fovea::Assignment& labels, fovea::Random& random, fovea::sequence::MarginalAverage& average) {
  return fovea::sequence::run_for_marginals(labels, schedule, fovea::sequence::SequenceGibbs(sequences), fovea::Run(),
                                            random, 0, average, [](auto&&, auto&&) {});
}
