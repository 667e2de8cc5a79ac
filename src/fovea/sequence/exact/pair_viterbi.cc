// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/pair_viterbi.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/pair_viterbi.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/base/log_math.h"
#include "fovea/sequence/exact/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

HWY_INLINE double score_of(const PairScores& scores, const PairSequence& sequence) {
  const Value* labels = sequence.labels;
  double score = sequence.unary[labels[0]];
  for (std::size_t t = 1; t < sequence.length; ++t)
    score += double{sequence.unary[t * scores.stride + labels[t]]} +
             double{scores.from[labels[t - 1] * scores.stride + labels[t]]};
  return score;
}

/// Label numbers, in memory because a broadcast from there costs no vector operation.
alignas(64) constexpr std::int32_t kNumbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// One step on rows of 16: alpha becomes that of the next token, best_label[k] the label from which label k came. A
/// second pass finds these labels, and the next step need not wait for it.
HWY_INLINE void narrow_step(const PairScores& scores, const float* unary, float* alpha, std::uint8_t* best_label) {
  constexpr std::size_t kRow = 16;
  constexpr std::size_t kVectors = kRow / hn::MaxLanes(Tag());
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  const hn::Rebind<std::uint8_t, Tag> d8;
  Vector best[kVectors];
  weighted_rows<MaxPlus, kVectors>(alpha, scores.labels, scores.from.data(), kRow, best);
  hn::Vec<decltype(di)> label[kVectors];
  for (auto& v : label) v = hn::Zero(di);
  for (std::size_t j = scores.labels; j-- > 0;)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector score = hn::Add(hn::Set(d, alpha[j]), hn::Load(d, scores.from.data() + j * kRow + v * lanes()));
      label[v] = hn::IfThenElse(hn::RebindMask(di, hn::Eq(score, best[v])), hn::Set(di, kNumbers[j]), label[v]);
    }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(hn::Add(best[v], hn::Load(d, unary + v * lanes())), d, alpha + v * lanes());
    hn::Store(hn::DemoteTo(d8, label[v]), d8, best_label + v * lanes());
  }
}

/// A sequence on its way through narrow_step.
struct NarrowPass {
  HWY_ALIGN float alpha[16];
  const PairSequence* sequence = nullptr;
  std::size_t t = 0;  ///< the token that alpha belongs to
  std::uint8_t* best_label;

  HWY_INLINE void start(const PairSequence* next) {
    sequence = next;
    t = 0;
    std::copy_n(next->unary, 16, alpha);
  }
  HWY_INLINE std::size_t steps_left() const { return sequence->length - 1 - t; }
  HWY_INLINE void step(const PairScores& scores) {
    if (++t % kRecentreInterval == 0) recentre(alpha, 16);
    narrow_step(scores, sequence->unary + t * 16, alpha, best_label + t * 16);
  }
};

HWY_INLINE double finish(const PairScores& scores, const NarrowPass& pass) {
  const PairSequence& sequence = *pass.sequence;
  const float highest = row_max(pass.alpha, 16);
  if (highest == kImpossibleF) {
    std::fill_n(sequence.labels, sequence.length, 0);
    return kImpossible;
  }
  std::size_t label = row_find(pass.alpha, 16, highest);
  for (std::size_t t = sequence.length - 1; t > 0; label = pass.best_label[t * 16 + label], --t)
    sequence.labels[t] = static_cast<Value>(label);
  sequence.labels[0] = static_cast<Value>(label);
  return score_of(scores, sequence);
}

/// Decodes several sequences side by side, because a step spends most of its time waiting for the one before it.
double narrow_viterbi(const PairScores& scores, std::span<const PairSequence> sequences, PairViterbiScratch& scratch) {
  NarrowPass passes[kNarrowPasses];
  std::size_t active = 0, next = 0;
  double score = 0;
  for (std::size_t i = 0; i < kNarrowPasses; ++i)
    passes[i].best_label = scratch.best_label.data() + i * scratch.rows * 16;
  const auto refill = [&]() HWY_ATTR {
    for (; active < kNarrowPasses && next < sequences.size(); ++next) {
      passes[active++].start(&sequences[next]);
    }
  };
  for (refill(); active > 0; refill()) {
    std::size_t steps = passes[0].steps_left();
    for (std::size_t i = 0; i < active; ++i) steps = std::min(steps, passes[i].steps_left());
    if (active == kNarrowPasses) {
      for (; steps > 0; --steps)
        for (NarrowPass& pass : passes) pass.step(scores);
    } else {
      for (; steps > 0; --steps)
        for (std::size_t i = 0; i < active; ++i) passes[i].step(scores);
    }
    for (std::size_t i = active; i-- > 0;) {
      if (passes[i].steps_left() > 0) continue;
      score += finish(scores, passes[i]);
      std::swap(passes[i], passes[--active]);
    }
  }
  return score;
}

