// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/contraction.h"
#include "fovea/graph/propagation/factor_slice.h"
#include "fovea/graph/propagation/message_layout.h"

namespace fovea::graph {

struct DualBoundOptions {
  double tolerance = 1e-9;  ///< converged when an iteration lowers the bound by less than tolerance * (1 + |bound|)
  int decode_period = 4;    ///< iterations from one decoded assignment to the next; the last one decodes too

  static void describe(auto&& visit) {
    visit(&DualBoundOptions::tolerance,
          number_from(0, "bound-tolerance",
                      "The bound has converged when an iteration lowers it by less than this * (1 + |bound|)."));
    visit(&DualBoundOptions::decode_period,
          number_from(1, "decode-period", "Number of iterations from one decoded assignment to the next."));
  }
};

/// The square tables of a graph that have one score on the diagonal and one off it.
class PottsTables {
 public:
  /// Tables of fewer values than this are left out: reading them whole is faster.
  static constexpr std::size_t kMinCardinality = 8;

  explicit PottsTables(const FactorGraph& graph);

  bool contains(TableId table) const { return !scores_.empty() && scores_[table].is_potts; }

  /// message[x] = max over k of table[k, x] + vector[k], in O(cardinality). Requires contains(table).
  void maximize(TableId table, const double* vector, std::size_t cardinality, double* message) const;

 private:
  struct Scores {
    bool is_potts = false;
    double same = 0, different = 0;
  };
  static Scores scores_of(std::span<const double> table, std::size_t cardinality);

  std::vector<Scores> scores_;  // [table]; empty without Potts tables
};

/// An upper bound on the score of every assignment, by sequential reweighted message passing, and assignments decoded
/// from it.
///
/// Messages m_fv(x_v) move score from factors of two or more variables to single variables without changing any
/// assignment's total:
///
///   theta'_v(x_v) = theta_v(x_v) + sum_f m_fv(x_v),    theta'_f(x) = theta_f(x) - sum_{v in f} m_fv(x_v)
///   max_y score(y) <= sum_v max theta'_v + sum_f max theta'_f
///
/// A forward pass visits the variables in their order: v takes from every factor with an earlier variable all that it
/// can (m_fv grows by the max-marginal of theta'_f, which becomes zero), then gives every factor with a later variable
/// the share 1 / max(earlier, later) of theta'_v. A backward pass does the same in reverse. No step raises the bound.
/// For pairwise models this is TRW-S (Kolmogorov 2006), for others SRMP with single variables as separators (Kolmogorov
/// 2015, "A new look at reweighted message passing"); shares are those of TRW-S for any arity.
///
/// Decoding: in order, each variable takes its best value given the earlier ones; the later variables of a factor are
/// maximised out of theta'. Log domain, double; -inf is legal: a value found to be impossible stays impossible. One
/// pass costs O(entries * arity); tables with one score on the diagonal and one off it cost O(K). The stop is polled
/// within passes, decoding and scoring; a run that is cut short leaves a valid bound. run(a) followed by run(b) equals
/// run(a + b).
class DualBound {
 public:
  /// Keeps a reference to `graph`. Throws UsageError for options out of range.
  explicit DualBound(const FactorGraph& graph, const DualBoundOptions& options = {});

  /// Approximate number of bytes that an object for this graph allocates.
  static std::size_t predicted_bytes(const FactorGraph& graph);

  /// Runs up to the given number of further iterations (a forward and a backward pass each); fewer if is_finished() or
  /// stopped.
  Work run(std::uint64_t iterations, const Stop& stop = {});

  /// Upper bound on the score of every assignment; +inf before the first pass has ended, -inf if no assignment is
  /// feasible.
  double upper_bound() const { return upper_bound_; }
  /// Bound that the messages prove after the last finished pass: upper_bound() up to rounding.
  double last_bound() const { return last_bound_; }
  /// The best assignment decoded so far; not found() if all were infeasible.
  const ScoredAssignment& best() const { return best_; }
  std::uint64_t iterations() const { return iterations_; }

  /// True if the last iteration lowered the bound by less than the tolerance.
  bool is_converged() const { return is_converged_; }
  /// True if the best assignment and the bound agree up to rounding, or no assignment is feasible.
  bool is_tight() const;
  bool is_finished() const { return is_converged_ || is_tight(); }

 private:
  enum class Direction { kForward, kBackward };

  /// A variable's place in a factor of two or more variables.
  struct Edge {
    FactorId factor = 0;
    std::uint32_t position = 0;
    std::size_t begin = 0;     // of its vector in messages_
    bool has_earlier = false;  // the factor has a variable before this one
    bool has_later = false;
  };
  std::span<const Edge> edges(VariableId v) const {
    return {edges_.data() + edge_begin_[v], edge_begin_[v + 1] - edge_begin_[v]};
  }
  static bool comes_behind(const Edge& edge, Direction d) {
    return d == Direction::kForward ? edge.has_earlier : edge.has_later;
  }
  static bool comes_before(const Edge& edge, Direction d) {
    return d == Direction::kForward ? edge.has_later : edge.has_earlier;
  }
  VariableId nth(std::size_t i, Direction d) const {
    return static_cast<VariableId>(d == Direction::kForward ? i : graph_.variable_count() - 1 - i);
  }

  void index_edges();
  bool iterate(const Stop& stop);
  bool pass(Direction direction, const Stop& stop);
  bool visit(VariableId v, Direction direction, const Stop& stop);
  bool collect(const Edge& edge, double* message, const Stop& stop);
  void distribute(VariableId v, Direction direction, double highest);
  bool decode(Direction direction, const Stop& stop);
  bool add_decoded_factor(const Edge& edge, VariableId v, Direction direction, const Stop& stop);

  const FactorGraph& graph_;
  DualBoundOptions options_;
  MessageLayout layout_;
  PottsTables potts_;
  double constant_ = 0;
  std::vector<std::size_t> edge_begin_{0};  // [variable + 1]
  std::vector<Edge> edges_;
  std::vector<double> shares_;    // [variable]: part of its score for each factor with later (earlier) variables
  std::vector<double> unary_;     // theta_v, -inf once a value is known to be impossible
  std::vector<double> messages_;  // -m_fv: the gain of factor f at each value of v

  double pass_bound_ = 0;  // of the pass under way
  double last_bound_ = std::numeric_limits<double>::infinity();
  double upper_bound_ = std::numeric_limits<double>::infinity();
  ScoredAssignment best_ = {};
  Assignment decoded_;
  std::uint64_t iterations_ = 0, decoded_iterations_ = 0;
  bool is_converged_ = false;
  Work work_ = {};
  StopMeter meter_;

  Contraction<MaxPlus> contraction_;
  FactorSlice slice_;
  std::vector<const double*> vectors_;
  std::vector<std::uint32_t> cardinalities_;
  std::vector<double> scores_, collected_;
};

}  // namespace fovea::graph
