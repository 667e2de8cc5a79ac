// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/indexed_heap.h"
#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/factor_sums.h"
#include "fovea/graph/propagation/message_layout.h"
#include "fovea/graph/propagation/variable_beliefs.h"

namespace fovea::graph {

/// Operation that eliminates the other variables of a factor from a message.
enum class MessageProduct { kSum, kMax };
constexpr auto words_of(MessageProduct) {
  using enum MessageProduct;
  return std::array{Word{kSum, "sum"}, Word{kMax, "max"}};
}

/// The order in which messages are computed.
enum class MessageSchedule { kSequential, kParallel, kResidual };
constexpr auto words_of(MessageSchedule) {
  using enum MessageSchedule;
  return std::array{Word{kSequential, "sequential"}, Word{kParallel, "parallel"}, Word{kResidual, "residual"}};
}

struct BeliefPropagationOptions {
  MessageProduct product = MessageProduct::kSum;            ///< "sum": marginals; "max": max-marginals
  MessageSchedule schedule = MessageSchedule::kSequential;  ///< "sequential", "parallel" or "residual"
  double damping = 0;       ///< log message = damping * last message + (1 - damping) * computed message
  int decode_rounds = 20;   ///< rounds of sweeps over the undecided variables while decoding; 0: none
  double tolerance = 1e-9;  ///< converged when no message (linear, highest value 1) changes by more in an iteration

  static void describe(auto&& visit) {
    visit(&BeliefPropagationOptions::product,
          option("product", "Operation that eliminates other variables: sum for marginals, max for max-marginals."));
    visit(&BeliefPropagationOptions::schedule, option("message-schedule", "Order in which messages are computed."));
    visit(&BeliefPropagationOptions::damping,
          number_in(0, 0.999, "damping",
                    "Damping: log message = damping * last message + (1 - damping) * computed message."));
    visit(&BeliefPropagationOptions::decode_rounds,
          number_from(0, "decode-rounds",
                      "Number of rounds of sweeps over the undecided variables while decoding; 0 means none."));
    visit(&BeliefPropagationOptions::tolerance,
          number_from(0, "message-tolerance",
                      "Messages have converged when none changes by more than this in an iteration."));
  }
};

/// Loopy belief propagation on factors of any arity (Kschischang, Frey, Loeliger 2001), exact on trees.
///
///   m_fv(x_v) = sum over x_f without x_v of f(x_f) * product over u in f, u != v of n_uf(x_u)   (or the maximum)
///   n_vf(x_v) = u_v(x_v) * product over g != f of m_gv(x_v)
///   b_v(x_v)  = u_v(x_v) * product over all f of m_fv(x_v),    u_v: the product of the factors of v alone
///
/// Messages are kept in the log domain, with their highest value at 0. All messages of a factor cost
/// O(entries * arity); n_vf = b_v / m_fv costs O(1) per value, since -inf values are counted, not divided. Zeros in
/// messages are sound: if a variable has no value left, no assignment is feasible.
///
/// Schedules: sequential (variables in order and back again; each receives all its messages), parallel (all messages
/// from those of the last iteration), residual (the message that would change most comes first; Elidan, McGraw and
/// Koller 2006). An iteration computes every message once; a residual iteration sends as many messages as there are.
/// run(a) followed by run(b) equals run(a + b). A run that is cut short leaves usable messages.
class BeliefPropagation {
 public:
  /// Score added to a value of a variable, in the log domain; a negative score discourages the value.
  struct Favour {
    VariableId variable = 0;
    Value value = 0;
    double score = 0;
  };

  /// Keeps a reference to `graph`. Throws UsageError for options out of range.
  explicit BeliefPropagation(const FactorGraph& graph, const BeliefPropagationOptions& options = {});

  /// Approximate number of bytes that an object for this graph allocates.
  static std::size_t predicted_bytes(const FactorGraph& graph, const BeliefPropagationOptions& options = {});

