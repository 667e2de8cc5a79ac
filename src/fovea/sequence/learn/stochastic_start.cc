// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/stochastic_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/sequence/learn/crf_features.h"

namespace fovea::sequence {
namespace {

constexpr std::size_t kBatchItems = 64;   // a batch has at least this many items, so that the chain code fills lanes
constexpr double kDecayPerPass = .1;      // the steps must shrink even without an L2 penalty
constexpr std::size_t kMostThreads = 16;  // a batch has no work for more
constexpr std::size_t kItemsPerTask = 4, kShares = 64, kSharesPerTask = 4, kNeighbours = 16, kWeightsPerTask = 4096;
constexpr std::size_t kSamplePart = 24;     // calibration uses a 24th of the batches ...
constexpr std::size_t kSampleBatches = 64;  // ... but at least this many
constexpr std::size_t kSnapshotsPerPass = 32;
constexpr double kSmallestScale = 1e-3;  // below this, v = w / scale would lose range

}  // namespace

StochasticStart::StochasticStart(const TrainingSet& set, const CrfFeatures& features, double l2, std::vector<float> x,
                                 Random random, int threads)
    : set_(&set),
      features_(&features),
      l2_(l2),
      threads_(threads),
      v_(std::move(x)),
      random_(random),
      stride_(row_stride(set.label_count)),
      pair_count_(std::count_if(features.ngrams.begin(), features.ngrams.end(),
                                [](const LabelNgram& ngram) { return ngram.size == 2; })),
      average_(v_) {
  FOVEA_CHECK(v_.size() == features.dimension());
  const std::vector<std::uint32_t>& begin = set.items.sequence_begin;
  for (std::size_t s = 0, first = 0; s < set.items.sequence_count(); ++s)
    if (begin[s + 1] - begin[first] >= kBatchItems || s + 1 == set.items.sequence_count())
      batches_.push_back({std::exchange(first, s + 1), s + 1});
  ngrams_ = std::make_unique<LabelNgrams>(set.label_count, std::min(features.factor_size, 2), scored_pairs());
  residuals_ = std::make_unique<SequenceResiduals>(set, *ngrams_, scored_pairs(), SequenceObjective::kLikelihood);
  windows_.resize(ngrams_->context_count() * stride_);
  count_entries();
}

void StochasticStart::count_entries() {
  const SparseRows &items = set_->items.items, &bundles = set_->items.bundles;
  const std::vector<std::uint32_t>& begin = set_->items.sequence_begin;
  entry_begin_.assign(1, 0);
  for (std::size_t item = 0; item < set_->items.item_count(); ++item) {
    entry_begin_.push_back(entry_begin_.back());
    for (std::uint32_t i = items.offsets[item]; i < items.offsets[item + 1]; ++i)
      entry_begin_.back() += bundles.offsets[items.columns[i] + 1] - bundles.offsets[items.columns[i]];
  }
  std::size_t most_items = 0, most_entries = 0;
  for (const Batch& batch : batches_) {
    most_items = std::max<std::size_t>(most_items, begin[batch.last] - begin[batch.first]);
    most_entries = std::max(most_entries, entry_begin_[begin[batch.last]] - entry_begin_[begin[batch.first]]);
  }
  rows_.resize(most_items * stride_);
  for (std::vector<Entry>& list : entries_) list.resize(most_entries);
}

std::vector<LabelNgram> StochasticStart::scored_pairs() const {
  std::vector<LabelNgram> pairs(features_->ngrams.begin(), features_->ngrams.begin() + pair_count_);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i].score = static_cast<float>(scale_ * v_[features_->labels.size() + i]);
  return pairs;
}

void StochasticStart::calibrate(const std::function<bool()>& should_stop) {
  const std::vector<float> start = v_;
  const std::size_t size = std::min(batches_.size(), std::max(batches_.size() / kSamplePart, kSampleBatches));
  std::vector<Batch> sample;
  for (const std::uint32_t b : shuffled_batches()) {
    if (sample.size() == size) break;
    sample.push_back(batches_[b]);
  }
  double best = .1, best_loss = trial(sample, best, start, should_stop);
  for (const double factor : {2.0, .5}) {
    const double before = best;
    for (double eta = best * factor; eta > 1e-6 && eta < 1e3; eta *= factor) {
      const double loss = trial(sample, eta, start, should_stop);
      if (!(loss < best_loss)) break;
      best = eta;
      best_loss = loss;
    }
    if (best != before) break;
  }
  v_ = start;
  scale_ = 1;
  learning_rate_ = best;
}

