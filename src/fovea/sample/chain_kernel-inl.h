// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_CHAIN_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_CHAIN_KERNEL_INL_H_
#undef FOVEA_SAMPLE_CHAIN_KERNEL_INL_H_
#else
#define FOVEA_SAMPLE_CHAIN_KERNEL_INL_H_
#endif

#include <cmath>
#include <limits>

#include "fovea/base/random.h"
#include "fovea/graph/chains.h"
#include "fovea/sample/chain_kernel.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

enum class Visit { kSample, kBest };
enum class Detail { kNone, kDoubt, kAll };

/// exp(min(x, 87)), relative error below 3e-7 near 0; 0 below -87, so -inf is legal; NaN gives NaN or exp(87).
/// 2^n comes from the exponent bits, 2^f for |f| <= 1/2 from a minimax polynomial: half the price of a full exp.
HWY_INLINE Vector fast_exp(Tag d, Vector x) {
  const hn::RebindToSigned<Tag> di;
  const Vector y = hn::Mul(hn::Min(x, hn::Set(d, 87.0f)), hn::Set(d, 1.44269504f));
  const auto n = hn::NearestInt(y);
  const Vector f = hn::Sub(y, hn::ConvertTo(d, n));
  Vector p = hn::Set(d, 1.32647e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 9.67151e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.550734e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022242e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314698e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const Vector scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(n)));
  return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -87.0f)), scaled);
}

/// One step of a prefix sum: adds to each lane the lane kShift below it.
template <int kShift>
HWY_INLINE Vector add_shifted(Tag d, Vector v) {
  if constexpr (kShift >= hn::MaxLanes(Tag())) return v;
  const hn::RebindToSigned<Tag> di;
  const auto lane = hn::Iota(di, 0);
  const auto inside = hn::RebindMask(d, hn::Gt(lane, hn::Set(di, kShift - 1)));
  const auto from = hn::IndicesFromVec(d, hn::Max(hn::Sub(lane, hn::Set(di, kShift)), hn::Zero(di)));
  return hn::Add(v, hn::IfThenElseZero(inside, hn::TableLookupLanes(v, from)));
}

/// Inclusive prefix sum of the lanes.
HWY_INLINE Vector inclusive_scan(Tag d, Vector v) {
  return add_shifted<8>(d, add_shifted<4>(d, add_shifted<2>(d, add_shifted<1>(d, v))));
}

/// One float per label, padded to kLines cache lines; kLines = 0: as many as the model's rows have, known at run time.
/// With kLines fixed the loops unroll and the row lives in registers.
template <int kLines>
class Row {
 public:
  static constexpr std::size_t kFloats = kLines * kRowAlignment / sizeof(float);
  explicit Row(std::size_t) {}
  std::size_t size() const { return kFloats; }
  float* data() { return values_; }
  const float* data() const { return values_; }

 private:
  HWY_ALIGN float values_[kFloats];
};

template <>
class Row<0> {
 public:
  explicit Row(std::size_t stride) : values_(stride) {}
  std::size_t size() const { return values_.size(); }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }

 private:
  AlignedVector<float> values_;
};

/// Scratch rows of one call; one site at a time.
template <int kLines>
struct Site {
  explicit Site(std::size_t stride) : scores(stride), weights(stride), sums(stride) {}
  Row<kLines> scores;   ///< log p(k | rest) + const
  Row<kLines> weights;  ///< exp(score - some reference)
  Row<kLines> sums;     ///< running sums of the weights
  float best = 0;       ///< the largest score
  float total = 1;      ///< the sum of the weights; >= 1 if they are relative to the largest score
};

/// kSize of a visit that scores labels by the unary scores alone.
inline constexpr int kUnaryOnly = -1;

/// The rows that score a position given its neighbours, one for each window over it. kSize: factor size, 0 to read it
/// at run time, or kUnaryOnly. Returns their number.
template <int kSize>
HWY_INLINE int rows_of(const LabelNgrams& ngrams, const Value* labels, std::size_t position, const float** rows) {
  const int size = kSize > 0 ? kSize : kSize == kUnaryOnly ? 0 : ngrams.factor_size();
  const std::size_t base = ngrams.label_count() + 1;
  for (int slot = 0; slot < size; ++slot) {
    const Value* window = labels + position - slot;
    std::size_t context = 0;
    for (int j = 0; j < size; ++j)
      if (j != slot) context = context * base + window[j];
    rows[slot] = ngrams.row(slot, context);
  }
  return size;
}

/// Asks for the rows of a position before they are needed. A hint: labels may still change in between.
template <int kSize>
HWY_INLINE void prefetch_rows(const Chains& chains, const Value* labels, std::size_t position) {
  constexpr std::size_t kLine = kRowAlignment / sizeof(float);
  const float* rows[kMaxFactorSize];
  const int size = rows_of<kSize>(chains.ngrams(), labels, position, rows);
  for (std::size_t at = 0; at < chains.ngrams().stride(); at += kLine) {
    for (int slot = 0; slot < size; ++slot) hwy::Prefetch(rows[slot] + at);
    hwy::Prefetch(chains.unary(position) + at);
  }
}