  /// Runs up to the given number of further iterations; fewer if converged, infeasible or stopped.
  Work run(std::uint64_t iterations, const Stop& stop = {});

  /// Starts again with all messages 1, on the scores times `inverse_temperature`: above 1, beliefs lean towards the
  /// best assignments. Each of `favours` adds a score to a value of a variable; decoded assignments are scored without
  /// favours. For the sum product only.
  void restart(double inverse_temperature, std::span<const Favour> favours = {});

  /// Iterations since the last (re)start.
  std::uint64_t iterations() const { return iterations_; }
  /// Largest change of a message in the last iteration; with the residual schedule, the largest still to come. +inf
  /// before the first iteration.
  double change() const { return change_; }
  bool is_converged() const { return change_ <= options_.tolerance; }
  /// True if messages have ruled out every value of some variable: no assignment is feasible.
  bool is_infeasible() const { return is_infeasible_; }

  /// Writes b_v to `belief`, which has cardinality(v) numbers: linear, summing to 1 (max product: with highest value
  /// 1), all 0 if infeasible.
  void belief(VariableId v, std::span<double> belief) const;

  /// The Bethe estimate of log Z (max product: of the highest score), exact on trees after convergence:
  /// sum_f log sum_x f(x) prod n_vf(x_v) - sum_v (degree(v) - 1) log sum_x b_v(x). Returns nothing if stopped.
  std::optional<double> log_partition(const Stop& stop = {});

  /// Finds an assignment by sequential conditioning: the variable whose best value is furthest ahead takes that value,
  /// the messages to its neighbours are recomputed, and so on; decode_rounds times on the way, those to all undecided
  /// variables are recomputed. The object's own messages do not change. On loopy graphs the sum product often decodes
  /// to higher scores than the max product. Not found() if stopped or if that assignment is infeasible.
  ScoredAssignment decode(const Stop& stop = {});

 private:
  /// A variable's place in a factor of two or more variables.
  struct Edge {
    FactorId factor = 0;
    std::uint32_t position = 0;
  };
  std::span<double> message(FactorId f, std::size_t position, std::vector<double>& messages) const;
  std::size_t arity(FactorId f) const { return graph_.scope(f).size(); }

  bool iterate(const Stop& stop);
  bool run_sequential(const Stop& stop);
  bool run_parallel(const Stop& stop);
  bool run_residual(const Stop& stop);
  bool start_residual(const Stop& stop);
  bool refresh_residuals(VariableId v, FactorId except, const Stop& stop);
  bool refresh_residual(FactorId f, std::uint32_t position, const Stop& stop);

  double take_vectors(FactorId f, std::size_t except);
  bool compute(FactorId f, std::uint32_t position, std::span<double> out, const Stop& stop);
  bool compute_undamped(FactorId f, std::uint32_t position, std::span<double> out, const Stop& stop);
  void damp(std::span<const double> old, std::span<double> computed) const;
  bool decide_all(Assignment& y, const Stop& stop);
  bool tell_neighbours(VariableId v, IndexedHeap& open, const Stop& stop);
  bool sweep_open(IndexedHeap& open, const Stop& stop);
  float confidence(VariableId v);

  const FactorGraph& graph_;
  BeliefPropagationOptions options_;
  MessageLayout layout_;
  FactorSums sums_;
  std::vector<double> messages_, pending_;
  VariableBeliefs beliefs_;
  std::uint64_t iterations_ = 0;
  double change_ = std::numeric_limits<double>::infinity();
  bool is_infeasible_ = false;
  Work work_ = {};
  StopMeter meter_;

  std::optional<IndexedHeap> residuals_;  // of slots
  std::vector<Edge> slot_edges_;          // [slot]; residual schedule only
  std::vector<double> computed_, vector_values_;
  std::vector<const double*> vectors_;
};

}  // namespace fovea::graph
