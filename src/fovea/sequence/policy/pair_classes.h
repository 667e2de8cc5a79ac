// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// Classes of the pairs that a label forms with its neighbours, as value functions of rounds tell them apart.
/// [label][next label], the pad label included.
struct PairClasses {
  std::size_t count = 0;                   ///< of classes on each side
  std::vector<std::uint32_t> left, right;  ///< of the pair with the label before, and with the label after

  /// Every pair is a class of its own.
  static PairClasses of_labels(std::size_t label_count);

  /// Classes that know no labels: how surprising the label is, given one neighbour, by the scores of 2-grams alone,
  ///
  ///   log sum_k exp w(a, k) - w(a, b) for the label b after a, and alike for the label before,
  ///
  /// on a scale of square roots: ten classes up to 20.25 nats. Pairs with a pad are a class by themselves.
  static PairClasses of_surprise(const LabelNgrams& ngrams);
  static constexpr std::size_t kSurprises = 11;
};

}  // namespace fovea::sequence