/// Finds, on the way back, the label before `label`: the one of highest alpha + into[label].
HWY_INLINE std::size_t label_before(const PairScores& scores, const float* alpha, std::size_t label, float* sums) {
  const Tag d;
  const float* into = scores.into.data() + label * scores.stride;
  Vector highest = hn::Set(d, kImpossibleF);
  for_each_vector(scores.stride, [&](std::size_t at) HWY_ATTR {
    const Vector sum = hn::Add(hn::Load(d, alpha + at), hn::Load(d, into + at));
    hn::Store(sum, d, sums + at);
    highest = hn::Max(highest, sum);
  });
  return row_find(sums, scores.stride, hn::GetLane(hn::MaxOfLanes(d, highest)));
}

double wide_viterbi(const PairScores& scores, const PairSequence& sequence, PairViterbiScratch& scratch) {
  const Tag d;
  const std::size_t stride = scores.stride;
  float* alpha = scratch.alpha.data();
  std::copy_n(sequence.unary, stride, alpha);
  for (std::size_t t = 1; t < sequence.length; ++t, alpha += stride) {
    if (t % kRecentreInterval == 0) recentre(alpha, stride);
    const float* unary = sequence.unary + t * stride;
    for_each_tile(stride, [&](std::size_t at, auto vectors) HWY_ATTR {
      Vector best[vectors];
      weighted_rows<MaxPlus, vectors>(alpha, scores.labels, scores.from.data() + at, stride, best);
      for (std::size_t v = 0; v < vectors; ++v)
        hn::Store(hn::Add(best[v], hn::Load(d, unary + at + v * lanes())), d, alpha + stride + at + v * lanes());
    });
  }
  const float highest = row_max(alpha, stride);
  if (highest == kImpossibleF) {
    std::fill_n(sequence.labels, sequence.length, 0);
    return kImpossible;
  }
  float* sums = scratch.alpha.data() + scratch.rows * stride;
  std::size_t label = row_find(alpha, stride, highest);
  sequence.labels[sequence.length - 1] = static_cast<Value>(label);
  for (std::size_t t = sequence.length - 1; t-- > 0;) {
    alpha -= stride;
    label = label_before(scores, alpha, label, sums);
    sequence.labels[t] = static_cast<Value>(label);
  }
  return score_of(scores, sequence);
}

double viterbi_of_pairs(const PairScores& scores, std::span<const PairSequence> sequences,
                        PairViterbiScratch& scratch) {
  if (scores.stride == 16) return narrow_viterbi(scores, sequences, scratch);
  double score = 0;
  for (const PairSequence& sequence : sequences) score += wide_viterbi(scores, sequence, scratch);
  return score;
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {

HWY_EXPORT(viterbi_of_pairs);

void PairScores::bind(const LabelNgrams& ngrams) {
  labels = ngrams.label_count();
  stride = ngrams.stride();
  const std::size_t rows = (labels + 3) / 4 * 4;
  from.assign(rows * stride, kImpossibleF);
  into.assign(rows * stride, kImpossibleF);
  for (std::size_t j = 0; j < labels; ++j) {
    const float* row = ngrams.factor_size() == 1 ? ngrams.row(0, 0) : ngrams.row(1, j);
    std::copy_n(row, labels, from.begin() + j * stride);
    for (std::size_t k = 0; k < labels; ++k) into[k * stride + j] = row[k];
  }
}

double pair_viterbi(const PairScores& scores, std::span<const PairSequence> sequences, PairViterbiScratch& scratch) {
  for (const PairSequence& sequence : sequences) scratch.rows = std::max(scratch.rows, sequence.length);
  if (scores.stride == 16) scratch.best_label.resize(scratch.rows * 16 * kNarrowPasses);
  else scratch.alpha.resize((scratch.rows + 1) * scores.stride);
  return HWY_DYNAMIC_DISPATCH(viterbi_of_pairs)(scores, sequences, scratch);
}

}  // namespace fovea::sequence::internal
#endif
