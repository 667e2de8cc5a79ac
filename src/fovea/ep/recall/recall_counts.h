// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fovea::ep {

/// Counts of what a just-in-time source of messages, or of the values of a function, did so far.
struct RecallCounts {
  bool is_of_values = false;        ///< the counts are of a function's values, not of messages
  bool is_off = false;              ///< recall took longer than it saved, and was given up
  std::uint64_t messages = 0;       ///< (or values) requested
  std::uint64_t recalled = 0;       ///< of these, answered without the oracle
  std::uint64_t audits = 0;         ///< oracle calls for messages that could have been recalled
  std::uint64_t failed_audits = 0;  ///< of these, those whose recalled message erred by more than allowed
  std::uint64_t unlearnable = 0;    ///< oracle calls for messages without a shape: improper ones
  double oracle_seconds = 0, recall_seconds = 0, learning_seconds = 0;

  std::uint64_t oracle_calls() const { return messages - recalled; }
};

}  // namespace fovea::ep
