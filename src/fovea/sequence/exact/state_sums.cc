// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/state_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/state_sums.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/base/log_math.h"
#include "fovea/sequence/exact/state_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

using Workspace = StateSums::Workspace;

/// Sets a_0: from the empty history, every label leads to the state of that one label.
HWY_INLINE void start(Workspace& w) {
  const StatePlan& plan = w.plan;
  std::fill_n(w.alpha.begin(), plan.row_size, 0.0f);
  const float* first_row = w.rows.data() + plan.slot_of_state[0] * plan.stride;
  for (std::uint32_t c = plan.hubs.back().child; c < plan.hubs.back().child_end; ++c) {
    const StatePlan::Child& child = plan.children[c];
    w.alpha[child.slot] = first_row[child.label] * w.weights[child.label];
  }
}

/// False if the numbers do not fit.
bool forward_over_states(std::size_t length, Workspace& w, double& log_sum) {
  const StatePlan& plan = w.plan;
  start(w);
  LogProduct inverse;
  for (std::size_t t = 0;; ++t) {
    float* alpha = w.alpha.data() + t * plan.row_size;
    const float scale = row_sum(alpha, plan.row_size);
    if (!(scale >= std::numeric_limits<float>::min())) return false;
    w.inverse_scale[t] = 1 / scale;
    inverse.multiply(double{w.inverse_scale[t]});
    if (t + 1 == length) break;
    float* weights = w.weights.data() + (t + 1) * plan.stride;
    scale_row(weights, plan.stride, w.inverse_scale[t]);
    fill_tables<SumProduct>(plan, weights, alpha, w.rows.data(), w.passes.data(), w.tables.data());
    gather_states(plan, w.tables.data(), alpha + plan.row_size);
  }
  log_sum = -inverse.log();
  return true;
}

/// tables(hub)[k] = u_t(k) / c_{t-1} b_t(next(hub, k)), for every hub and so for its group.
HWY_INLINE void spread(const float* weights, Workspace& w) {
  const Tag d;
  const StatePlan& plan = w.plan;
  for (std::size_t h = plan.hubs.size(); h-- > 0;) {
    const StatePlan::Hub& hub = plan.hubs[h];
    float* table = w.tables.data() + h * plan.stride;
    if (hub.fail != h) {
      const float* fail = w.tables.data() + hub.fail * plan.stride;
      for_each_vector(plan.stride, [&](std::size_t at) HWY_ATTR { hn::Store(hn::Load(d, fail + at), d, table + at); });
    }
    for (std::uint32_t c = hub.child; c < hub.child_end; ++c) {
      const StatePlan::Child& child = plan.children[c];
      table[child.label] = w.beta[child.slot] * weights[child.label];
    }
  }
}

/// Computes b_{t-1} from the tables and, with kCount, adds the counts of the windows that end at t.
template <bool kCount>
HWY_INLINE void backward_step(const float* previous_alpha, Workspace& w) {
  const Tag d;
  const StatePlan& plan = w.plan;
  const float* table = w.tables.data();
  for (const StatePlan::Hub& hub : plan.hubs) {
    for (std::uint32_t slot = hub.slot; slot < hub.slot_end; ++slot) {
      const float* row = w.rows.data() + slot * plan.stride;
      float* windows = w.windows.data() + slot * plan.stride;
      const Vector alpha = hn::Set(d, previous_alpha[slot]);
      Vector sum = hn::Zero(d);
      for_each_vector(plan.stride, [&](std::size_t at) HWY_ATTR {
        const Vector after = hn::Load(d, table + at);
        sum = hn::MulAdd(hn::Load(d, row + at), after, sum);
        if constexpr (kCount) hn::Store(hn::MulAdd(alpha, after, hn::Load(d, windows + at)), d, windows + at);
      });
      w.beta[slot] = hn::GetLane(hn::SumOfLanes(d, sum));
    }
    table += plan.stride;
  }
}

/// Sums the products alpha * beta of one token over the states that end in each label. The states of a group end in the
/// label of its hub, except in the group of state 0, where each has its own.
HWY_INLINE void sum_marginal(const Workspace& w, const float* alpha, float* marginal) {
  const StatePlan& plan = w.plan;
  std::fill_n(marginal, plan.stride, 0.0f);
  const StatePlan::Hub& root = plan.hubs.back();
  for (std::uint32_t i = root.slot; i < root.slot_end; ++i) marginal[plan.label_of_slot[i]] += alpha[i] * w.beta[i];
  for (std::size_t h = 0; h + 1 < plan.hubs.size(); ++h) {
    const StatePlan::Hub& hub = plan.hubs[h];
    float sum = 0;
    for (std::uint32_t i = hub.slot; i < hub.slot_end; ++i) sum += alpha[i] * w.beta[i];
    marginal[plan.label_of_slot[hub.slot]] += sum;
  }
}

/// Adds the counts of the windows so far to those in double precision.
void flush_windows(Workspace& w) {
  w.window_sums.resize(w.windows.size(), 0.0);
  for (std::size_t i = 0; i < w.windows.size(); ++i) w.window_sums[i] += double{w.windows[i]};
  std::fill(w.windows.begin(), w.windows.end(), 0.0f);
}

