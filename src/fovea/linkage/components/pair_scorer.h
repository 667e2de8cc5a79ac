// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fovea/linkage/blocking/candidate_pairs.h"

namespace fovea::linkage {

/// Scores pairs of rows, first < second, in the place of a match model: log odds that both are of one entity, in nats,
/// finite. For scores that take long, such as those of a language model: a chain asks only for those that its decisions
/// need. It is called by one thread at a time, and at most once for a pair as long as there is memory for the answers.
using PairScorer = std::function<double(RowPair)>;

}  // namespace fovea::linkage
