// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_LEARN_PAIR_CHAIN_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_LEARN_PAIR_CHAIN_LANES_INL_H_
#undef FOVEA_LEARN_PAIR_CHAIN_LANES_INL_H_
#else
#define FOVEA_LEARN_PAIR_CHAIN_LANES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "fovea/learn/pair_chain_lanes.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, 16>;
using LaneVector = hn::Vec<LaneTag>;
inline constexpr std::size_t kLanes = hn::MaxLanes(LaneTag());

std::size_t lane_count() { return kLanes; }

/// Up to kLanes sequences, longest first, side by side. Arrays are [token][label][lane].
class LaneGroup {
 public:
  LaneGroup(const PairChainLanes::Table& pairs, std::span<const RowRange> sequences, const Value* labels, float* rows,
            PairChainLanes::Workspace& workspace)
      : pairs_(pairs), k_(pairs.label_count), sequences_(sequences), labels_(labels), rows_(rows), work_(workspace) {
    length_ = sequences.front().length;
    work_.alpha.resize(length_ * k_ * kLanes);
    work_.weights.resize(length_ * k_ * kLanes);
    work_.scales.resize(length_ * kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const RowRange range = lane < sequences.size() ? sequences[lane] : RowRange{sequences.front().begin, 0};
      begin_[lane] = range.begin;
      lane_length_[lane] = range.length;
    }
  }

  void forward() {
    const LaneTag d;
    LaneVector loss = hn::Zero(d);
    for (std::uint32_t t = 0; t < length_; ++t) {
      const LaneVector largest = weigh_labels(t);
      const LaneVector sum = t == 0 ? start() : advance(t);
      const LaneVector scale = hn::Div(hn::Set(d, 1.0f), sum);
      for (int k = 0; k < k_; ++k) {
        float* alpha = at(work_.alpha, t, k);
        hn::Store(hn::Mul(hn::Load(d, alpha), scale), d, alpha);
      }
      hn::Store(scale, d, work_.scales.data() + t * kLanes);
      const LaneVector step = hn::Add(hn::Sub(largest, label_scores(t)), hn::Log(d, sum));
      loss = hn::Add(loss, hn::IfThenElseZero(hn::Lt(hn::Set(d, static_cast<float>(t)), lengths()), step));
    }
    hn::Store(loss, d, loss_);
  }

  /// log Z - score of each sequence; not finite where sums under- or overflowed.
  std::span<const float> losses() const { return {loss_, sequences_.size()}; }

  void backward() {
    const LaneTag d;
    work_.counts.assign(k_ * k_ * kLanes, 0.0f);
    HWY_ALIGN float beta[PairChainLanes::kMaxLabels * kLanes] = {};
    HWY_ALIGN float message[PairChainLanes::kMaxLabels * kLanes];
    for (std::uint32_t t = length_; t-- > 0;) {
      const auto starts = hn::Eq(lengths(), hn::Set(d, static_cast<float>(t + 1)));
      for (int k = 0; k < k_; ++k) {
        float* b = beta + k * kLanes;
        hn::Store(hn::IfThenElse(starts, hn::Set(d, 1.0f), hn::Load(d, b)), d, b);
      }
      store_marginals(t, beta);
      if (t == 0) break;
      const LaneVector scale = hn::Load(d, work_.scales.data() + t * kLanes);
      for (int k = 0; k < k_; ++k)
        hn::Store(hn::Mul(hn::Mul(hn::Load(d, at(work_.weights, t, k)), hn::Load(d, beta + k * kLanes)), scale), d,
                  message + k * kLanes);
      retreat(t, message, beta);
    }
  }