/// False if the numbers do not fit.
bool backward_over_states(std::size_t length, float* marginals, bool count, Workspace& w) {
  constexpr std::size_t kInterval = 32;
  const StatePlan& plan = w.plan;
  std::fill_n(w.beta.begin(), plan.slot_count, w.inverse_scale[length - 1]);
  if (count) std::fill(w.windows.begin(), w.windows.end(), 0.0f);
  w.window_sums.clear();
  for (std::size_t t = length; t-- > 0;) {
    const float* alpha = w.alpha.data() + t * plan.row_size;
    if (t % kInterval == 0) renormalise(alpha, w.beta.data(), plan.row_size);
    const float highest = row_max(w.beta.data(), plan.row_size);
    if (!(highest <= PairSums<float>::kMaxBeta)) return false;
    if (t > 0 && !(highest * w.inverse_scale[t - 1] <= PairSums<float>::kMaxQuotient)) return false;
    if (marginals != nullptr) sum_marginal(w, alpha, marginals + t * plan.stride);
    if (t == 0) break;
    spread(w.weights.data() + t * plan.stride, w);
    if (count) backward_step<true>(alpha - plan.row_size, w);
    else backward_step<false>(alpha - plan.row_size, w);
    if (count && t % PairSums<float>::kCountBlock == 0) flush_windows(w);
  }
  if (count) sum_marginal(w, w.alpha.data(), w.first_marginal.data());
  return true;
}

void exponentiate_rows(float shift, std::size_t size, float* rows) {
  const Tag d;
  for_each_vector(size, [&](std::size_t at) HWY_ATTR {
    hn::Store(exp_nonpositive(hn::Sub(hn::Load(d, rows + at), hn::Set(d, shift))), d, rows + at);
  });
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {

HWY_EXPORT(forward_over_states);
HWY_EXPORT(backward_over_states);
HWY_EXPORT(exponentiate_rows);

void StateSums::bind(const SequenceStates& states, bool structure_changed) {
  Workspace& w = workspace_;
  if (structure_changed) {
    w.plan.bind(states);
    w.passes = w.plan.passes(1.0f, 0.0f);
    w.tables.assign(w.plan.table_count() * w.plan.stride, 0.0f);
    w.beta.assign(w.plan.row_size, 0.0f);
    w.first_marginal.resize(w.plan.stride);
  }
  const std::size_t labels = states.ngrams().label_count(), stride = w.plan.stride;
  w.rows.assign(w.plan.slot_count * stride, kImpossibleF);
  float high = kImpossibleF, low = -kImpossibleF;
  for (std::size_t i = 0; i < w.plan.slot_count; ++i) {
    const float* row = states.row(w.plan.state_of_slot[i]);
    std::copy_n(row, labels, w.rows.begin() + i * stride);
    high = std::max(high, *std::max_element(row, row + labels));
    low = std::min(low, *std::min_element(row, row + labels));
  }
  if (high == kImpossibleF) high = 0;
  w.highest = double{high};
  narrow_range_ = states.ngrams().factor_size() * (w.highest - double{low}) <= 2 * kNarrowRange;
  HWY_DYNAMIC_DISPATCH(exponentiate_rows)(high, w.rows.size(), w.rows.data());
}

bool StateSums::forward(const float* unary, std::size_t length, double& log_z) {
  Workspace& w = workspace_;
  w.weights.resize(std::max(w.weights.size(), length * w.plan.stride));
  w.alpha.resize(std::max(w.alpha.size(), length * w.plan.row_size));
  w.inverse_scale.resize(std::max(w.inverse_scale.size(), length));
  double shift = w.highest * static_cast<double>(length), log_sum = 0;
  if (!exponentiate_tokens(unary, length, w.plan.stride, w.weights.data(), shift)) return false;
  if (!HWY_DYNAMIC_DISPATCH(forward_over_states)(length, w, log_sum)) return false;
  log_z = shift + log_sum;
  return true;
}

bool StateSums::backward(const SequenceStates& states, std::size_t length, float* marginals,
                         double* window_expectations) {
  Workspace& w = workspace_;
  const bool count = window_expectations != nullptr;
  if (count) w.windows.resize(w.rows.size());
  if (!HWY_DYNAMIC_DISPATCH(backward_over_states)(length, marginals, count, w)) return false;
  if (count) add_windows(states, window_expectations);
  return true;
}

void StateSums::add_windows(const SequenceStates& states, double* window_expectations) const {
  const Workspace& w = workspace_;
  const std::size_t stride = w.plan.stride;
  for (std::size_t i = 0; i < w.plan.slot_count; ++i) {
    double* counts = window_expectations + states.context(w.plan.state_of_slot[i]) * stride;
    const float* windows = w.windows.data() + i * stride;
    const float* rows = w.rows.data() + i * stride;
    for (std::size_t k = 0; k < stride; ++k) counts[k] += double{windows[k] * rows[k]};
    if (w.window_sums.empty()) continue;
    const double* sums = w.window_sums.data() + i * stride;
    for (std::size_t k = 0; k < stride; ++k) counts[k] += sums[k] * double{rows[k]};
  }
  double* first = window_expectations + states.context(0) * stride;
  for (std::size_t k = 0; k < stride; ++k) first[k] += double{w.first_marginal[k]};
}

}  // namespace fovea::sequence::internal
#endif
