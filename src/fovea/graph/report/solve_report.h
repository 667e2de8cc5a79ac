// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/graph/task/solve_result.h"
#include "fovea/io/output_file.h"

namespace fovea::graph {

/// Score and bound at one time of a search.
struct SolveStep {
  double seconds = 0, score = 0, bound = 0;  ///< natural logarithms
};

/// Request to `fovea solve`, its answer and what that cost; starts as "not run".
struct SolveReport {
  SolveOptions asked = {};
  std::string time_limit = "", budget = "", memory_limit = "";  ///< as given; empty: none
  std::uint64_t memory_bytes = 0;                               ///< memory_limit in bytes
  std::size_t variables = 0, factors = 0, table_entries = 0;
  Evidence evidence = {};
  std::vector<VariableId> query = {};  ///< MMAP
  ModelNames names = {};
  SolveResult result = {};
  std::vector<SolveStep> steps = {};  ///< each rise of the score and fall of the bound; none if no page asks for them
  double read_seconds = 0;
  double seconds = 0;  ///< from process start
  int threads = 1;

  /// Facts of the answer, whatever its type; "not run" before there is one.
  SolveFacts facts() const;
  /// One line.
  std::string brief() const;
  /// A table of what was given and what was used, then the seconds and outcome of each phase.
  std::string full() const;
  /// The answer with everything that full() shows, as one JSON object. Scores are natural logarithms unless their name
  /// says log10; infinite or unknown values are null. Variables and values are numbers; with names, "named" repeats
  /// them.
  std::string json() const;
};

/// Writes the answer in the format of the UAI competitions: the task, then values, marginals or log10 Z.
void write_solution(const SolveReport& report, io::OutputFile& output);

/// One line of a trace: {"seconds": ..., "score": ..., "bound": ..., "method": ..., "transitions": ...}.
std::string trace_line(const Progress& progress);

}  // namespace fovea::graph
