// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/thread_team.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/sequence_residuals.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// Averaged stochastic gradient descent on the likelihood of a chain with label pairs only: a few cheap passes that
/// bring rare features near their optimum, from which L-BFGS needs a fraction of the iterations. Threads share the
/// features of each batch; the result depends on the random stream alone.
///
/// Each step takes a batch of neighbouring sequences, the batches in random order. With v = w / scale, the shrinkage by
/// the L2 penalty costs O(1), so a step touches only the features of its batch (Bottou 2012, "Stochastic gradient
/// descent tricks", section 5.1). The step size is eta_0 / (1 + decay * t), t counted in passes, with
/// decay = max(2 l2 eta_0, kDecayPerPass). The result of a pass is the mean of its later iterates (Polyak, Juditsky
/// 1992), by a few snapshots.
class StochasticStart {
 public:
  /// Starts at `x`. All must outlive the object. Among the n-grams of `features` only pairs are trained; the others are
  /// not used or changed.
  StochasticStart(const TrainingSet& set, const CrfFeatures& features, double l2, std::vector<float> x, Random random,
                  int threads);

  /// Sets eta_0 by trial passes over a sample: the best of 0.1 * 2^k, searched outwards from k = 0. Once should_stop()
  /// is true, the best so far.
  void calibrate(const std::function<bool()>& should_stop = {});
  double learning_rate() const { return learning_rate_; }
  void set_learning_rate(double eta) { learning_rate_ = eta; }

  /// One pass over the data. Stops early, after a batch, once should_stop() is true. Returns the sum of -log p(y | x)
  /// of each batch before its step: an estimate of the objective that comes for free.
  double pass(const std::function<bool()>& should_stop = {});

  /// The mean of the iterates of the last pass.
  const std::vector<float>& average() const { return average_; }
  std::vector<float> take_average() && { return std::move(average_); }

 private:
  struct Batch {
    std::size_t first, last;  // sequences
  };
  /// An attribute of an item of the batch.
  struct Entry {
    std::uint32_t attribute;
    std::uint32_t row;  // of its item, in rows_
    float value;
    std::uint32_t first = 0, last = 0;  // its features
  };

  void count_entries();

  template <class Lead, class Follow>
  void visit(const ThreadTeam& team, std::span<const Batch> batches, const Lead& lead, const Follow& follow);
  void list_items(std::size_t begin, std::size_t first, std::size_t last, std::span<Entry> list) const;
  void score_items(std::size_t begin, std::size_t first, std::size_t last, std::span<Entry> list);
  std::span<Entry> entries_of(std::size_t begin, std::size_t first, std::size_t last, std::span<Entry> list) const;
  void find_residuals(const Batch& batch);
  void descend(const ThreadTeam& team, const Batch& batch, double eta, std::span<Entry> list);
  void shrink(const Batch& batch, double eta);
  double trial(std::span<const Batch> sample, double eta, std::span<const float> start,
               const std::function<bool()>& should_stop);
  void fold_scale(const ThreadTeam& team);
  void add_snapshot(const ThreadTeam& team);
  std::vector<LabelNgram> scored_pairs() const;
  std::vector<std::uint32_t> shuffled_batches();

  const TrainingSet* set_;
  const CrfFeatures* features_;
  double l2_;
  int threads_;
  std::vector<float> v_;  // parameters / scale_
  double scale_ = 1;
  Random random_;
  double learning_rate_ = .1;
  double passes_ = 0;
  std::size_t stride_;
  std::size_t pair_count_;
  std::vector<Batch> batches_;
  std::unique_ptr<LabelNgrams> ngrams_;
  std::unique_ptr<SequenceResiduals> residuals_;
  AlignedVector<float> rows_;
  std::vector<std::size_t> entry_begin_;       // of each item of the set, if all were listed
  std::array<std::vector<Entry>, 2> entries_;  // of a batch and of the next one
  std::vector<double> windows_;
  double loss_ = 0;  // of the last batch
  bool stopped_ = false;
  std::vector<float> average_;
  std::size_t snapshots_ = 0;
};

}  // namespace fovea::sequence
