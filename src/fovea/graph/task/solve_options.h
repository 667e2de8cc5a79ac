// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>

#include "fovea/base/assignment.h"
#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/task/search_policy.h"

namespace fovea::graph {

/// Quantity to compute from a discrete model.
enum class SolveTask { kMap, kMarginals, kPartition, kMarginalMap };
constexpr auto words_of(SolveTask) {
  using enum SolveTask;
  return std::array{Word{kMap, "MAP"}, Word{kMap, "MPE"}, Word{kMarginals, "MAR"}, Word{kPartition, "PR"},
                    Word{kMarginalMap, "MMAP"}};
}

/// Means by which to compute it.
enum class SolveMethod { kAuto, kExact, kSearch, kMessages, kSampling };
constexpr auto words_of(SolveMethod) {
  using enum SolveMethod;
  return std::array{Word{kAuto, "auto"}, Word{kExact, "exact"}, Word{kSearch, "search"}, Word{kMessages, "messages"},
                    Word{kSampling, "sampling"}};
}

/// Descriptions of the options that several structs share.
namespace option_info {
inline OptionInfo method() {
  return option("method",
                "Method of inference: auto plans under the limits; exact gives a proved answer or none; search only "
                "looks for better assignments (MAP); messages only propagates beliefs; sampling only draws (MAR: Gibbs "
                "sampling, PR: annealed importance sampling).");
}
inline OptionInfo target_error() {
  return number_in(
      0, 1, "target-error",
      "MAR and PR, where no method is exact: draw samples until the standard error of every probability, "
      "or of log10 Z, is <= this. With 0, samples take the time or work that the limits leave; without any "
      "limit, MAR draws none.");
}
inline OptionInfo diverse() {
  return number_in(
      1, 1000, "diverse",
      "MAP: number of good answers that differ from each other. The best takes half of the time, the others the rest.");
}
inline OptionInfo distance() {
  return number_in(1, 1e9, "distance", "Minimum number of variables in which two answers of option 'diverse' differ.");
}
}  // namespace option_info

/// Options for finding the likeliest assignment.
struct MapOptions {
  SolveMethod method = SolveMethod::kAuto;
  int diverse = 1;
  int distance = 1;
  Assignment start = {};  ///< values of all variables to begin with; empty: none
  /// An assignment whose costs (minus its log score) add up to this or more is impossible.
  double cost_bound = std::numeric_limits<double>::infinity();
  const StripRule* grid_rule = nullptr;  ///< of grids: where to sample; null: the universal rule. Must outlive the call
  const SearchPolicy* search_policy = nullptr;  ///< shares of searchers; null: all the same. Must outlive the call

  static void describe(auto&& visit) {
    visit(&MapOptions::method, option_info::method());
    visit(&MapOptions::diverse, option_info::diverse());
    visit(&MapOptions::distance, option_info::distance());
  }
};

/// Options for finding marginals or the partition function.
struct SumOptions {
  SolveMethod method = SolveMethod::kAuto;
  double target_error = 0;

  static void describe(auto&& visit) {
    visit(&SumOptions::method, option_info::method());
    visit(&SumOptions::target_error, option_info::target_error());
  }
};

/// Options for finding the likeliest values of some variables.
struct MarginalMapOptions {
  SolveMethod method = SolveMethod::kAuto;

  static void describe(auto&& visit) { visit(&MarginalMapOptions::method, option_info::method()); }
};

/// A task and its options in one list, for front ends that have one command for all tasks.
struct SolveOptions {
  SolveTask task = SolveTask::kMap;
  SolveMethod method = SolveMethod::kAuto;
  double target_error = 0;
  int diverse = 1;
  int distance = 1;

  MapOptions map() const { return {.method = method, .diverse = diverse, .distance = distance}; }
  SumOptions sums() const { return {.method = method, .target_error = target_error}; }

  static void describe(auto&& visit) {
    using O = SolveOptions;
    visit(&O::task, option("task",
                           "MAP, or MPE: the likeliest assignment; MAR: the marginals of every variable; PR: log10 of "
                           "the partition function, or of the evidence's probability; MMAP: the likeliest values of "
                           "the query's variables, others summed out."));
    visit(&O::method, option_info::method());
    visit(&O::target_error, option_info::target_error());
    visit(&O::diverse, option_info::diverse());
    visit(&O::distance, option_info::distance());
  }
};

}  // namespace fovea::graph
