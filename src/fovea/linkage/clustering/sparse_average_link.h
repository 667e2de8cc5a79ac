// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/clustering/sparse_pairs.h"

namespace fovea::linkage {

/// Clusters by average link as long as the mean pair score of some two clusters is positive: the two with the highest
/// one merge (see average_link.h). Only clusters between which there is a link are looked at, so each merge takes time
/// in proportion to their neighbours; scores of pairs without a link are filled in where a mean needs them. Memory
/// grows with the number of links. If `stop` is requested, it returns the clusters so far.
///
/// Returns for each record its cluster, named by one of its records. Ties go to the clusters with the lower names.
std::vector<ClusterId> sparse_average_link(const SparsePairs& pairs, const Stop& stop = {});

}  // namespace fovea::linkage