/// Scores of all labels at a position given its neighbours.
template <int kSize, int kLines>
HWY_INLINE void score_labels(const Chains& chains, const Value* labels, std::size_t position, Site<kLines>& site) {
  const Tag d;
  const float* rows[kMaxFactorSize];
  const int size = rows_of<kSize>(chains.ngrams(), labels, position, rows);
  const float* unary = chains.unary(position);
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d)) {
    Vector score = hn::Load(d, unary + at);
    for (int slot = 0; slot < size; ++slot) score = hn::Add(score, hn::Load(d, rows[slot] + at));
    hn::Store(score, d, site.scores.data() + at);
  }
}

/// Finds the best score; false if no label is possible.
template <int kLines>
HWY_INLINE bool find_best(Site<kLines>& site) {
  const Tag d;
  Vector best = hn::Load(d, site.scores.data());
  for (std::size_t at = hn::Lanes(d); at < site.scores.size(); at += hn::Lanes(d))
    best = hn::Max(best, hn::Load(d, site.scores.data() + at));
  site.best = hn::GetLane(hn::MaxOfLanes(d, best));
  return site.best > -std::numeric_limits<float>::infinity();
}

/// Weights relative to a reference score, and their total; with kSums also the running sums, which only a draw needs.
template <bool kSums, int kLines>
HWY_INLINE void weigh_labels(Site<kLines>& site, float reference) {
  const Tag d;
  const Vector shift = hn::Set(d, reference);
  const auto last = hn::IndicesFromVec(d, hn::Set(hn::RebindToSigned<Tag>(), static_cast<int>(hn::Lanes(d)) - 1));
  Vector sum = hn::Zero(d);
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d)) {
    const Vector weight = fast_exp(d, hn::Sub(hn::Load(d, site.scores.data() + at), shift));
    hn::Store(weight, d, site.weights.data() + at);
    if constexpr (kSums) {
      const Vector sums = hn::Add(inclusive_scan(d, weight), sum);
      hn::Store(sums, d, site.sums.data() + at);
      sum = hn::TableLookupLanes(sums, last);
    } else {
      sum = hn::Add(sum, weight);
    }
  }
  site.total = kSums ? hn::GetLane(sum) : hn::GetLane(hn::SumOfLanes(d, sum));
}

/// Weights for a draw alone, which may be relative to any score that does not make them overflow. The current label's
/// nearly always will do, and then nobody has to find the largest. False if no label is possible.
template <int kLines>
HWY_INLINE bool weigh_for_draw(Site<kLines>& site, Value current) {
  constexpr float kSafe = 1e30f;
  weigh_labels<true>(site, site.scores.data()[current]);
  if (HWY_LIKELY(site.total < kSafe)) return true;  // false for NaN as well: the current label was impossible
  if (!find_best(site)) return false;
  weigh_labels<true>(site, site.best);
  return true;
}

/// Any stream of semantic draws (the enumerator among them) ...
template <class AnyRandom, int kLines>
HWY_INLINE std::uint32_t draw(AnyRandom& random, const Site<kLines>& site, std::uint32_t label_count) {
  return random.categorical(std::span<const float>(site.weights.data(), label_count));
}

/// ... and the same draw by comparing one point with the running sums, all lanes at once.
template <int kLines>
HWY_INLINE std::uint32_t draw(Random& random, const Site<kLines>& site, std::uint32_t label_count) {
  const Tag d;
  const Vector point = hn::Set(d, random.threshold(site.total));
  std::size_t passed = 0;
  for (std::size_t at = 0; at < site.sums.size(); at += hn::Lanes(d))
    passed += hn::CountTrue(d, hn::Le(hn::Load(d, site.sums.data() + at), point));
  if (HWY_LIKELY(passed < label_count)) return static_cast<std::uint32_t>(passed);
  std::uint32_t k = label_count - 1;  // the point was rounded up to the total: the last label that is possible
  while (!(site.weights.data()[k] > 0)) --k;
  return k;
}

/// The lowest label with the best score, or `current` if that is one of them.
template <int kLines>
HWY_INLINE std::uint32_t best_label(const Site<kLines>& site, Value current) {
  const Tag d;
  if (site.scores.data()[current] == site.best) return current;
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d)) {
    const auto first = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, site.scores.data() + at), hn::Set(d, site.best)));
    if (first >= 0) return static_cast<std::uint32_t>(at + first);
  }
  return current;
}

/// sum_k p_k (score_k - best): labels of weight 0, -inf scores among them, add nothing.
template <int kLines>
HWY_INLINE float mean_score(const Site<kLines>& site) {
  const Tag d;
  Vector sum = hn::Zero(d);
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d)) {
    const Vector weight = hn::Load(d, site.weights.data() + at);
    const Vector relative = hn::Sub(hn::Load(d, site.scores.data() + at), hn::Set(d, site.best));
    sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Mul(weight, relative)));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum)) / site.total;
}

