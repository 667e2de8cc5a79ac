// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/ep/quadrature/quadrature.h"
#include "fovea/ep/recall/recall_counts.h"
#include "fovea/ep/recall/uncertainty_limit.h"

namespace fovea::ep {

struct FunctionRecallOptions {
  double max_error = .01;
  double audit = .003;
  int held_out = 100;
  bool always = false;

  static void describe(auto&& visit) {
    using O = FunctionRecallOptions;
    visit(&O::max_error,
          number_in(1e-12, 1, "function-max-error",
                    "Largest error allowed for a recalled value: the share of its parents' standard deviations by "
                    "which it moves them."));
    visit(&O::audit, number_in(0, 1, "function-audit",
                               "Share of recallable values for which the function is called all the same."));
    visit(&O::held_out, number_in(20, 1e6, "function-held-out",
                                  "Number of latest values, each predicted before the function was called, that decide "
                                  "how much doubt is too much."));
    visit(&O::always, option("function-always", "Recall even where a call of the function takes less time."));
  }
};

/// Recalls the values of an expensive function without chance, such as a simulator. Where the messages of a factor
/// differ too much to be recalled, its function may be smooth all the same; and one call of it serves the messages to
/// all variables. Values are interpolated between those that are known for the same known parents (local_kriging.h),
/// near the points that are asked for: first wide apart, then, as messages settle, close together. As for messages
/// (just_in_time.h), a value is recalled if its doubt is below a limit that follows from values that were predicted and
/// then computed (UncertaintyLimit). If a call of the function takes no longer than recall, recall is given up for
/// good.
///
/// Results depend on the sequence of calls and the seed. Calls from several threads are safe and take turns.
class RecalledFunction {
 public:
  /// Throws UsageError if the factor has no sampler.
  RecalledFunction(FactorFunctions factor, const FunctionRecallOptions& options, const Random& random = Random());

  /// Values at these parents, [parent][point]; parents that are the same in all points are taken for known ones. What
  /// else is known of the child has this variance, 0 if nothing is. Returns the expected error of the parents'
  /// marginals by the values that are recalled, as a divergence. Throws what the function throws.
  double values(DrawColumns parents, double child_variance, Random& random, std::span<double> results);

  RecallCounts counts() const;

 private:
  /// Values that are known for some values of the known parents.
  struct Memory {
    std::vector<std::vector<double>> points = {};  // [point][unknown parent]
    std::vector<double> values = {};
    double length = 0;            // of the kernel
    std::size_t next_choice = 0;  // number of values at which the length is chosen again
  };

  void turn_off_if_slower();
  void call(DrawColumns parents, std::span<const std::size_t> places, Random& random, std::span<double> results) const;

  FactorFunctions factor_;
  FunctionRecallOptions options_;
  Random audits_;
  UncertaintyLimit limit_;
  std::map<std::vector<double>, Memory> memories_;  // by the known parents
  RecallCounts counts_ = {.is_of_values = true};
  mutable std::mutex mutex_;
};

}  // namespace fovea::ep
