// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/mcmc/conditional_model.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// One step towards an answer; the same record feeds trace file, progress bar and report. Seconds count from the start
/// of the solver.
struct Improvement {
  double seconds = 0;
  double score = -std::numeric_limits<double>::infinity();       ///< of the best assignment so far; MAP and MMAP
  double upper_bound = std::numeric_limits<double>::infinity();  ///< of all assignments
  std::string method = "";                                       ///< who found it
  Work work = {};                                                ///< spent so far
};
using ImprovementFunction = std::function<void(const Improvement&)>;

/// What one part of the solver did.
struct SolvePhase {
  std::string name = "";
  double seconds = 0;
  Work work = {};
  std::string outcome = "";  ///< one line for the report: "12 of 400 variables left", "would need 17 GB"
};

/// How far the answer can be trusted.
enum class SolveStatus {
  kNotRun,
  kExact,      ///< MAP and MMAP: proved optimal. MAR and PR: exact up to rounding
  kBestSoFar,  ///< MAP and MMAP: the best found; upper_bound says how far from the best possible at most
  kEstimate,   ///< MAR and PR: with errors where the method has them, without where it has none. MMAP: the score too
};
const char* name_of(SolveStatus status);

/// The answer of solve(). Scores, bounds and log Z are natural logarithms of the whole model with its evidence.
struct SolveResult {
  SolveStatus status = SolveStatus::kNotRun;
  std::string method = "";  ///< what the answer comes from

  mcmc::ScoredAssignment best = {};                              ///< MAP: every variable. MMAP: zeros outside the query
  double upper_bound = std::numeric_limits<double>::infinity();  ///< MAP and MMAP
  std::vector<mcmc::ScoredAssignment> diverse = {};              ///< --diverse: best first, `best` among them
  bool diverse_is_complete = false;        ///< as many as asked for, or no other is that far from all of them
  std::vector<std::uint64_t> visits = {};  ///< MAP of grids: [variable], by the annealing of strips; else empty

  double log_partition = std::numeric_limits<double>::quiet_NaN();        ///< PR (and MAR where it falls out)
  double log_partition_error = std::numeric_limits<double>::quiet_NaN();  ///< standard error; 0 if exact
  double log_partition_bound = std::numeric_limits<double>::infinity();   ///< log Z is at most this

  std::vector<std::vector<double>> marginals = {};  ///< [variable][value], linear, each sums to 1
  std::size_t exact_variables = 0;  ///< MAR: whose marginals are exact; among estimates, those found in a smaller model
  double max_standard_error = std::numeric_limits<double>::quiet_NaN();  ///< of the marginals; 0 if exact, NaN: unknown
  double max_r_hat = std::numeric_limits<double>::quiet_NaN();           ///< rank-normalised; samplers only
  double min_effective_samples = std::numeric_limits<double>::quiet_NaN();
  std::optional<mcmc::Mixing> mixing = {};  ///< of the chains that marginals were drawn from; samplers only
  std::size_t unmoved_variables = 0;        ///< that had one value in all draws of all chains

  std::vector<SolvePhase> phases = {};
  Work work = {};
  double seconds = 0;

  double gap() const { return upper_bound - best.score; }
  /// One line for people.
  std::string brief() const;
};

}  // namespace fovea::graph
