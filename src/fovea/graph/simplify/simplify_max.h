// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/simplify/mutable_graph.h"

namespace fovea::graph {

/// Values of a variable that an optimal assignment may need. Values are positions in MutableGraph::values.
struct ValueComparison {
  std::vector<Value> kept = {};                         ///< ascending; empty: no value is possible
  std::vector<std::pair<Value, Value>> dominated = {};  ///< (value, another that is never worse), in order of removal
};

/// Leaves out the values that a factor of v excludes, and those that another value dominates, whatever the neighbours'
/// values (for the inequality see MaxSimplification). Compares no further values once `stop` is requested.
ValueComparison compare_values(const MutableGraph& graph, VariableId v, const Stop& stop);

/// Limits of simplify_max.
struct MaxSimplificationOptions {
  /// A variable is maximised out if the table that replaces its factors has at most this many entries, or no more than
  /// they have together (which nearly always holds for variables with one or two neighbours).
  std::size_t max_table_entries = 32;
  /// Variables with more neighbours than this are not maximised out; with 2, factors of two variables stay factors of
  /// two.
  std::size_t max_neighbours = std::numeric_limits<std::size_t>::max();
};

/// A smaller model with the same maximum, for MAP only: other scores and all sums differ.
///
/// Repeats the following until nothing changes: maximises variables out (max-product elimination of cheap buckets),
/// removes values that a factor excludes or that another value of the variable dominates, conditions on variables with
/// one value left, adds factors up if the scope of one lies inside another's, and puts x for a variable that a factor
/// makes a function of x (|x - y| = 238 of radio links: no table grows by it). Value a dominates value b if
///   sum over v's factors f of  min over the other variables of (f(a, .) - f(b, .))  >=  0
/// (Goldstein's dead-end elimination; soft dominance in weighted constraint satisfaction).
class MaxSimplification {
 public:
  FactorGraph graph;                  ///< over the variables that are left; every cardinality >= 2
  std::vector<VariableId> variables;  ///< [variable of graph] -> variable of the whole model, ascending
  std::vector<SharedValues> values;   ///< [variable of graph], each [value] -> value in the whole model

  /// The best of all assignments of the whole model that agree with `reduced` on `variables`, among the values that
  /// were kept: its score in the whole model is graph.log_score(reduced), up to rounding.
  Assignment lift(std::span<const Value> reduced) const;

  /// An assignment of `graph` that scores no less than `whole` does in the whole model, up to rounding.
  Assignment restrict(std::span<const Value> whole) const;

 private:
  friend class MaxSimplifier;

  /// A variable that was maximised out: its best value, as a number of the whole model, for each joint value of its
  /// neighbours at that time, the last varying fastest. There may be millions: their parts lie end to end.
  struct Elimination {
    VariableId variable = 0;
    std::uint32_t neighbour_count = 0;
    std::size_t first_neighbour = 0;  // of neighbours_
    std::size_t best = 0;             // begin in best_
  };
  struct Neighbour {
    VariableId variable = 0;
    std::uint32_t domain = 0;  // of domains_: its values at that time, ascending
  };
  /// A value that was dominated.
  struct Replacement {
    VariableId variable = 0;
    Value from = 0, to = 0;
  };

  void begin_elimination(VariableId variable);
  void add_neighbour(VariableId variable, const SharedValues& domain);

  Assignment decided_;  // [variable of the whole model]: for those with one value left
  std::vector<Elimination> eliminations_;
  std::vector<Neighbour> neighbours_;
  std::vector<Value> best_;
  std::vector<SharedValues> domains_;
  std::vector<Replacement> replacements_;
};

/// Throws InfeasibleError if it finds that every assignment breaks a constraint (it need not find it). If `stop` is
/// requested, returns what was reached so far, or the graph itself if that is hardly smaller.
MaxSimplification simplify_max(const FactorGraph& graph, const MaxSimplificationOptions& options = {},
                               const Stop& stop = {});

}  // namespace fovea::graph
