// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// All Gibbs chains of a model at once, started from every assignment and driven by the same random numbers: each
/// variable has the set of values that some chain may have there (a bounding chain; Huber 2004, "Perfect sampling using
/// bounding chains"). A sweep visits the variables in the order of ColourChain. A value is drawn by inverting its
/// distribution function at one uniform number; the function is bounded over all values that the neighbours may have,
/// factor by factor. Once every set has one value, all chains have met. Where variables of two values attract each
/// other, the sets are those of the monotone coupling (Propp and Wilson 1996).
class BoundingChain {
 public:
  static constexpr std::size_t kMostValues = 64;

  /// Throws UsageError for a model with a variable of more than kMostValues values. `graph` must outlive the chain.
  explicit BoundingChain(const FactorGraph& graph);

  /// Gives every variable all its values.
  void reset();
  /// Follows one chain, from these values.
  void start(const Assignment& values);
  void sweep(Random& random);
  /// True if all chains have met.
  bool is_single() const { return open_ == 0; }
  bool may_have(VariableId v, Value value) const { return sets_[v] >> value & 1; }
  /// The values of all chains that have met.
  Assignment values() const;

 private:
  /// A factor as one of its variables sees it.
  struct Look {
    std::uint32_t rows;  ///< number in tables_
    std::uint32_t first_other, other_count;
  };
  struct Other {
    VariableId variable;
    std::uint32_t stride;  ///< in rows of the table
  };

  std::uint32_t rows_for(FactorId f, std::uint32_t position);
  void bound(VariableId v);
  void add_bounds(const Look& look, std::size_t values);
  void add_row(const double* row, std::size_t values);

  const FactorGraph* graph_;
  std::vector<VariableId> order_;
  std::vector<std::uint64_t> sets_;      // [variable], bit k: value k
  std::size_t open_ = 0;                 // sets of more than one value
  std::vector<std::size_t> look_begin_;  // [variable + 1]
  std::vector<Look> looks_;
  std::vector<Other> others_;
  std::vector<std::vector<double>> tables_;        // [rows of own values], scores relative to the best of the row
  std::vector<std::vector<std::uint32_t>> known_;  // [table][position]: its number in tables_, or none
  std::vector<double> lowest_, highest_;           // of one factor, then sums over all; [value]
  std::vector<double> total_low_, total_high_;     // [value]
  std::vector<double> rest_low_, rest_high_;       // [value]: weights of this and all later ones
  std::vector<std::size_t> digits_;                // of the others' joint value
};

/// An exact draw from the model's law by coupling from the past (Propp and Wilson 1996, "Exact sampling with coupled
/// Markov chains"): chains from all assignments are started further and further in the past, with the same random
/// numbers at the same time, until they have met at present. None if they have not met when they were started `most`
/// sweeps ago, or when `stop` asks to end. `sweeps` gets the number of sweeps made.
std::optional<Assignment> draw_from_the_past(BoundingChain& chain, const Random& random, std::uint64_t most,
                                             const Stop& stop, std::uint64_t& sweeps);

/// The number of sweeps after which chains from all assignments have met; none after `most` of them, or when `stop`
/// asks to end.
std::optional<std::uint64_t> meeting_time(BoundingChain& chain, Random random, std::uint64_t most, const Stop& stop);

/// An upper bound of the total variation distance between the law of a chain with restarts and the model's:
///
///   |pi~ - pi| <= sum_t epsilon (1 - epsilon)^t P(not met after t sweeps) = E[1 - (1 - epsilon)^tau]
///
/// where tau is the meeting time. The expectation is estimated from these, of which an infinite one stands for chains
/// that have not met; the answer is the upper end of its one-sided 95 % interval by the normal approximation, at
/// most 1.
double distance_with_restarts(std::span<const double> meeting_times, double epsilon);

}  // namespace fovea::graph
