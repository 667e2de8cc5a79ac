// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_CHAIN_CHAIN_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_CHAIN_CHAIN_KERNEL_INL_H_
#undef FOVEA_SAMPLE_CHAIN_CHAIN_KERNEL_INL_H_
#else
#define FOVEA_SAMPLE_CHAIN_CHAIN_KERNEL_INL_H_
#endif

#include <cmath>
#include <limits>

#include "fovea/base/random.h"
#include "fovea/mcmc/fast_exp-inl.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace mcmc::HWY_NAMESPACE;  // the vector code that samplers share

enum class Visit { kSample, kBest };
enum class Detail { kNone, kGains, kDoubt, kAll };  // kDoubt: gains too, if the record has room for them

inline constexpr float kLowest = std::numeric_limits<float>::lowest();  // finite: impossible labels stay closed

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
  void resize(std::size_t) {}
  std::size_t size() const { return kFloats; }
  float* data() { return values_; }
  const float* data() const { return values_; }

 private:
  HWY_ALIGN float values_[kFloats];
};

template <>
class Row<0> : public AlignedVector<float> {};

/// Scratch memory of one visit.
template <int kLines>
struct Site {
  void resize(std::size_t stride) {
    scores.resize(stride);
    weights.resize(stride);
    sums.resize(stride);
  }
  Row<kLines> scores;   ///< log p(k | rest) + const
  Row<kLines> weights;  ///< exp(score - some reference)
  Row<kLines> sums;     ///< running sums of the weights
  float best;           ///< the largest score
  float total;          ///< the sum of the weights; >= 1 if they are relative to the largest score
  bool possible;        ///< true if any label has a score above -inf
};

/// The rows that score a position given its neighbours, one for each window over it. kSize: factor size, or 0 to
/// read it at run time. Returns their number.
///
/// The context of a slot is the number made of the `slot` labels before the position, followed by those after it: each
/// part is one label longer than that of the next slot, so all contexts together cost little more than one.
template <int kSize>
HWY_INLINE int rows_of(const LabelNgrams& ngrams, std::size_t stride, const Value* labels, std::size_t position,
                       const float** rows) {
  const int size = kSize > 0 ? kSize : ngrams.factor_size();
  const std::size_t base = ngrams.label_count() + 1;
  std::size_t before[kMaxFactorSize] = {}, after[kMaxFactorSize] = {}, power[kMaxFactorSize] = {1};
  for (int n = 1; n < size; ++n) {
    before[n] = before[n - 1] + labels[position - n] * power[n - 1];
    after[n] = after[n - 1] * base + labels[position + n];
    power[n] = power[n - 1] * base;
  }
  for (int slot = 0; slot < size; ++slot) {
    const std::size_t context = before[slot] * power[size - 1 - slot] + after[size - 1 - slot];
    rows[slot] = ngrams.rows() + std::size_t{ngrams.row_index(slot)[context]} * stride;
  }
  return size;
}

/// Prefetches what scores a position. This is only a hint: labels may still change before it is used.
template <int kSize, int kLines>
HWY_INLINE void prefetch_scores(const LabelSequences& sequences, const Value* labels, std::size_t position,
                                const Site<kLines>& site) {
  constexpr std::size_t kLine = kRowAlignment / sizeof(float);
  const std::size_t stride = site.scores.size();
  const float* unary = sequences.unary(0) + position * stride;
  for (std::size_t at = 0; at < stride; at += kLine) hwy::Prefetch(unary + at);
  if (kLines == 1 || kSize == 2) return;  // only tables of many wide rows outgrow the caches
  const float* rows[kMaxFactorSize];
  const int size = rows_of<kSize>(sequences.ngrams(), stride, labels, position, rows);
  for (std::size_t at = 0; at < stride; at += kLine)
    for (int slot = 0; slot < size; ++slot) hwy::Prefetch(rows[slot] + at);
}

