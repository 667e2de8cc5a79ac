// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/state_viterbi.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/state_viterbi.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/base/log_math.h"
#include "fovea/sequence/exact/state_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

/// alpha: [length][row_size], of which row 0 is given.
void viterbi_over_states(const StatePlan& plan, const float* rows, const float* passes, const float* unary,
                         std::size_t length, float* tables, float* alpha) {
  for (std::size_t t = 1; t < length; ++t, alpha += plan.row_size) {
    if (t % kRecentreInterval == 0) recentre(alpha, plan.row_size);
    fill_tables<MaxPlus>(plan, unary + t * plan.stride, alpha, rows, passes, tables);
    gather_states(plan, tables, alpha + plan.row_size);
  }
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {

HWY_EXPORT(viterbi_over_states);

void StateViterbi::bind(const SequenceStates& states, bool structure_changed) {
  if (structure_changed) {
    plan_.bind(states);
    passes_ = plan_.passes(0.0f, kImpossibleF);
    tables_.assign(plan_.table_count() * plan_.stride, kImpossibleF);
  }
  rows_.resize(plan_.slot_count * plan_.stride);
  for (std::size_t i = 0; i < plan_.slot_count; ++i)
    std::copy_n(states.row(plan_.state_of_slot[i]), plan_.stride, rows_.begin() + i * plan_.stride);
}

void StateViterbi::forward(const float* unary, std::size_t length) {
  alpha_.resize(std::max(alpha_.size(), length * plan_.row_size));
  std::fill_n(alpha_.begin(), plan_.row_size, kImpossibleF);
  const float* first_row = rows_.data() + plan_.slot_of_state[0] * plan_.stride;
  for (std::uint32_t c = plan_.hubs.back().child; c < plan_.hubs.back().child_end; ++c) {
    const StatePlan::Child& child = plan_.children[c];
    alpha_[child.slot] = first_row[child.label] + unary[child.label];
  }
  HWY_DYNAMIC_DISPATCH(viterbi_over_states)
  (plan_, rows_.data(), passes_.data(), unary, length, tables_.data(), alpha_.data());
}

}  // namespace fovea::sequence::internal
#endif
