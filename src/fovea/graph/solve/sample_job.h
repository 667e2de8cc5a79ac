// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/run.h"
#include "fovea/graph/draw/draw_chains.h"
#include "fovea/graph/format/observed_model.h"

namespace fovea::graph {

/// Job that draws from a model in a file, into a table.
struct SampleJob {
  ModelSource source = {};
  DrawOptions draw = {};
  std::string output = "";  ///< CSV; "-" or "" is standard output
};

/// Record of a SampleJob.
struct SampleReport {
  DrawOptions asked = {};
  DrawSummary done = {};

  /// One line. With restarts it says what the draws guarantee, or, if runs were cut, that they guarantee nothing.
  std::string text() const;
  std::string json() const;
};

/// Writes a row for each chain and draw: chain, draw, then the number of each variable's value. Reports progress.
/// Checks the options before the model is read. Throws what read_observed_model and draw_chains throw.
SampleReport sample(const SampleJob& job, const Run& run);

}  // namespace fovea::graph
