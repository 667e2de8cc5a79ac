// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"

namespace fovea {

/// Limits on the effort spent on an answer. Whichever limit is reached first ends the work, and the best answer so far
/// is returned. Count limits give the same answer on every run at any number of threads; time limits do not.
struct Budget {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  double sweeps = kUnlimited;  ///< one sweep = one transition per variable
  double transitions = kUnlimited;
  double factors = kUnlimited;
  double oracle_calls = kUnlimited;
  bool per_item = false;  ///< counts are for each item (sentence, image), not one pool for the whole input

  double seconds = kUnlimited;    ///< wall-clock time: from process start to exit, or per item
  bool seconds_per_item = false;  ///< `seconds` is for each item

  /// The transitions that the counts allow on `variables` variables (of the item, or of the whole input).
  double transition_limit(double variables) const { return std::min(transitions, sweeps * variables); }

  /// True if `spent` on `variables` variables has reached a count limit. Time limits are the caller's business.
  bool exhausted_by(const Work& spent, double variables) const {
    return static_cast<double>(spent.transitions) >= transition_limit(variables) ||
           static_cast<double>(spent.factors) >= factors || static_cast<double>(spent.oracle_calls) >= oracle_calls;
  }

  friend bool operator==(const Budget&, const Budget&) = default;
};

/// Reads the options `budget` and `time-limit`; an empty text sets no limit. Throws UsageError naming the option, the
/// text and what is allowed.
///
///   budget     = number unit ["/item"]       unit: sweeps, transitions, factors, oracle-calls   "1.5 sweeps/item"
///   time limit = number unit ["/item"]       unit: us, ms, s, min                               "2ms/item"
///
/// The number is decimal ("1.5", "2e6"), not negative, and positive for a time; spaces between the parts are optional.
Budget parse_budget(std::string_view budget, std::string_view time_limit = {});

/// Description of the time limit, the same for every command.
constexpr OptionInfo time_limit_option(const char* value_name = "TIME") {
  return {.name = "time-limit",
          .description =
              "Stop after this much wall-clock time, counted from the start of the process to its end, and "
              "keep the best answer so far, such as 500ms, 10s or 5min.",
          .value_name = value_name};
}

/// The texts that parse_budget reads as the same limits; "" where nothing is limited.
std::string budget_text(const Budget& budget);
std::string time_limit_text(const Budget& budget);

}  // namespace fovea