/// Scores of all labels at a position given its neighbours.
template <int kSize, int kLines>
HWY_INLINE void score_labels(const LabelSequences& sequences, const Value* labels, std::size_t position,
                             Site<kLines>& site) {
  const Tag d;
  const float* rows[kMaxFactorSize];
  const int size = rows_of<kSize>(sequences.ngrams(), site.scores.size(), labels, position, rows);
  const float* unary = sequences.unary(0) + position * site.scores.size();
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d)) {
    Vector score = hn::Load(d, unary + at);
    for (int slot = 0; slot < size; ++slot) score = hn::Add(score, hn::Load(d, rows[slot] + at));
    hn::Store(score, d, site.scores.data() + at);
  }
}

/// Finds the best score and whether any label is possible.
template <int kLines>
HWY_INLINE void find_best(Site<kLines>& site) {
  const Tag d;
  Vector best = hn::Load(d, site.scores.data());
  for (std::size_t at = hn::Lanes(d); at < site.scores.size(); at += hn::Lanes(d))
    best = hn::Max(best, hn::Load(d, site.scores.data() + at));
  site.best = hn::GetLane(hn::MaxOfLanes(d, best));
  site.possible = site.best > -std::numeric_limits<float>::infinity();
}

/// Computes the weights relative to a reference score; all are 0 if it and the scores are -inf.
template <int kLines>
HWY_INLINE void weigh_labels(Site<kLines>& site, float reference) {
  const Tag d;
  const Vector shift = hn::Set(d, reference);
  for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d))
    hn::Store(fast_exp(d, hn::Sub(hn::Load(d, site.scores.data() + at), shift)), d, site.weights.data() + at);
}

/// Computes the total of the weights.
template <int kLines>
HWY_INLINE void total_weights(Site<kLines>& site) {
  const Tag d;
  Vector sum = hn::Zero(d);
  for (std::size_t at = 0; at < site.weights.size(); at += hn::Lanes(d))
    sum = hn::Add(sum, hn::Load(d, site.weights.data() + at));
  site.total = hn::GetLane(hn::SumOfLanes(d, sum));
}

/// Computes the running sums of the weights, which a draw needs, and their total.
template <int kLines>
HWY_INLINE void accumulate_weights(Site<kLines>& site) {
  const Tag d;
  const auto last = hn::IndicesFromVec(d, hn::Set(hn::RebindToSigned<Tag>(), static_cast<int>(hn::Lanes(d)) - 1));
  Vector total = hn::Zero(d);
  for (std::size_t at = 0; at < site.weights.size(); at += hn::Lanes(d)) {
    Vector sums = inclusive_scan(d, hn::Load(d, site.weights.data() + at));
    if (at > 0) sums = hn::Add(sums, total);
    hn::Store(sums, d, site.sums.data() + at);
    total = hn::TableLookupLanes(sums, last);
  }
  site.total = hn::GetLane(total);
}

/// Draws a label by any stream of semantic draws, such as the enumerator.
template <class AnyRandom, int kLines>
HWY_INLINE std::uint32_t draw(AnyRandom& random, const Site<kLines>& site, std::uint32_t label_count) {
  return random.categorical(std::span<const float>(site.weights.data(), label_count));
}

/// The same draw, by comparing one point with the running sums, all lanes at once.
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

/// log p(after | rest) - log p(before | rest)
template <int kLines>
HWY_INLINE float gain(const Site<kLines>& site, Value before, Value after) {
  return site.scores.data()[after] - site.scores.data()[before];
}

template <int kLines>
mcmc::SiteInfo describe(const Site<kLines>& site, Value before, Value after) {
  const float mean = mean_score(site);
  const float* scores = site.scores.data();
  return {.before = before,
          .after = after,
          .doubt = 1 - 1 / site.total,
          .entropy = std::log(site.total) - mean,
          .log_gain = gain(site, before, after),
          .best_gain = site.best - scores[before],
          .mean_gain = mean + (site.best - scores[before])};
}

/// A visit that needs no more than a draw may weigh labels relative to any score that does not make the weights
/// overflow. The score of the current label nearly always qualifies, and then the largest need not be found.
template <Visit kVisit, Detail kDetail>
inline constexpr bool kDrawOnly = kVisit == Visit::kSample && (kDetail == Detail::kNone || kDetail == Detail::kGains);

/// True if the record needs the total of the weights relative to the best score.
template <Detail kDetail>
inline constexpr bool kNeedsTotal = kDetail == Detail::kDoubt || kDetail == Detail::kAll;

