// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

struct SumSimplificationOptions {
  /// A variable is summed out where the table that replaces its factors has at most this many entries, or no more than
  /// they have together (so variables of one or two neighbours nearly always are).
  std::size_t max_table_entries = 16;
  /// Larger tables are not searched for independences.
  std::size_t max_split_entries = 4096;
};

/// A smaller model with the same log Z; its variables have nothing to do with the whole model's.
///
/// Repeats, until nothing changes:
///  - sums variables out whose bucket is cheap;
///  - removes values that a factor excludes, and variables of one value left;
///  - merges values a, b of a variable where every factor says f(a, .) = f(b, .) + constant (allele recoding in linkage
///    analysis is a case of it, O'Connell and Weeks 1995);
///  - replaces a factor f(x, y, rest) in which x and y are independent given the rest by g(x, rest) h(y, rest), which
///    takes an edge out of the graph; hard constraints often leave such factors once values are gone;
///  - adds factors up whose scope lies inside another's.
///
/// Throws InfeasibleError where it finds that every assignment breaks a constraint (it need not find it). When `stop`
/// is requested, what was reached so far is returned.
FactorGraph simplify_sum(const FactorGraph& graph, const SumSimplificationOptions& options = {}, const Stop& stop = {});

/// Seconds, roughly, that `stop` cannot cut short: the whole model is copied in, and what is left of it out.
double least_simplifying_seconds(const FactorGraph& graph);

/// A smaller model with the same log Z whose marginals give those of most variables of the whole model.
class MarginalSimplification {
 public:
  static constexpr VariableId kSingleValue = std::numeric_limits<VariableId>::max(), kLeftOut = kSingleValue - 1;

  /// What became of a value: which value of the smaller model it belongs to, and P(it | that value).
  struct Origin {
    Value value = 0;
    double share = 0;
  };
  struct Variable {
    VariableId number = kSingleValue;  ///< in the smaller model; or one value is left, or it is left out
    std::vector<Origin> values = {};   ///< [value of the whole model]
  };

  MarginalSimplification(FactorGraph graph, std::vector<Variable> variables)
      : graph_(std::move(graph)), variables_(std::move(variables)) {}

  const FactorGraph& graph() const { return graph_; }
  /// Whether it says nothing of some variables.
  bool leaves_out() const;
  /// [variable][value] of graph() to those of the whole model, linear domain; empty rows for what is left out.
  std::vector<std::vector<double>> lift(const std::vector<std::vector<double>>& marginals) const;

 private:
  FactorGraph graph_;
  std::vector<Variable> variables_;  // [variable of the whole model]
};

/// The same simplifications where marginals are wanted. With variables summed out in the order v1, v2, ...,
///
///   p(y) = p(y of those left) ... p(y_v2 | N(v2)) p(y_v1 | N(v1)),   N(v): v's neighbours when it was summed out,
///
/// so variables come back, the last first, each with its conditional table in place of all factors that it was in. One
/// whose neighbours do not share a table any more (the table that replaced it was split) would tie them together
/// again, in clusters of everything between them: it is left out. Values merge only where the conditional tables do not
/// tell them apart either. Throws and stops as simplify_sum() does.
MarginalSimplification simplify_for_marginals(const FactorGraph& graph, const SumSimplificationOptions& options = {},
                                              const Stop& stop = {});

}  // namespace fovea::graph
