// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/words.h"

namespace fovea::graph {

/// What to compute of a discrete model.
enum class SolveTask { kMap, kMarginals, kPartition, kMarginalMap };
constexpr auto words_of(SolveTask) {
  using enum SolveTask;
  return std::array{Word{kMap, "MAP"}, Word{kMap, "MPE"}, Word{kMarginals, "MAR"}, Word{kPartition, "PR"},
                    Word{kMarginalMap, "MMAP"}};
}

/// By which means.
enum class SolveMethod { kAuto, kExact, kSearch, kMessages, kSampling };
constexpr auto words_of(SolveMethod) {
  using enum SolveMethod;
  return std::array{Word{kAuto, "auto"}, Word{kExact, "exact"}, Word{kSearch, "search"}, Word{kMessages, "messages"},
                    Word{kSampling, "sampling"}};
}

/// What to compute of a discrete model, and by which means. The words are those of the command line.
struct SolveOptions {
  SolveTask task = SolveTask::kMap;
  SolveMethod method = SolveMethod::kAuto;
  double target_error = 0;
  int diverse = 1;
  int distance = 1;

  template <class V>
  static void describe(V&& visit) {
    using O = SolveOptions;
    visit(&O::task,
          OptionInfo{.name = "task",
                     .description = "MAP, or MPE: the likeliest assignment; MAR: the marginals of every variable; "
                                    "PR: log10 of the partition function, or of the evidence's probability; "
                                    "MMAP: the likeliest values of the query's variables, others summed out"});
    visit(&O::method,
          OptionInfo{.name = "method",
                     .description = "auto plans under the limits; exact gives a proved answer or none; search only "
                                    "looks for better assignments (MAP); messages only propagates beliefs; sampling "
                                    "only draws (MAR: Gibbs sampling, PR: annealed importance sampling)"});
    visit(&O::target_error,
          OptionInfo{.name = "target-error",
                     .description =
                         "MAR and PR, where no method is exact: draw samples until the standard error of every "
                         "probability, or of log10 Z, is <= this; 0: no samples unless asked for",
                     .min = 0,
                     .max = 1});
    visit(&O::diverse, OptionInfo{.name = "diverse",
                                  .description = "MAP: this many good answers that differ from each other; the best "
                                                 "takes half of the time, the others the rest",
                                  .min = 1,
                                  .max = 1000});
    visit(&O::distance, OptionInfo{.name = "distance",
                                   .description = "with --diverse: two answers differ in >= this many variables",
                                   .min = 1,
                                   .max = 1e9});
  }
};

}  // namespace fovea::graph
