// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/run.h"
#include "fovea/graph/tree/cluster_tree.h"

namespace fovea::graph {

/// Purpose of a junction tree, which decides what tables it needs.
enum class EliminationGoal { kMaximum, kPartition, kMarginals };

/// Seconds that messages along a tree take on one thread, on the machine where the constants were fitted: to about 90
/// phases of public models (UAI 2014, partition functions, marginals and best assignments), within a factor of 2 of
/// each that took 5 ms or more. passes: number of times that they are passed, as for cases; only the first allocates.
double predicted_seconds(const ClusterTree& tree, EliminationGoal goal, double passes = 1);

/// Time of messages on this machine over that on the other, from a small tree that is timed at the first call (a few
/// milliseconds). Between .1 and 10.
double machine_slowness();

/// Seconds on this machine of what takes `seconds` on the other, so far as they are worth timing this one. Where only
/// work is limited they stay as they are, so that plans are the same everywhere.
double seconds_here(double seconds, const Run& run);

}  // namespace fovea::graph
