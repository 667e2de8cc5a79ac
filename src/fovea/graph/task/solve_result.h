// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/graph/task/search_policy.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// Record of one phase of the solver.
struct SolvePhase {
  std::string name = "";
  double seconds = 0;
  Work work = {};
  std::string outcome = "";  ///< one line for the report: "12 of 400 variables left", "would need 17 GB"
};

/// Degree to which the answer can be trusted.
enum class SolveStatus {
  kNotRun,
  kExact,      ///< MAP and MMAP: proved optimal. MAR and PR: exact up to rounding
  kBestSoFar,  ///< MAP and MMAP: the best found; bound says how far from the best possible at most
  kEstimate,   ///< MAR and PR: with errors if the method gives any. MMAP: the score is an estimate, too
};
constexpr auto words_of(SolveStatus) {
  using enum SolveStatus;
  return std::array{Word{kNotRun, "not run"}, Word{kExact, "exact"}, Word{kBestSoFar, "best so far"},
                    Word{kEstimate, "estimate"}};
}

/// Facts that every answer states about itself; starts as "not run". Scores, bounds and log Z are natural logarithms of
/// the whole model with its evidence.
struct SolveFacts {
  SolveStatus status = SolveStatus::kNotRun;
  std::string method = "";  ///< what the answer comes from
  std::vector<SolvePhase> phases = {};
  Work work = {};
  double seconds = 0;

  bool is_exact() const { return status == SolveStatus::kExact; }
};

/// An assignment, with a bound on the best score.
struct BestResult : SolveFacts {
  ScoredAssignment best = {};
  double bound = std::numeric_limits<double>::infinity();

  double gap() const { return bound - best.score; }
  /// One line for people.
  std::string brief() const;
};

/// The likeliest assignment.
struct MapResult : BestResult {
  std::vector<ScoredAssignment> diverse = {};  ///< best first, `best` among them; empty if one was asked for
  bool diverse_is_complete = false;            ///< as many as asked for, or no other is that far from all of them
  std::vector<std::uint64_t> visits = {};      ///< [variable]: of a grid, by the annealing of strips; else empty
  std::vector<SearcherRecord> searchers = {};  ///< of the portfolio, if there was one
};

/// The likeliest values of the query's variables, the others summed out; `best` has zeros outside the query.
struct MarginalMapResult : BestResult {};

/// The partition function, or the probability of the evidence.
struct PartitionResult : SolveFacts {
  double log_partition = std::numeric_limits<double>::quiet_NaN();
  double log_partition_error = std::numeric_limits<double>::quiet_NaN();  ///< standard error; 0 if exact
  double log_partition_bound = std::numeric_limits<double>::infinity();   ///< log Z is at most this

  /// One line for people.
  std::string brief() const;
};

/// The marginals of every variable, and log Z if it is a by-product.
struct MarginalsResult : PartitionResult {
  std::vector<std::vector<double>> marginals = {};  ///< [variable][value], linear, each sums to 1
  std::size_t exact_variables = 0;  ///< whose marginals are exact; among estimates, those found in a smaller model
  double max_standard_error = std::numeric_limits<double>::quiet_NaN();  ///< of the marginals; 0 if exact, NaN: unknown
  double max_r_hat = std::numeric_limits<double>::quiet_NaN();           ///< rank-normalised; samplers only
  double min_effective_samples = std::numeric_limits<double>::quiet_NaN();
  std::optional<mcmc::Mixing> mixing = {};  ///< of the chains that marginals were drawn from; samplers only
  std::size_t unmoved_variables = 0;        ///< that had one value in all draws of all chains

  /// One line for people.
  std::string brief() const;
};

/// The answer to any task.
using SolveResult = std::variant<std::monostate, MapResult, MarginalsResult, PartitionResult, MarginalMapResult>;

}  // namespace fovea::graph
