// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/run_control.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/components/pair_scorer.h"

namespace fovea::linkage {

/// Scores pairs by a command that is started with the first question (LineProcess). It is asked by lines such as
///
///   {"first": {"name": "Ann", "born": 1980}, "second": {"name": "Anne", "born": null}}
///
/// with all columns of both records, null where a cell is missing, and answers each with a number: log odds that they
/// are of one entity. The scorer throws InputError for an answer that is not a finite number and if the command ends;
/// CancelledError and LimitError when `stop` is requested. `table` must outlive it.
PairScorer command_scorer(const std::string& command, const io::Table& table, const Stop& stop);

}  // namespace fovea::linkage
