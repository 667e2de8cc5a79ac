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

constexpr std::size_t kBatchItems = 64;     // a batch has at least this many items, so that the chain code fills lanes
constexpr double kDecayPerPass = .1;        // the steps must shrink even without an L2 penalty
constexpr std::size_t kSamplePart = 24;     // calibration uses a 24th of the batches ...
constexpr std::size_t kSampleBatches = 64;  // ... but at least this many
constexpr std::size_t kSnapshotsPerPass = 32;
constexpr double kSmallestScale = 1e-3;  // below this, v = w / scale would lose range

}  // namespace

StochasticStart::StochasticStart(const TrainingSet& set, const CrfFeatures& features, double l2, std::vector<float> x,
                                 Random random)
    : set_(&set),
      features_(&features),
      l2_(l2),
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
  double loss = 0;
  const auto for_each_batch = [&](const auto& visit) {
    for (const Batch& batch : sample) {
      if (should_stop && should_stop()) loss = std::numeric_limits<double>::infinity();
      else visit(batch);
    }
  };
  for_each_batch([&](const Batch& batch) { step(batch, eta); });
  for_each_batch([&](const Batch& batch) { loss += score(batch); });
  return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity();
}

double StochasticStart::pass(const std::function<bool()>& should_stop) {
  const std::size_t interval = std::max<std::size_t>(1, batches_.size() / kSnapshotsPerPass);
  const double decay = std::max(2 * l2_ * learning_rate_, kDecayPerPass);
  const double per_step = 1 / static_cast<double>(std::max<std::size_t>(1, batches_.size()));
  snapshots_ = 0;
  std::size_t done = 0;
  double loss = 0;
  for (const std::uint32_t b : shuffled_batches()) {
    loss += step(batches_[b], learning_rate_ / (1 + decay * passes_));
    passes_ += per_step;
    if (++done % interval == 0) add_snapshot();
    if (should_stop && should_stop()) break;
  }
  if (snapshots_ == 0) add_snapshot();
  return loss;
}

double StochasticStart::step(const Batch& batch, double eta) {
  const double loss = score(batch);
  descend(batch, eta);
  return loss;
}

/// Returns the loss of a batch, and leaves the residuals in rows_ and windows_.
double StochasticStart::score(const Batch& batch) {
  const std::vector<std::uint32_t>& begin = set_->items.sequence_begin;
  rows_.assign((begin[batch.last] - begin[batch.first]) * stride_, 0.0f);
  float* row = rows_.data();
  const auto scale = static_cast<float>(scale_);
  for (std::uint32_t item = begin[batch.first]; item < begin[batch.last]; ++item, row += stride_)
    for_each_feature(*set_, *features_, item,
                     [&](std::uint32_t e, Value label, float value) { row[label] += scale * value * v_[e]; });
  const std::vector<LabelNgram> pairs = scored_pairs();
  *ngrams_ = LabelNgrams(set_->label_count, ngrams_->factor_size(), pairs);
  residuals_->rebind(*ngrams_, pairs);
  std::fill(windows_.begin(), windows_.end(), 0.0);
  return residuals_->run(batch.first, batch.last, rows_.data(), windows_.data(), RowOutput::kResidual);
}

void StochasticStart::descend(const Batch& batch, double eta) {
  const std::vector<std::uint32_t>& begin = set_->items.sequence_begin;
  const double share = static_cast<double>(batch.last - batch.first) / set_->items.sequence_count();
  scale_ *= std::max(1 - 2 * l2_ * share * eta, .5);
  const auto step = static_cast<float>(-eta / scale_);
  const float* residual = rows_.data();
  for (std::uint32_t item = begin[batch.first]; item < begin[batch.last]; ++item, residual += stride_)
    for_each_feature(*set_, *features_, item,
                     [&](std::uint32_t e, Value label, float value) { v_[e] += step * value * residual[label]; });
  for (std::size_t i = 0; i < pair_count_; ++i) {
    const LabelNgram& pair = features_->ngrams[i];
    v_[features_->labels.size() + i] += static_cast<float>(step * windows_[pair.labels[0] * stride_ + pair.labels[1]]);
  }
  if (scale_ < kSmallestScale) fold_scale();
}

void StochasticStart::fold_scale() {
  for (float& v : v_) v = static_cast<float>(v * scale_);
  scale_ = 1;
}

void StochasticStart::add_snapshot() {
  ++snapshots_;
  const auto weight = static_cast<float>(1.0 / snapshots_), scale = static_cast<float>(scale_);
  if (snapshots_ == 1) std::fill(average_.begin(), average_.end(), 0.0f);
  for (std::size_t i = 0; i < v_.size(); ++i) average_[i] += weight * (scale * v_[i] - average_[i]);
}

std::vector<std::uint32_t> StochasticStart::shuffled_batches() {
  std::vector<std::uint32_t> order(batches_.size());
  std::iota(order.begin(), order.end(), 0u);
  shuffle(std::span(order), random_);
  return order;
}

}  // namespace fovea::sequence
