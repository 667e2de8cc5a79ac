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

#include "fovea/sequence/learn/pair_chain_lanes.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, 16>;
using LaneVector = hn::Vec<LaneTag>;
inline constexpr std::size_t kLanes = hn::MaxLanes(LaneTag());
inline constexpr float kSmallestSum = 1e-30f, kLargestBeta = 1e25f;

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
    auto sound = hn::Eq(loss, loss);
    for (std::uint32_t t = 0; t < length_; ++t) {
      const LaneVector largest = weigh_labels(t);
      const LaneVector sum = t == 0 ? start() : advance(t);
      const auto active = hn::Lt(hn::Set(d, static_cast<float>(t)), lengths());
      sound = hn::AndNot(hn::AndNot(hn::Ge(sum, hn::Set(d, kSmallestSum)), active), sound);
      const LaneVector scale = hn::IfThenElseZero(active, hn::Div(hn::Set(d, 1.0f), sum));
      for (int k = 0; k < k_; ++k) {
        float* alpha = at(work_.alpha, t, k);
        hn::Store(hn::Mul(hn::Load(d, alpha), scale), d, alpha);
      }
      hn::Store(scale, d, work_.scales.data() + t * kLanes);
      const LaneVector step = hn::Add(hn::Sub(largest, label_scores(t)), hn::Log(d, sum));
      loss = hn::Add(loss, hn::IfThenElseZero(active, step));
    }
    hn::Store(loss, d, loss_);
    hn::Store(hn::IfThenElseZero(sound, hn::Set(d, 1.0f)), d, sound_);
  }

  /// Turns alpha into the marginals.
  void backward() {
    const LaneTag d;
    work_.counts.assign(k_ * k_ * kLanes, 0.0f);
    HWY_ALIGN float beta[PairChainLanes::kMaxLabels * kLanes] = {};
    HWY_ALIGN float message[PairChainLanes::kMaxLabels * kLanes];
    auto sound = hn::Ne(hn::Load(d, sound_), hn::Zero(d));
    for (std::uint32_t t = length_; t-- > 0;) {
      const auto starts = hn::Eq(lengths(), hn::Set(d, static_cast<float>(t + 1)));
      for (int k = 0; k < k_; ++k) {
        float* b = beta + k * kLanes;
        const LaneVector v = hn::IfThenElse(starts, hn::Set(d, 1.0f), hn::Load(d, b));
        sound = hn::And(sound, hn::Le(v, hn::Set(d, kLargestBeta)));
        hn::Store(v, d, b);
        float* alpha = at(work_.alpha, t, k);
        hn::Store(hn::Mul(hn::Load(d, alpha), v), d, alpha);
      }
      if (t == 0) break;
      const LaneVector scale = hn::Load(d, work_.scales.data() + t * kLanes);
      for (int k = 0; k < k_; ++k)
        hn::Store(hn::Mul(hn::Mul(hn::Load(d, at(work_.weights, t, k)), hn::Load(d, beta + k * kLanes)), scale), d,
                  message + k * kLanes);
      retreat(t, message, beta);
    }
    hn::Store(hn::IfThenElseZero(sound, hn::Set(d, 1.0f)), d, sound_);
  }

  /// True if the sums of a lane have lost nothing that matters. Where alpha_t(k) is too small for a float, its share of
  /// a marginal or count, alpha_t(k) beta_t(k), is below 1e-38 kLargestBeta; where beta_t(k) is too small, the share is
  /// below 1e-38.
  bool is_sound(std::size_t lane) const { return sound_[lane] != 0; }

  /// log Z - score.
  float loss(std::size_t lane) const { return loss_[lane]; }

  /// counts[i][k] += expected number of label pairs (i, k) in the sound lanes.
  void add_counts(double* counts) const {
    const LaneTag d;
    const auto sound = hn::Ne(hn::Load(d, sound_), hn::Zero(d));
    for (int i = 0; i < k_ * k_; ++i) {
      const LaneVector lanes = hn::IfThenElseZero(sound, hn::Load(d, work_.counts.data() + i * kLanes));
      const float sum = hn::GetLane(hn::SumOfLanes(d, lanes));
      counts[i] += double{sum} * pairs_.weights[i];
    }
  }

  /// Writes the marginals into the rows of one lane.
  void store_marginals(std::size_t lane) const {
    float* row = rows_ + static_cast<std::size_t>(begin_[lane]) * 16;
    const float* marginal = work_.alpha.data() + lane;
    for (std::int32_t t = 0; t < lane_length_[lane]; ++t, row += 16) {
      for (int k = 0; k < k_; ++k, marginal += kLanes) row[k] = *marginal;
      std::fill(row + k_, row + 16, 0.0f);
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

  /// Computes e_t(k) of all lanes; returns the maxima. Lanes that have ended repeat their last token, which is
  /// harmless.
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

  /// unary_t(y_t) + pair(y_{t-1}, y_t), minus the largest pair score, which the weights leave out too.
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

  /// Computes beta_{t-1} from message(k) = e_t(k) beta_t(k) / c_t; counts without the factor M(i, k), which add_counts
  /// applies.
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
  HWY_ALIGN float sound_[kLanes];  // 1 or 0
};

double run_lanes(const PairChainLanes::Table& pairs, std::span<const RowRange> sequences, const Value* labels,
                 float* rows, PairChainLanes::Workspace& workspace, double* pair_counts,
                 std::vector<RowRange>& failed) {
  LaneGroup group(pairs, sequences, labels, rows, workspace);
  group.forward();
  group.backward();
  group.add_counts(pair_counts);
  double sum = 0;
  for (std::size_t lane = 0; lane < sequences.size(); ++lane) {
    if (!group.is_sound(lane)) {
      failed.push_back(sequences[lane]);
      continue;
    }
    group.store_marginals(lane);
    sum += group.loss(lane);
  }
  return sum;
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
