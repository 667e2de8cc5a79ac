// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/base/words.h"

namespace fovea::optimize {

/// Record of one iteration of an optimiser; it feeds the callback, log line, trace file and summary.
struct IterationRecord {
  std::string_view phase = "";  ///< "lbfgs", "owlqn", ...
  int iteration = 0;            ///< 0 describes the start
  double objective = 0;         ///< with all penalties
  double gradient_norm = 0;     ///< Euclidean; of the pseudo-gradient if there is an L1 penalty
  double parameter_norm = 0;    ///< Euclidean
  double step = 0;              ///< factor that the line search accepted
  int evaluations = 0;          ///< of objective and gradient, since the start of the phase
  double seconds = 0;           ///< since the start
  std::optional<double> objective_error = std::nullopt;  ///< its standard error, where it is estimated
  std::optional<double> gap = std::nullopt;              ///< upper bound on the objective minus its minimum
  std::optional<double> dev_score = std::nullopt;        ///< on held-out data, where the caller measures one
};

/// Called after every iteration; returning false stops the optimiser, which keeps its current point.
using IterationObserver = std::function<bool(const IterationRecord&)>;

enum class Termination {
  kNotRun,         ///< nothing was minimised
  kConverged,      ///< a tolerance below was met
  kIterations,     ///< max_iterations reached
  kStopped,        ///< the observer returned false
  kNoImprovement,  ///< no step improves the objective within its rounding error
  kNotFinite,      ///< objective or gradient is not finite at the start
};
constexpr auto words_of(Termination) {
  using enum Termination;
  return std::array{Word{kNotRun, "not run"},
                    Word{kConverged, "converged"},
                    Word{kIterations, "iteration limit"},
                    Word{kStopped, "stopped by the caller"},
                    Word{kNoImprovement, "no further improvement"},
                    Word{kNotFinite, "objective not finite"}};
}
constexpr std::string_view to_string(Termination termination) { return word_of(termination); }

/// Rules for stopping. A tolerance of 0 switches its rule off.
struct StoppingOptions {
  /// Stop after this many iterations.
  int max_iterations = 1000;
  /// Stop when |gradient| <= gradient_tolerance * max(1, |x|).
  double gradient_tolerance = 1e-5;
  /// Stop when f_{k-period} - f_k <= decrease_tolerance * |f_k|.
  double decrease_tolerance = 1e-5;
  int period = 10;
};

/// The result of a minimisation; starts as "not run", so that forgetting to run cannot look like success.
struct MinimizeSummary {
  Termination termination = Termination::kNotRun;
  double initial_objective = -1;
  IterationRecord last;

  bool usable() const { return termination != Termination::kNotRun && termination != Termination::kNotFinite; }
  /// The summary in one line.
  std::string brief() const;
};

}  // namespace fovea::optimize
