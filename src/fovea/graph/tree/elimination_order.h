// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Rule for the variable to eliminate next: the one that joins the fewest pairs of neighbours, whose table has the
/// fewest entries, or that has the fewest neighbours. Ties are broken at random.
enum class EliminationRule { kMinFill, kMinWeight, kMinDegree };

struct EliminationOptions {
  std::vector<EliminationRule> rules = {EliminationRule::kMinFill, EliminationRule::kMinWeight};
  int tries = 6;  ///< try t follows rules[t % rules.size()]; the order with the fewest entries in all tables wins
  double max_log2_width = std::numeric_limits<double>::infinity();  ///< a try is given up above that
  /// Limit on the work of all tries together, in neighbours looked at, some 3e8 a second. Ends a search that must not
  /// look at a clock.
  double max_work = std::numeric_limits<double>::infinity();
  /// A search whose first six tries are all wider ends with them.
  double hopeless_log2_width = std::numeric_limits<double>::infinity();
  std::vector<char> skipped = {};  ///< [variable] nonzero: conditioned on, left out of the order; empty: none
  std::vector<char> last = {};     ///< [variable] nonzero: eliminated after all that are not; empty: none
};

/// An order in which variables are eliminated, and what that costs: a table over each variable and its neighbours at
/// that moment. Costs are infinite if they exceed a double.
struct EliminationOrder {
  std::vector<VariableId> order = {};
  double log2_width = std::numeric_limits<double>::infinity();     ///< log2 of the largest table's entries
  double total_entries = std::numeric_limits<double>::infinity();  ///< of all tables
  std::size_t depth = 0;  ///< variables on the longest path of the elimination tree

  bool found() const { return log2_width < std::numeric_limits<double>::infinity(); }
};

/// Finds the best of some greedy tries (Rose 1970; Kjaerulff 1990 for weights). Not found() if every try was given up;
/// throws LimitError if `stop` or the limit on work came before the first try ended. The same stream gives the same
/// result, unless `stop` cuts tries off. A try costs about the sum over variables of the squared number of neighbours
/// that they have when eliminated.
EliminationOrder find_elimination_order(const FactorGraph& graph, const EliminationOptions& options, Random random,
                                        const Stop& stop = {});

}  // namespace fovea::graph
