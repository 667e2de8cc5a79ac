// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/run.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/components/incremental_clustering.h"
#include "fovea/linkage/job/dedupe.h"

namespace fovea::linkage {

/// Lets the records of `more` join the clusters of `old`, or form new ones; clusters of old records never change. Rows
/// of the result are those of `old`, then those of `more`. Of the job, option 'cluster-column' names the column of
/// `old` that holds the clusters, and option 'id', which may be empty, that of ids in both tables; it needs a model.
/// Throws UsageError without one and for options that have no meaning here, and InputError as append_records() does.
IncrementalClusters update(const io::Table& old, const io::Table& more, DedupeJob job, const Run& run = {});

/// The same from file to file, for a job with option 'clusters': writes old and new records with their clusters, a new
/// one named after its first record. Or only explains a pair of records.
void update_file(DedupeJob job, const Run& run);

}  // namespace fovea::linkage
