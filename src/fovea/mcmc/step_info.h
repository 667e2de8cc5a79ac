// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::mcmc {

/// Record of one visit of a variable for observers (schedules, traces); the next visit needs none of it.
struct SiteInfo {
  Value before = 0;
  Value after = 0;
  float doubt = 0;      ///< 1 - max_k p(y_v = k | rest), in [0, 1)
  float entropy = 0;    ///< of p(y_v | rest), nats
  float log_gain = 0;   ///< log p(after | rest) - log p(before | rest)
  float best_gain = 0;  ///< max_k log p(k | rest) - log p(before | rest), >= 0
  float mean_gain = 0;  ///< expectation of log_gain under p(. | rest): the Rao-Blackwellised reward

  bool changed() const { return before != after; }
};

/// Arrays in which a kernel records what it sees, for schedules that keep flat arrays; null: not recorded. `doubt` and
/// `changed` go together.
struct VisitRecord {
  float* doubt = nullptr;         ///< [variable] 1 - p(after | rest), written at visited variables
  VariableId* changed = nullptr;  ///< the variables that changed, in visiting order; room for one more than the batch
  float* gains = nullptr;         ///< [index in the batch] log p(after | rest) - log p(before | rest)
};

/// Result of a kernel's step on one batch. `sites` and `gains` are parallel to the batch; they are empty if the caller
/// did not ask for them.
struct StepInfo {
  Work work;
  std::size_t changes = 0;  ///< visits that changed their variable
  std::span<const SiteInfo> sites = {};
  std::span<const float> gains = {};
};

}  // namespace fovea::mcmc
