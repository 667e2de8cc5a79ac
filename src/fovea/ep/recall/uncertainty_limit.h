// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace fovea::ep {

/// Largest doubt at which a prediction is still used: u_max of section 4, from held-out cases, each predicted before it
/// was learned. It is the smallest doubt of a case that erred by more than `max_error`, infinite if none did, and 0
/// until there are `least` cases.
///
/// A fault is forgiven once `forgiven_after` cases that were as doubtful or more have gone right. (Not by age: few
/// trusted predictions are audited, so untrusted cases would soon push their faults out of any window.)
class UncertaintyLimit {
 public:
  struct HeldOutMessage {
    double doubt, error;
  };
  struct Options {
    double max_error = 1e-3;
    std::size_t window = 500;  ///< number of cases that went right
    std::size_t least = 100, forgiven_after = 500;
    /// The limit is at most the largest doubt of a case of the window that went right: beyond it nothing is known.
    bool is_bounded = true;
  };

  explicit UncertaintyLimit(const Options& options) : options_(options) {}

  void add(const HeldOutMessage& held_out);

  /// Predictions with a doubt strictly below this are trusted.
  double value() const { return value_; }
  std::vector<HeldOutMessage> cases() const;  ///< the window and all unforgiven faults, oldest first

 private:
  struct Remembered {
    HeldOutMessage held_out;
    bool is_fault;
    std::size_t right_since = 0;
  };

  Options options_;
  std::deque<Remembered> cases_;
  std::size_t seen_ = 0;
  double value_ = 0;
};

}  // namespace fovea::ep
