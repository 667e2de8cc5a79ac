// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

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
