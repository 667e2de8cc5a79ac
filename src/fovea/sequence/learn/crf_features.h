// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/sequence/learn/training_set.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// The parameters of a linear-chain CRF in one flat order: for attribute a the pairs (a, labels[e]) with e in
/// [offsets[a], offsets[a + 1]), labels ascending; then one for each label n-gram (scores unused), sizes 2 ..
/// factor_size, each size in lexicographic order.
struct CrfFeatures {
  int label_count = 0;
  int factor_size = 1;
  std::vector<std::uint32_t> offsets = {0};
  std::vector<Value> labels;
  std::vector<LabelNgram> ngrams;

  std::size_t attribute_count() const { return offsets.size() - 1; }
  std::size_t dimension() const { return labels.size() + ngrams.size(); }

  /// Returns the n-grams with their scores from a flat parameter vector.
  std::vector<LabelNgram> scored_ngrams(std::span<const float> x) const;
};

/// Returns the features seen in training: a pair (attribute, label) where an item with that attribute carries that
/// label, an n-gram where its labels follow each other. Items of unknown label contribute nothing. `all`: every pair of
/// an attribute and a label, and every label pair, seen or not (longer n-grams only as seen).
CrfFeatures observed_features(const TrainingSet& set, const TransposedItems& transposed, int factor_size,
                              bool all = false);

/// Calls visit(parameter, label, value) for the (attribute, label) features of one item, through its bundles.
template <class Visit>
inline void for_each_feature(const TrainingSet& set, const CrfFeatures& features, std::size_t item,
                             const Visit& visit) {
  const SparseRows &items = set.items.items, &bundles = set.items.bundles;
  for (std::uint32_t i = items.offsets[item]; i < items.offsets[item + 1]; ++i) {
    const std::uint32_t bundle = items.columns[i];
    for (std::uint32_t b = bundles.offsets[bundle]; b < bundles.offsets[bundle + 1]; ++b) {
      const float value = items.value(i) * bundles.value(b);
      const std::uint32_t attribute = bundles.columns[b];
      for (std::uint32_t e = features.offsets[attribute]; e < features.offsets[attribute + 1]; ++e)
        visit(e, features.labels[e], value);
    }
  }
}

}  // namespace fovea::sequence
