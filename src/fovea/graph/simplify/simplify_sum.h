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
  /// A variable is summed out if the table that replaces its factors has at most this many entries, or no more than
  /// they have together (which nearly always holds for variables with one or two neighbours).
  std::size_t max_table_entries = 16;
  /// Larger tables are not searched for independences.
  std::size_t max_split_entries = 4096;
};

/// Returns a smaller model with the same log Z; its variables are unrelated to the whole model's.
///
/// Repeats, until nothing changes:
///  - sums out variables whose bucket is cheap;
///  - removes values that a factor excludes, and variables with one value left;
///  - merges values a, b of a variable where every factor has f(a, .) = f(b, .) + constant (allele recoding in linkage
///    analysis is a case of it, O'Connell and Weeks 1995);
///  - replaces a factor f(x, y, rest) in which x and y are independent given the rest by g(x, rest) h(y, rest), which
///    takes an edge out of the graph; hard constraints often leave such factors once values are gone;
///  - adds factors up if the scope of one lies inside another's.
///
/// Throws InfeasibleError if it finds that every assignment breaks a constraint (it need not find it). If `stop` is
/// requested, returns what was reached so far.
FactorGraph simplify_sum(const FactorGraph& graph, const SumSimplificationOptions& options = {}, const Stop& stop = {});

/// Seconds, roughly, that `stop` cannot cut short: the whole model is copied in, and the rest of it out.
double least_simplifying_seconds(const FactorGraph& graph);

/// A smaller model with the same log Z whose marginals give those of most variables of the whole model.
class MarginalSimplification {
 public:
  static constexpr VariableId kSingleValue = std::numeric_limits<VariableId>::max(), kLeftOut = kSingleValue - 1;

  /// Fate of a value: the value of the smaller model that it belongs to, and P(it | that value).
  struct Origin {
    Value value = 0;
    double share = 0;
  };
  struct Variable {
    VariableId number = kSingleValue;  ///< in the smaller model, or one of the above
    std::vector<Origin> values = {};   ///< [value of the whole model]
  };

  MarginalSimplification(FactorGraph graph, std::vector<Variable> variables)
      : graph_(std::move(graph)), variables_(std::move(variables)) {}

  const FactorGraph& graph() const { return graph_; }
  /// True if it gives no marginals of some variables.
  bool leaves_out() const;
  /// Marginals of the whole model from those of graph(), both [variable][value], linear domain. Rows of variables that
  /// are left out are empty.
  std::vector<std::vector<double>> lift(const std::vector<std::vector<double>>& marginals) const;

 private:
  FactorGraph graph_;
  std::vector<Variable> variables_;  // [variable of the whole model]
};

/// Makes the same simplifications where marginals are wanted. With variables summed out in the order v1, v2, ...,
///
///   p(y) = p(y of those left) ... p(y_v2 | N(v2)) p(y_v1 | N(v1)),   N(v): v's neighbours when it was summed out,
///
/// so variables come back, the last first, each with its conditional table in place of all factors that it was in. A
/// variable whose neighbours no longer share a table (the table that replaced it was split) would tie them together
/// again, in clusters of everything between them; it is left out. Values merge only if the conditional tables do not
/// tell them apart either. Throws and stops as simplify_sum() does.
MarginalSimplification simplify_for_marginals(const FactorGraph& graph, const SumSimplificationOptions& options = {},
                                              const Stop& stop = {});

}  // namespace fovea::graph