/// Computes the weights of the labels if the visit needs them.
template <Visit kVisit, Detail kDetail, int kLines>
HWY_INLINE void weigh(Site<kLines>& site, Value current) {
  if constexpr (kDrawOnly<kVisit, kDetail>) {
    weigh_labels(site, site.scores.data()[current]);
  } else {
    find_best(site);
    if constexpr (kVisit == Visit::kSample || kNeedsTotal<kDetail>) weigh_labels(site, site.best);
  }
}

/// Computes the sums of the weights that the visit needs.
template <Visit kVisit, Detail kDetail, int kLines>
HWY_INLINE void sum_up(Site<kLines>& site) {
  if constexpr (kVisit == Visit::kSample) accumulate_weights(site);
  else if constexpr (kNeedsTotal<kDetail>) total_weights(site);
  if constexpr (kDrawOnly<kVisit, kDetail>) {
    constexpr float kSafe = 1e30f;
    site.possible = site.total >= 1 && site.total < kSafe;  // else the current label, of weight 1, is impossible
    if (HWY_LIKELY(site.possible)) return;
    find_best(site);
    weigh_labels(site, site.best);
    accumulate_weights(site);
  }
}

/// Returns the label after the visit.
template <Visit kVisit, int kLines, class AnyRandom>
HWY_INLINE Value choose(const Site<kLines>& site, Value current, std::uint32_t label_count, AnyRandom& random) {
  if (HWY_UNLIKELY(!site.possible)) return current;
  if constexpr (kVisit == Visit::kSample) return static_cast<Value>(draw(random, site, label_count));
  else return static_cast<Value>(best_label(site, current));
}

/// The length of the longest run from batch[first], up to kMost, whose sites share no window: each lies a factor size
/// or more to the right of the one before.
template <std::size_t kMost>
HWY_INLINE std::size_t independent_run(std::span<const VariableId> batch, std::size_t first, std::size_t factor_size) {
  const std::size_t most = std::min(kMost, batch.size() - first);
  std::size_t count = 1;
  while (count < most && batch[first + count] >= batch[first + count - 1] + factor_size) ++count;
  return count;
}

/// Visits the sites of one batch in order. Returns the number of labels that changed.
///
/// A visit is one long chain of dependent instructions. Neighbours in the batch that do not depend on each other go
/// through it together, stage by stage, so that the processor always sees several sequences at once. They draw in the
/// order of the batch: the result is the same as one by one.
template <Visit kVisit, Detail kDetail, int kSize, int kLines, class AnyRandom>
std::size_t visit_sites(const LabelSequences& sequences, Value* labels, std::span<const VariableId> batch,
                        AnyRandom& random, const mcmc::VisitRecord& record, mcmc::SiteInfo* infos) {
  constexpr std::size_t kTogether = kLines == 1 ? 8 : 4, kAhead = kLines == 1 ? 16 : 4;
  const auto label_count = static_cast<std::uint32_t>(sequences.ngrams().label_count());
  Site<kLines> sites[kTogether];
  for (Site<kLines>& site : sites) site.resize(sequences.ngrams().stride());
  std::size_t changes = 0, fetched = 0;
  for (std::size_t first = 0, count; first < batch.size(); first += count) {
    count = independent_run<kTogether>(batch, first, sequences.ngrams().factor_size());
    const VariableId* positions = batch.data() + first;
    for (fetched = std::max(fetched, first + count); fetched < std::min(first + count + kAhead, batch.size());
         ++fetched)
      prefetch_scores<kSize>(sequences, labels, batch[fetched], sites[0]);
    for (std::size_t i = 0; i < count; ++i) score_labels<kSize>(sequences, labels, positions[i], sites[i]);
    for (std::size_t i = 0; i < count; ++i) weigh<kVisit, kDetail>(sites[i], labels[positions[i]]);
    for (std::size_t i = 0; i < count; ++i) sum_up<kVisit, kDetail>(sites[i]);
    for (std::size_t i = 0; i < count; ++i) {
      const Site<kLines>& site = sites[i];
      const Value before = labels[positions[i]];
      const Value after = choose<kVisit>(site, before, label_count, random);
      labels[positions[i]] = after;
      if constexpr (kDetail == Detail::kAll)
        *infos++ = site.possible ? describe(site, before, after) : mcmc::SiteInfo{before, before};
      if constexpr (kDetail == Detail::kGains || kDetail == Detail::kDoubt)
        if (record.gains) record.gains[first + i] = site.possible ? gain(site, before, after) : 0;
      if constexpr (kDetail == Detail::kDoubt) {
        record.doubt[positions[i]] = site.possible ? 1 - site.weights.data()[after] / site.total : 0;
        record.changed[changes] = positions[i];  // overwritten by the next visit unless it counts
      }
      changes += before != after;
    }
  }
  return changes;
}

