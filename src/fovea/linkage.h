// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Records that refer to the same entity: dedupe one table, link two, from file to file; count what the scores of a
/// table depend on, to be saved, added up and given; or carry out, part by part, the stages of a table that is too
/// large for one machine (MatchPlan).

#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/io/table/arrow_stream.h"
#include "fovea/io/table/arrow_table.h"
#include "fovea/io/table/cell_text.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/golden/golden_records.h"
#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/job/explain.h"
#include "fovea/linkage/job/link.h"
#include "fovea/linkage/job/update.h"
#include "fovea/linkage/job/useful_pairs.h"
#include "fovea/linkage/matching/assignment.h"
#include "fovea/linkage/review/review.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/bucket_clusters.h"
#include "fovea/linkage/stages/bucket_links.h"
#include "fovea/linkage/stages/link_forest.h"
#include "fovea/linkage/stages/match_plan.h"
#include "fovea/report/page.h"