template <int kLines>
SiteInfo describe(const Site<kLines>& site, Value before, Value after) {
  const float mean = mean_score(site);
  const float* scores = site.scores.data();
  return {.before = before,
          .after = after,
          .doubt = 1 - 1 / site.total,
          .entropy = std::log(site.total) - mean,
          .log_gain = scores[after] - scores[before],
          .best_gain = site.best - scores[before],
          .mean_gain = mean + (site.best - scores[before])};
}

/// Visits the sites of one batch in order. Returns the number of labels that changed.
template <Visit kVisit, Detail kDetail, int kSize, int kLines, class AnyRandom>
std::size_t visit_sites(const Chains& chains, Value* labels, std::span<const VariableId> batch, AnyRandom& random,
                        const VisitRecord& record, SiteInfo* infos) {
  const auto label_count = static_cast<std::uint32_t>(chains.ngrams().label_count());
  Site<kLines> site(chains.ngrams().stride());
  // Tables of wide rows outgrow the caches: rows are fetched this many visits ahead.
  constexpr std::size_t kAhead = kLines == 1 || kSize == 2 ? 0 : 4;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const VariableId position = batch[i];
    if (kAhead > 0 && i + kAhead < batch.size()) prefetch_rows<kSize>(chains, labels, batch[i + kAhead]);
    const Value before = labels[position];
    Value after = before;
    score_labels<kSize>(chains, labels, position, site);
    bool possible;
    if constexpr (kVisit == Visit::kSample && kDetail == Detail::kNone) {
      possible = weigh_for_draw(site, before);
    } else {
      possible = find_best(site);
      if (kDetail != Detail::kNone && possible) weigh_labels<kVisit == Visit::kSample>(site, site.best);
    }
    if (HWY_LIKELY(possible)) {
      if constexpr (kVisit == Visit::kSample) after = static_cast<Value>(draw(random, site, label_count));
      else after = static_cast<Value>(best_label(site, before));
    }
    labels[position] = after;
    if constexpr (kDetail == Detail::kAll)
      *infos++ = possible ? describe(site, before, after) : SiteInfo{before, before};
    if constexpr (kDetail == Detail::kDoubt) {
      record.doubt[position] = possible ? 1 - 1 / site.total : 0;
      record.changed[changes] = position;  // overwritten by the next visit unless it counts
    }
    changes += before != after;
  }
  return changes;
}

/// Picks the specialisation for the model's factor size and row width.
template <Visit kVisit, Detail kDetail, class AnyRandom>
std::size_t visit(const Chains& chains, Value* labels, std::span<const VariableId> batch, AnyRandom& random,
                  const VisitRecord& record, SiteInfo* infos) {
  const std::size_t lines = chains.ngrams().stride() * sizeof(float) / kRowAlignment;
  const int size = chains.ngrams().factor_size();
  const auto with = [&]<int kSize, int kLines>() {
    return visit_sites<kVisit, kDetail, kSize, kLines>(chains, labels, batch, random, record, infos);
  };
  if (size == 2 && lines == 1) return with.template operator()<2, 1>();
  if (size == 2 && lines == 4) return with.template operator()<2, 4>();
  if (size == 4 && lines == 1) return with.template operator()<4, 1>();
  if (size == 4 && lines == 4) return with.template operator()<4, 4>();
  return with.template operator()<0, 0>();
}

/// Runs body<kLines>() for the row width of the model.
template <class Body>
HWY_INLINE void with_row_width(const Chains& chains, const Body& body) {
  const std::size_t lines = chains.ngrams().stride() * sizeof(float) / kRowAlignment;
  if (lines == 1) body.template operator()<1>();
  else if (lines == 4) body.template operator()<4>();
  else body.template operator()<0>();
}

/// See unary_start() in chain_kernel.h.
inline void start_from_unary(const Chains& chains, Value* labels, float* doubt) {
  with_row_width(chains, [&]<int kLines>() {
    Site<kLines> site(chains.ngrams().stride());
    for (std::size_t s = 0; s < chains.sequence_count(); ++s)
      for (std::size_t p = chains.begin(s); p < chains.end(s); ++p) {
        score_labels<kUnaryOnly>(chains, labels, p, site);
        const bool possible = find_best(site);
        if (possible) weigh_labels<false>(site, site.best);
        labels[p] = static_cast<Value>(best_label(site, labels[p]));
        doubt[p] = possible ? 1 - 1 / site.total : 1;
      }
  });
}

/// See add_conditionals() in chain_kernel.h.
inline void add_site_conditionals(const Chains& chains, const Value* labels, std::span<const VariableId> batch,
                                  float* sums) {
  const Tag d;
  with_row_width(chains, [&]<int kLines>() {
    const std::size_t stride = chains.ngrams().stride();
    Site<kLines> site(stride);
    for (const VariableId p : batch) {
      score_labels<0>(chains, labels, p, site);
      if (!find_best(site)) continue;
      weigh_labels<false>(site, site.best);
      const Vector share = hn::Set(d, 1 / site.total);
      for (std::size_t at = 0; at < stride; at += hn::Lanes(d)) {
        float* sum = sums + p * stride + at;
        hn::Store(hn::MulAdd(hn::Load(d, site.weights.data() + at), share, hn::Load(d, sum)), d, sum);
      }
    }
  });
}

}  // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
