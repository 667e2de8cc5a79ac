// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/run.h"
#include "fovea/linkage/job/dedupe.h"

namespace fovea::linkage {

/// dedupe_file() for a table that is larger than the memory: the stages of MatchPlan, one after the other, with buckets
/// of records in files below option 'spill'. The table, delimited text, is read three times. The clusters are those of
/// dedupe_file() with the same model, which is needed.
///
/// Takes some 30 bytes a record, and for buckets a part of option 'memory-limit', divided among the threads; a
/// component is never cut. Throws UsageError for options that look at the whole table, and CancelledError or LimitError
/// when asked to stop: nothing is written then. What whole stages have found stays in the folder until the table is
/// written, so that the same job goes on from there after a stop or a crash (SpillState).
void dedupe_by_parts(DedupeJob job, const Run& run);

}  // namespace fovea::linkage