/// Returns the loss on the sample after one pass over it; infinity if it was stopped.
double StochasticStart::trial(std::span<const Batch> sample, double eta, std::span<const float> start,
                              const std::function<bool()>& should_stop) {
  v_.assign(start.begin(), start.end());
  scale_ = 1;
  stopped_ = false;
  double loss = 0;
  const auto check = [&] { stopped_ = should_stop && should_stop(); };
  run_in_team(kMostThreads, threads_, [&](const ThreadTeam& team) {
    visit(
        team, sample,
        [&](const Batch& batch) {
          shrink(batch, eta);
          check();
        },
        [&](const Batch& batch, std::span<Entry> list) { descend(team, batch, eta, list); });
    visit(
        team, sample,
        [&](const Batch&) {
          loss += loss_;
          check();
        },
        [](const Batch&, std::span<Entry>) {});
  });
  return std::isfinite(loss) && !stopped_ ? loss : std::numeric_limits<double>::infinity();
}

double StochasticStart::pass(const std::function<bool()>& should_stop) {
  const std::size_t interval = std::max<std::size_t>(1, batches_.size() / kSnapshotsPerPass);
  const double decay = std::max(2 * l2_ * learning_rate_, kDecayPerPass);
  const double per_step = 1 / static_cast<double>(std::max<std::size_t>(1, batches_.size()));
  std::vector<Batch> order;
  for (const std::uint32_t b : shuffled_batches()) order.push_back(batches_[b]);
  snapshots_ = 0;
  stopped_ = false;
  double loss = 0, end = passes_;
  run_in_team(kMostThreads, threads_, [&](const ThreadTeam& team) {
    double passes = passes_;
    std::size_t done = 0;
    const auto eta = [&] { return learning_rate_ / (1 + decay * passes); };
    visit(
        team, order,
        [&](const Batch& batch) {
          loss += loss_;
          shrink(batch, eta());
          stopped_ = should_stop && should_stop();
        },
        [&](const Batch& batch, std::span<Entry> list) {
          descend(team, batch, eta(), list);
          passes += per_step;
          if (++done % interval == 0) add_snapshot(team);
        });
    if (done < interval) add_snapshot(team);  // each counts itself: a member that adds one changes snapshots_
    if (team.leads()) end = passes;
  });
  passes_ = end;
  return loss;
}

/// For one batch after the other, leaves its loss in loss_ and its residuals in rows_ and windows_; then one member
/// calls lead(batch), then all call follow(batch, its entries), until one has set stopped_.
template <class Lead, class Follow>
void StochasticStart::visit(const ThreadTeam& team, std::span<const Batch> batches, const Lead& lead,
                            const Follow& follow) {
  if (batches.empty()) return;
  const auto begin = [&](const Batch& batch) { return set_->items.sequence_begin[batch.first]; };
  const auto size = [&](const Batch& batch) { return set_->items.sequence_begin[batch.last] - begin(batch); };
  std::size_t side = 0;
  team.for_share(size(batches[0]), kItemsPerTask, [&](std::size_t first, std::size_t last) {
    list_items(begin(batches[0]), first, last, entries_[side]);
  });
  for (std::size_t i = 0; i < batches.size(); ++i, side = 1 - side) {
    const Batch& batch = batches[i];
    team.for_share(size(batch), kItemsPerTask, [&](std::size_t first, std::size_t last) {
      score_items(begin(batch), first, last, entries_[side]);
    });
    team.meet();
    if (i + 1 < batches.size())
      team.for_share_of_others(size(batches[i + 1]), kItemsPerTask, [&](std::size_t first, std::size_t last) {
        list_items(begin(batches[i + 1]), first, last, entries_[1 - side]);
      });
    if (team.leads()) {
      find_residuals(batch);
      lead(batch);
    }
    team.meet();
    follow(batch, entries_[side]);
    if (stopped_) return;
  }
}

/// Lists the attributes of items [first, last) of a batch that begins at item `begin` of the set.
void StochasticStart::list_items(std::size_t begin, std::size_t first, std::size_t last, std::span<Entry> list) const {
  const SparseRows &items = set_->items.items, &bundles = set_->items.bundles;
  list = entries_of(begin, first, last, list);
  Entry* entry = list.data();
  for (std::size_t item = begin + first; item < begin + last; ++item) {
    const auto row = static_cast<std::uint32_t>((item - begin) * stride_);
    for (std::uint32_t i = items.offsets[item]; i < items.offsets[item + 1]; ++i) {
      const std::uint32_t bundle = items.columns[i];
      for (std::uint32_t b = bundles.offsets[bundle]; b < bundles.offsets[bundle + 1]; ++b) {
        *entry++ = {.attribute = bundles.columns[b], .row = row, .value = items.value(i) * bundles.value(b)};
        __builtin_prefetch(&features_->offsets[bundles.columns[b]]);
      }
    }
  }
  for (Entry& e : list) {
    e.first = features_->offsets[e.attribute];
    e.last = features_->offsets[e.attribute + 1];
    __builtin_prefetch(&features_->labels[e.first]);
  }
}