  /// counts[i][k] += expected number of label pairs (i, k).
  void add_counts(double* counts) const {
    const LaneTag d;
    for (int i = 0; i < k_ * k_; ++i) {
      const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, work_.counts.data() + i * kLanes)));
      counts[i] += double{sum} * pairs_.weights[i];
    }
  }

 private:
  float* at(AlignedVector<float>& array, std::uint32_t t, int k) const {
    return array.data() + (std::size_t{t} * k_ + k) * kLanes;
  }

  LaneVector lengths() const {
    const LaneTag d;
    return hn::ConvertTo(d, hn::Load(hn::RebindToSigned<LaneTag>(), lane_length_));
  }

  /// e_t(k) of all lanes; returns the maxima. Lanes that have ended repeat their last token, which does no harm.
  LaneVector weigh_labels(std::uint32_t t) {
    const LaneTag d;
    const hn::RebindToSigned<LaneTag> di;
    HWY_ALIGN std::int32_t place[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t last = std::max(lane_length_[lane] - 1, 0);
      place[lane] = begin_[lane] + std::min(static_cast<std::int32_t>(t), last);
    }
    const auto index = hn::ShiftLeft<4>(hn::Load(di, place));
    LaneVector largest = hn::GatherIndex(d, rows_, index);
    for (int k = 0; k < k_; ++k) {
      const LaneVector unary = hn::GatherIndex(d, rows_ + k, index);
      largest = hn::Max(largest, unary);
      hn::Store(unary, d, at(work_.weights, t, k));
    }
    for (int k = 0; k < k_; ++k) {
      float* weight = at(work_.weights, t, k);
      hn::Store(hn::Exp(d, hn::Sub(hn::Load(d, weight), largest)), d, weight);
    }
    return largest;
  }

  LaneVector start() {
    const LaneTag d;
    LaneVector sum = hn::Zero(d);
    for (int k = 0; k < k_; ++k) {
      const LaneVector a = hn::Load(d, at(work_.weights, 0, k));
      hn::Store(a, d, at(work_.alpha, 0, k));
      sum = hn::Add(sum, a);
    }
    return sum;
  }

  LaneVector advance(std::uint32_t t) {
    const LaneTag d;
    const float* before = at(work_.alpha, t - 1, 0);
    LaneVector sum = hn::Zero(d);
    for (int k = 0; k < k_; ++k) {
      LaneVector even = hn::Zero(d), odd = hn::Zero(d);
      int i = 0;
      for (; i + 1 < k_; i += 2) {
        even = hn::MulAdd(hn::Load(d, before + i * kLanes), hn::Set(d, pairs_.weights[i * k_ + k]), even);
        odd = hn::MulAdd(hn::Load(d, before + (i + 1) * kLanes), hn::Set(d, pairs_.weights[(i + 1) * k_ + k]), odd);
      }
      if (i < k_) even = hn::MulAdd(hn::Load(d, before + i * kLanes), hn::Set(d, pairs_.weights[i * k_ + k]), even);
      const LaneVector a = hn::Mul(hn::Add(even, odd), hn::Load(d, at(work_.weights, t, k)));
      hn::Store(a, d, at(work_.alpha, t, k));
      sum = hn::Add(sum, a);
    }
    return sum;
  }

  /// unary_t(y_t) + pair(y_{t-1}, y_t), less the largest pair score, which the weights leave out too.
  LaneVector label_scores(std::uint32_t t) const {
    HWY_ALIGN float scores[kLanes] = {};
    for (std::size_t lane = 0; lane < sequences_.size(); ++lane) {
      if (static_cast<std::int32_t>(t) >= lane_length_[lane]) continue;
      const std::size_t token = static_cast<std::size_t>(begin_[lane]) + t;
      scores[lane] = rows_[token * 16 + labels_[token]];
      if (t > 0) scores[lane] += pairs_.scores[labels_[token - 1] * k_ + labels_[token]] - pairs_.largest;
    }
    return hn::Load(LaneTag(), scores);
  }

  /// beta_{t-1} from message(k) = e_t(k) beta_t(k) / c_t; counts without the factor M(i, k), which add_counts applies.
  void retreat(std::uint32_t t, const float* message, float* beta) {
    const LaneTag d;
    for (int i = 0; i < k_; ++i) {
      const LaneVector alpha = hn::Load(d, at(work_.alpha, t - 1, i));
      float* counts = work_.counts.data() + i * k_ * kLanes;
      LaneVector sum = hn::Zero(d);
      for (int k = 0; k < k_; ++k) {
        const LaneVector m = hn::Load(d, message + k * kLanes);
        sum = hn::MulAdd(m, hn::Set(d, pairs_.weights[i * k_ + k]), sum);
        hn::Store(hn::MulAdd(alpha, m, hn::Load(d, counts + k * kLanes)), d, counts + k * kLanes);
      }
      hn::Store(sum, d, beta + i * kLanes);
    }
  }

  void store_marginals(std::uint32_t t, const float* beta) {
    const LaneTag d;
    HWY_ALIGN float tile[PairChainLanes::kMaxLabels * kLanes];
    for (int k = 0; k < k_; ++k)
      hn::Store(hn::Mul(hn::Load(d, at(work_.alpha, t, k)), hn::Load(d, beta + k * kLanes)), d, tile + k * kLanes);
    for (std::size_t lane = 0; lane < sequences_.size(); ++lane) {
      if (static_cast<std::int32_t>(t) >= lane_length_[lane]) continue;
      float* row = rows_ + (static_cast<std::size_t>(begin_[lane]) + t) * 16;
      for (int k = 0; k < k_; ++k) row[k] = tile[k * kLanes + lane];
      for (int k = k_; k < 16; ++k) row[k] = 0;
    }
  }

  PairChainLanes::Table pairs_;
  int k_;
  std::span<const RowRange> sequences_;
  const Value* labels_;
  float* rows_;
  PairChainLanes::Workspace& work_;
  std::uint32_t length_;
  std::int32_t begin_[kLanes];
  HWY_ALIGN std::int32_t lane_length_[kLanes];
  HWY_ALIGN float loss_[kLanes];
};

double run_lanes(const PairChainLanes::Table& pairs, std::span<const RowRange> sequences, const Value* labels,
                 float* rows, PairChainLanes::Workspace& workspace, double* pair_counts,
                 std::vector<RowRange>& failed) {
  LaneGroup group(pairs, sequences, labels, rows, workspace);
  group.forward();
  double sum = 0;
  std::vector<RowRange> well;
  for (std::size_t lane = 0; lane < sequences.size(); ++lane) {
    (std::isfinite(group.losses()[lane]) ? well : failed).push_back(sequences[lane]);
    sum += group.losses()[lane];
  }
  if (well.size() < sequences.size())  // not-a-number would spread from a lane to the counts of all
    return well.empty() ? 0 : run_lanes(pairs, well, labels, rows, workspace, pair_counts, failed);
  group.backward();
  group.add_counts(pair_counts);
  return sum;
}

}  // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
