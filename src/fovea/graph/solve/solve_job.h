// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/graph/format/observed_model.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/report/solve_report.h"
#include "fovea/graph/task/solve_options.h"

namespace fovea::graph {

/// The files of a SolveJob besides the model.
struct SolveFiles {
  std::string query = "", start = "", policy = "", output = "", image = "", heatmap = "", trace = "";

  template <class V>
  static void describe(V&& visit);
};

/// What a SolveJob may spend, as texts.
struct SolveLimits {
  std::string time_limit = "", budget = "", memory_limit = "4GB";

  template <class V>
  static void describe(V&& visit);
};

/// A question about a model in a file, as users ask it.
struct SolveJob {
  ModelSource source = {};
  SolveOptions options = {};
  SolveFiles files = {};
  SolveLimits limits = {};

  /// Throws UsageError for options that contradict each other, and for limits that cannot be read.
  void check() const;
  /// When the time limit is over; never without one.
  Stop::Clock::time_point deadline(const Run& run) const;
};

/// What a SolveJob needs from its files.
struct SolveInputs {
  ObservedModel model = {};
  std::vector<VariableId> query = {};
  Assignment start = {};
  std::optional<StripRule> grid_rule = {};
  std::size_t picture_columns = 0;  ///< of the grid that pictures show; 0 where none is asked for
  double seconds = 0;               ///< since the start of the run
};

/// Reads them all. Throws InputError (file:line), and UsageError where the model is not one that the job is for.
SolveInputs read_inputs(const SolveJob& job, const Run& run);

/// Answers the job, under the limits of the job in place of those of `run`; without any, MAP and estimates end after 60
/// seconds. Writes the trace.
SolveReport answer_job(const SolveJob& job, const SolveInputs& inputs, Run run);

/// Writes the answer where the job wants it, as JSON or as the UAI competitions do.
void write_answer(const SolveJob& job, const SolveReport& report, bool as_json);

/// Says where there are fewer diverse answers than were asked for: a note where no other is that far from all of them,
/// a warning where the limits ended the search.
void tell_of_missing_answers(const SolveReport& report, const Run& run);

/// Draws the pictures that the job asks for; warns where there is nothing to draw.
void draw_pictures(const SolveJob& job, const SolveInputs& inputs, const SolveReport& report, const Run& run);

template <class V>
void SolveFiles::describe(V&& visit) {
  using O = SolveFiles;
  visit(&O::query, OptionInfo{.name = "query",
                              .description = "MMAP: the variables to maximise over, a UAI query file.",
                              .value_name = "FILE",
                              .file = FileRole::kInput});
  visit(&O::start, OptionInfo{.name = "start",
                              .description = "MAP: an assignment to begin with, as 'solve' writes it.",
                              .value_name = "FILE",
                              .file = FileRole::kInput});
  visit(&O::policy, OptionInfo{.name = "policy",
                               .description = "MAP of grids: where to sample, as 'fovea tune' learned it, or "
                                              "'universal' (the default) or 'hot-bits', which come with the program.",
                               .value_name = "FILE",
                               .file = FileRole::kInput});
  visit(&O::output, OptionInfo{.name = "output",
                               .description = "Where to write the answer; - or none is standard output.",
                               .value_name = "FILE",
                               .letter = 'o',
                               .file = FileRole::kOutput});
  visit(&O::image, OptionInfo{.name = "image",
                              .description = "MAP of grids: also draw the answer, as PNG.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
  visit(&O::heatmap, OptionInfo{.name = "heatmap",
                                .description = "MAP of grids: draw where the visits went, over the answer, as PNG.",
                                .value_name = "FILE",
                                .file = FileRole::kOutput});
  visit(&O::trace, OptionInfo{.name = "trace",
                              .description = "Write every improvement as a line of JSON: seconds, score, bound, who.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
}

template <class V>
void SolveLimits::describe(V&& visit) {
  using O = SolveLimits;
  visit(&O::time_limit,
        time_limit_option());
  visit(&O::budget, OptionInfo{.name = "budget",
                               .description = "Work, as in '1000 sweeps' or '1e6 transitions': the same answer on "
                                              "every run, at any number of threads.",
                               .value_name = "COUNT"});
  visit(&O::memory_limit, OptionInfo{.name = "memory-limit",
                                     .description = "Tables of exact methods stay below this; what would need more "
                                                    "is answered in another way.",
                                     .value_name = "BYTES"});
}

}  // namespace fovea::graph