/// Sets the rows of items [first, last) of the batch to their scores. The weights lie far apart in memory: they are
/// fetched some entries ahead.
void StochasticStart::score_items(std::size_t begin, std::size_t first, std::size_t last, std::span<Entry> list) {
  constexpr std::size_t kAhead = 16;
  std::fill_n(rows_.data() + first * stride_, (last - first) * stride_, 0.0f);
  list = entries_of(begin, first, last, list);
  const auto scale = static_cast<float>(scale_);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i + kAhead < list.size()) __builtin_prefetch(&v_[list[i + kAhead].first]);
    const Entry& entry = list[i];
    float* scores = rows_.data() + entry.row;
    for (std::uint32_t e = entry.first; e < entry.last; ++e)
      scores[features_->labels[e]] += scale * entry.value * v_[e];
  }
}

std::span<StochasticStart::Entry> StochasticStart::entries_of(std::size_t begin, std::size_t first, std::size_t last,
                                                              std::span<Entry> list) const {
  const std::size_t from = entry_begin_[begin + first], to = entry_begin_[begin + last];
  return list.subspan(from - entry_begin_[begin], to - from);
}

void StochasticStart::find_residuals(const Batch& batch) {
  const std::vector<LabelNgram> pairs = scored_pairs();
  *ngrams_ = LabelNgrams(set_->label_count, ngrams_->factor_size(), pairs);
  residuals_->rebind(*ngrams_, pairs);
  std::fill(windows_.begin(), windows_.end(), 0.0);
  loss_ = residuals_->run(batch.first, batch.last, rows_.data(), windows_.data(), RowOutput::kResidual);
}

/// Each member takes its own attributes, in the order of the items: the same sums on any number of threads.
void StochasticStart::descend(const ThreadTeam& team, const Batch& batch, double eta, std::span<Entry> list) {
  const std::size_t begin = set_->items.sequence_begin[batch.first], end = set_->items.sequence_begin[batch.last];
  const std::span<const Entry> entries = entries_of(begin, 0, end - begin, list);
  const auto step = static_cast<float>(-eta / scale_);
  team.for_share(kShares, kSharesPerTask, [&](std::size_t first, std::size_t last) {
    for (const Entry& entry : entries) {
      if (entry.attribute / kNeighbours % kShares - first >= last - first) continue;
      const float* residual = rows_.data() + entry.row;
      for (std::uint32_t e = entry.first; e < entry.last; ++e)
        v_[e] += step * entry.value * residual[features_->labels[e]];
    }
  });
  team.meet();
  if (scale_ < kSmallestScale) fold_scale(team);
}

/// Shrinks all weights by the penalty's share of a batch, and moves those of label pairs by its gradient.
void StochasticStart::shrink(const Batch& batch, double eta) {
  const double share = static_cast<double>(batch.last - batch.first) / set_->items.sequence_count();
  scale_ *= std::max(1 - 2 * l2_ * share * eta, .5);
  const auto step = static_cast<float>(-eta / scale_);
  for (std::size_t i = 0; i < pair_count_; ++i) {
    const LabelNgram& pair = features_->ngrams[i];
    v_[features_->labels.size() + i] += static_cast<float>(step * windows_[pair.labels[0] * stride_ + pair.labels[1]]);
  }
}

void StochasticStart::fold_scale(const ThreadTeam& team) {
  team.for_share(v_.size(), kWeightsPerTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) v_[i] = static_cast<float>(v_[i] * scale_);
  });
  team.meet();
  if (team.leads()) scale_ = 1;
  team.meet();
}

void StochasticStart::add_snapshot(const ThreadTeam& team) {
  if (team.leads()) ++snapshots_;
  team.meet();
  const auto weight = static_cast<float>(1.0 / snapshots_), scale = static_cast<float>(scale_);
  team.for_share(v_.size(), kWeightsPerTask, [&](std::size_t first, std::size_t last) {
    if (snapshots_ == 1) std::fill(average_.begin() + first, average_.begin() + last, 0.0f);
    for (std::size_t i = first; i < last; ++i) average_[i] += weight * (scale * v_[i] - average_[i]);
  });
  team.meet();
}

std::vector<std::uint32_t> StochasticStart::shuffled_batches() {
  std::vector<std::uint32_t> order(batches_.size());
  std::iota(order.begin(), order.end(), 0u);
  shuffle(std::span(order), random_);
  return order;
}

}  // namespace fovea::sequence
