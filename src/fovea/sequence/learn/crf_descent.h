// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/optimize/adagrad.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/ngram_tables.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// Descends by AdaGrad along sparse gradients of one sequence at a time, and keeps the n-gram tables that samplers read
/// at the present weights.
class CrfDescent {
 public:
  /// All must outlive the object; x holds the parameters: first the start, then the result. Each sequence carries its
  /// share of options.l2, which is that of the whole training set. `squares`: those of an earlier descent, to continue
  /// it, or empty.
  CrfDescent(const TrainingSet& set, const CrfFeatures& features, std::span<float> x, optimize::AdaGradOptions options,
             std::vector<float> squares);

  const TrainingSet& set() const { return *set_; }
  const CrfFeatures& features() const { return *features_; }
  std::span<const float> x() const { return x_; }
  const NgramTables& tables() const { return tables_; }
  /// The sums of squared gradients: together with x, all that a later descent needs to continue.
  std::span<const float> squares() { return adagrad_.squares(); }

  /// Calls step(sequence, random) for every sequence in random order, until should_stop(); then x is up to date.
  template <class Step>
  void pass(Random random, const std::function<bool()>& should_stop, const Step& step) {
    std::vector<std::uint32_t> order(set_->items.sequence_count());
    std::iota(order.begin(), order.end(), 0u);
    shuffle(std::span(order), random);
    for (const std::uint32_t sequence : order) {
      Random draws = random.child("sequence", sequence);
      adagrad_.next_step();
      step(sequence, draws);
      if (should_stop && should_stop()) break;
    }
    flush();
  }

  /// To be called within a step: moves against a gradient, which names each parameter once.
  void update(std::span<const std::pair<std::uint32_t, float>> gradient);

 private:
  void flush();
  NgramTables make_tables() const;

  const TrainingSet* set_;
  const CrfFeatures* features_;
  std::span<float> x_;
  NgramTables tables_;
  optimize::AdaGrad<float> adagrad_;
};

}  // namespace fovea::sequence