/// Picks the specialisation for the model's factor size and row width.
template <Visit kVisit, Detail kDetail, class AnyRandom>
std::size_t visit(const LabelSequences& sequences, Value* labels, std::span<const VariableId> batch, AnyRandom& random,
                  const mcmc::VisitRecord& record, mcmc::SiteInfo* infos) {
  const std::size_t lines = sequences.ngrams().stride() * sizeof(float) / kRowAlignment;
  const int size = sequences.ngrams().factor_size();
  const auto with = [&]<int kSize, int kLines>() {
    return visit_sites<kVisit, kDetail, kSize, kLines>(sequences, labels, batch, random, record, infos);
  };
  if (size == 2 && lines == 1) return with.template operator()<2, 1>();
  if (size == 2 && lines == 4) return with.template operator()<2, 4>();
  if (size == 4 && lines == 1) return with.template operator()<4, 1>();
  if (size == 4 && lines == 4) return with.template operator()<4, 4>();
  return with.template operator()<0, 0>();
}

/// Runs body<kLines>() for the row width of the model.
template <class Body>
HWY_INLINE void with_row_width(const LabelSequences& sequences, const Body& body) {
  const std::size_t lines = sequences.ngrams().stride() * sizeof(float) / kRowAlignment;
  if (lines == 1) body.template operator()<1>();
  else if (lines == 4) body.template operator()<4>();
  else body.template operator()<0>();
}

/// See unary_start() in sequence_kernel.h; `bias` has a whole row, `log_share` is the log of open_share.
inline void start_from_unary(const LabelSequences& sequences, Value* labels, float* doubt, float scale,
                             const float* bias, OpenLabels* open, float log_share) {
  const Tag d;
  const float share = std::exp(log_share);
  const std::size_t label_count = sequences.ngrams().label_count();
  with_row_width(sequences, [&]<int kLines>() {
    Site<kLines> site;
    site.resize(sequences.ngrams().stride());
    for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
      for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
        const float* unary = sequences.unary(p);
        for (std::size_t at = 0; at < site.scores.size(); at += hn::Lanes(d))
          hn::Store(hn::MulAdd(hn::Load(d, unary + at), hn::Set(d, scale), hn::Load(d, bias + at)), d,
                    site.scores.data() + at);
        find_best(site);
        weigh_labels(site, site.best);
        total_weights(site);
        labels[p] = static_cast<Value>(best_label(site, labels[p]));
        doubt[p] = site.possible ? 1 - 1 / site.total : 1;
        // The mass that the likeliest label leaves bounds every other one: most tokens need no second look.
        if (open && site.possible && site.total - 1 >= share)
          open->open(p, {site.scores.data(), label_count}, std::max(site.best + log_share, kLowest));
      }
  });
}

/// See add_conditionals() in sequence_kernel.h.
inline void add_site_conditionals(const LabelSequences& sequences, const Value* labels,
                                  std::span<const VariableId> batch, float* sums) {
  const Tag d;
  with_row_width(sequences, [&]<int kLines>() {
    const std::size_t stride = sequences.ngrams().stride();
    Site<kLines> site;
    site.resize(stride);
    for (const VariableId p : batch) {
      score_labels<0>(sequences, labels, p, site);
      find_best(site);
      if (!site.possible) continue;
      weigh_labels(site, site.best);
      total_weights(site);
      const Vector share = hn::Set(d, 1 / site.total);
      for (std::size_t at = 0; at < stride; at += hn::Lanes(d)) {
        float* sum = sums + p * stride + at;
        hn::Store(hn::MulAdd(hn::Load(d, site.weights.data() + at), share, hn::Load(d, sum)), d, sum);
      }
    }
  });
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
