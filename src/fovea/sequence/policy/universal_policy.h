// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/policy/policy.h"

namespace fovea::sequence {

/// A policy for a model that none was tuned for: rounds that begin at each token's own best label and look at doubt, at
/// how surprising the label is next to each neighbour (PairClasses::of_surprise) and at changed neighbours, which needs
/// no labels to be known. They were learned on several corpora (bench/universal_policy). The gains that they expect are
/// those of other corpora: they order sites, but promise nothing about a sum. It has no rounds for the chain start, no
/// order for queues and no profile of methods.
Policy universal_policy(const LabelNgrams& ngrams);

}  // namespace fovea::sequence
