// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/sequence/learn/crf/summed_training.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/train/train.h"

namespace fovea::tagging {

/// Training of a linear-chain CRF on sequences in shards, of which no process sees more than some:
///
///   1. count_features()     of each shard: its labels, attributes and label n-grams, and how often they occur
///   2. merge_features()     of all shards: what the model has weights for
///   3. ShardObjective       minus the log likelihood of a shard at given weights, its gradient and its curvature
///   4. train_on_shards()    L-BFGS on the sums over all shards, which are the caller's
///
/// If the caller always adds up in the same order, such as that of a tree over the shards' numbers, the weights are the
/// same to the bit on whichever machines the shards are. Of `options`, factor_size, l1, l2, iterations, tolerance,
/// epsilon and cut_off count; others that are not at their defaults are refused (UsageError). L-BFGS starts from
/// weights of 0, preconditioned: the stochastic start of CrfTrainer sees one sequence after the other.
void check_shard_options(const sequence::CrfTrainerOptions& options);

/// The features of a shard, as the bytes of a tagger whose weights are the numbers of items that a feature occurs at,
/// up to 2^24; no bytes if no label is known. Throws InputError for attributes with values above 1e4, which must be
/// scaled by the caller.
std::string count_features(TrainingSequences sequences, const sequence::CrfTrainerOptions& options);

/// The features of several shards, sorted, so that the order of `parts` does not matter. Attributes at fewer than
/// cut_off items whose label is known are dropped, which is for the last merge. Throws InputError for parts whose
/// items are of different kinds, UsageError if no part has features.
std::string merge_features(std::span<const std::string_view> parts, int cut_off = 1);

/// Minus the log likelihood of a shard's sequences, as a function of the weights in the order of the features; see
/// CrfObjective. Not thread-safe.
class ShardObjective {
 public:
  /// features: what merge_features returned. `sequences` must be of_features() of the same. threads: 0 for all cores.
  ShardObjective(const std::string& features, TrainingSequences sequences, int threads = 1);
  ~ShardObjective();
  ShardObjective(ShardObjective&&) noexcept;

  std::size_t dimension() const;
  /// Without a penalty. gradient: dimension() numbers.
  double evaluate(std::span<const float> x, std::span<float> gradient);
  /// The diagonal of the Hessian, approximated as CrfObjective::curvature() does.
  std::vector<float> curvature(std::span<const float> x);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Fits a CRF to the sums over all shards. Stopped by the run, it returns the tagger as it stands. Throws LimitError if
/// the objective is not finite.
TrainedTagger train_on_shards(const std::string& features, const sequence::CrfTrainerOptions& options,
                              const sequence::CrfSums& sums, const Run& run);

}  // namespace fovea::tagging
