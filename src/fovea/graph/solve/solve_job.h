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
#include "fovea/graph/report/solve_report.h"
#include "fovea/graph/solve/map_policies.h"
#include "fovea/graph/task/solve_options.h"

namespace fovea::graph {

/// The files of a SolveJob besides the model.
struct SolveFiles {
  std::string query = "", start = "", policy = "", output = "", image = "", heatmap = "", trace = "", report_html = "";

  static void describe(auto&& visit);
};

/// Limits of a SolveJob, as texts.
struct SolveLimits {
  std::string time_limit = "", budget = "", memory_limit = "4GB";

  static void describe(auto&& visit);
};

/// A question about a model in a file, as users ask it.
struct SolveJob {
  ModelSource source = {};
  SolveOptions options = {};
  SolveFiles files = {};
  SolveLimits limits = {};

  /// Throws UsageError for options that contradict each other, and for limits that cannot be read.
  void check() const;
  /// End of the time limit; never without one.
  Stop::Clock::time_point deadline(const Run& run) const;
};

/// Inputs of a SolveJob, read from its files.
struct SolveInputs {
  ObservedModel model = {};
  std::vector<VariableId> query = {};
  Assignment start = {};
  MapPolicies policies = {};
  std::size_t picture_columns = 0;  ///< of the grid that pictures show; 0 without one
  double seconds = 0;               ///< since the start of the run
};

/// Reads all inputs. Throws InputError (file:line), and UsageError if the job is not for such a model.
SolveInputs read_inputs(const SolveJob& job, const Run& run);

/// Answers the job within its own limits, which take the place of those of `run`; without any, MAP and estimates end
/// after 60 seconds. Writes the trace.
SolveReport answer_job(const SolveJob& job, const SolveInputs& inputs, Run run);

/// Writes the answer where the job wants it, as JSON or in the format of the UAI competitions.
void write_answer(const SolveJob& job, const SolveReport& report, bool as_json);

/// Reports that there are fewer diverse answers than were asked for, if so: with a note if no other is that far from
/// all of them, with a warning if the limits ended the search.
void tell_of_missing_answers(const SolveReport& report, const Run& run);

/// Draws the pictures that the job asks for; warns if there is nothing to draw.
void draw_pictures(const SolveJob& job, const SolveInputs& inputs, const SolveReport& report, const Run& run);

void SolveFiles::describe(auto&& visit) {
  using O = SolveFiles;
  visit(&O::query, input_file("query", "MMAP: the variables to maximise over, a UAI query file."));
  visit(&O::start, input_file("start", "MAP: an assignment to begin with, as 'solve' writes it."));
  visit(&O::policy, input_file("policy",
                               "MAP: where time is spent, learned by 'fovea tune': which searchers have how much of "
                               "it, or which strips of a grid are visited. For strips, 'universal' (the default) and "
                               "'hot-bits' come with the program."));
  visit(&O::output, output_file("output", "File for the answer; - or none is standard output.", 'o'));
  visit(&O::image, output_file("image", "MAP of grids: also draw the answer, as PNG."));
  visit(&O::heatmap, output_file("heatmap", "MAP of grids: draw where the visits went, over the answer, as PNG."));
  visit(&O::trace, output_file("trace", "Write each improvement as a line of JSON: seconds, score, bound, method."));
  visit(&O::report_html, output_file("report-html",
                                     "Also write a page for people: the answer and how good it is, score and bound "
                                     "over time, phases, and pictures of grids. It needs no network."));
}

void SolveLimits::describe(auto&& visit) {
  using O = SolveLimits;
  visit(&O::time_limit, time_limit_option());
  visit(
      &O::budget,
      option("budget",
             "Work, as in '1000 sweeps' or '1e6 transitions': the same answer on every run, at any number of threads.",
             "COUNT"));
  visit(&O::memory_limit,
        option("memory-limit", "Limit on the tables of exact methods; what would need more is answered in another way.",
               "BYTES"));
}

}  // namespace fovea::graph
