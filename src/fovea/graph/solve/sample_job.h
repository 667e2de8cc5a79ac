// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/run.h"
#include "fovea/graph/draw/draw_chains.h"
#include "fovea/graph/format/observed_model.h"

namespace fovea::graph {

/// The files of a SampleJob besides the model.
struct SampleFiles {
  std::string output = "", report_html = "";

  static void describe(auto&& visit) {
    using O = SampleFiles;
    visit(&O::output, output_file("output", "Where to write the draws; standard output if omitted or -.", 'o'));
    visit(&O::report_html, output_file("report-html",
                                       "Also write a page for people: the draws, their ranks and their diagnostics, "
                                       "variable by variable. It needs no network."));
  }
};

/// Job that draws from a model in a file, into a table.
struct SampleJob {
  ModelSource source = {};
  DrawOptions draw = {};
  SampleFiles files = {};
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
