// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/contraction.h"
#include "fovea/graph/propagation/factor_slice.h"
#include "fovea/graph/propagation/message_layout.h"
#include "fovea/graph/propagation/potts_tables.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::graph {

struct DualBoundOptions {
  double tolerance = 1e-9;  ///< converged when an iteration lowers the bound by less than tolerance * (1 + |bound|)
  int decode_period = 4;    ///< an assignment is decoded every so many iterations, and after the last one

  template <class V>
  static void describe(V&& visit) {
    visit(&DualBoundOptions::tolerance,
          OptionInfo{
              .name = "bound-tolerance",
              .description = "the bound has converged when an iteration lowers it by less than this * (1 + |bound|)",
              .min = 0});
    visit(&DualBoundOptions::decode_period,
          OptionInfo{.name = "decode-period", .description = "iterations between two decoded assignments", .min = 1});
  }
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
/// For pairwise models this is TRW-S (Kolmogorov 2006), beyond it SRMP with single variables as separators (Kolmogorov
/// 2015, "A new look at reweighted message passing"); shares are those of TRW-S for any arity.
///
/// Decoding: the variables in order take their best value given the earlier ones; the later ones of a factor are
/// maximised out of theta'. Log domain, double; -inf is legal: a value found impossible stays so. One pass costs
/// O(entries * arity); tables with one score on the diagonal and one beside it cost O(K). Time is asked within passes,
/// decoding and scoring; a run cut short leaves a valid bound. run(a) and run(b) are together run(a + b).
class DualBound {
 public:
  /// Keeps a reference to `graph`. Throws UsageError for options out of range.
  explicit DualBound(const FactorGraph& graph, const DualBoundOptions& options = {});

  /// What an object for this graph will allocate, about.
  static std::size_t predicted_bytes(const FactorGraph& graph);

  /// Up to so many further iterations (a forward and a backward pass each); fewer if is_finished() or stopped.
  Work run(std::uint64_t iterations, const Stop& stop = {});

  /// No assignment scores more; +inf before the first pass has ended, -inf where none is feasible.
  double upper_bound() const { return upper_bound_; }
  /// What the messages prove after the last finished pass: upper_bound() up to rounding.
  double last_bound() const { return last_bound_; }
  /// The best assignment decoded so far; not found() if all were infeasible.
  const mcmc::ScoredAssignment& best() const { return best_; }
  std::uint64_t iterations() const { return iterations_; }

  /// The last iteration lowered the bound by less than the tolerance.
  bool is_converged() const { return is_converged_; }
  /// Best assignment and bound agree up to rounding, or no assignment is feasible.
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
  std::vector<double> shares_;    // [variable]: of its score for each factor with later (earlier) variables
  std::vector<double> unary_;     // theta_v, -inf once a value is known to be impossible
  std::vector<double> messages_;  // -m_fv: what factor f gains at each value of v

  double pass_bound_ = 0;  // of the pass under way
  double last_bound_ = std::numeric_limits<double>::infinity();
  double upper_bound_ = std::numeric_limits<double>::infinity();
  mcmc::ScoredAssignment best_ = {};
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
