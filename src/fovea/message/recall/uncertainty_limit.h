// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace fovea::message {

/// How unsure a prediction may be to be used: u_max of section 4, from held-out cases, each predicted before it was
/// learned. The smallest doubt at which one erred by more than `max_error` among the last `window` of them, infinite if
/// none did; 0 until there are `least` of them.
class UncertaintyLimit {
 public:
  struct Case {
    double doubt, error;
  };
  struct Options {
    double max_error = 1e-3;
    std::size_t window = 500, least = 100;
    /// No more than the largest doubt at which a case did not err, since beyond what was seen nothing is known.
    bool is_bounded = true;
  };

  explicit UncertaintyLimit(const Options& options) : options_(options) {}

  void add(const Case& held_out);

  /// Predictions with a doubt strictly below are trusted.
  double value() const { return value_; }
  const std::deque<Case>& cases() const { return cases_; }  ///< the window, oldest first

 private:
  Options options_;
  std::deque<Case> cases_;
  double value_ = 0;
};

}  // namespace fovea::message
