// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/attribute_pairs.h"

namespace fovea::testing {

inline std::vector<std::uint32_t> random_values(std::size_t records, std::uint32_t count, Random& random) {
  std::vector<std::uint32_t> values(records);
  for (std::uint32_t& value : values) value = random.uniform_index(count);
  return values;
}

/// A model with two dense attributes, of 3 and 7 values, with normal scores.
inline linkage::AttributePairs dense_model(std::size_t records, Random random) {
  linkage::AttributePairs model(records, -0.3);
  for (const std::uint32_t count : {3u, 7u}) {
    std::vector<float> scores(count * count);
    for (std::uint32_t v = 0; v < count; ++v)
      for (std::uint32_t w = 0; w <= v; ++w)
        scores[v * count + w] = scores[w * count + v] = static_cast<float>(random.normal());
    model.add_attribute(random_values(records, count, random), count, scores);
  }
  return model;
}

/// The dense model with two sparse attributes more, of 5 and 40 values, a quarter of them missing, and weights from 1
/// to 3.
inline linkage::AttributePairs sparse_model(std::size_t records, Random random) {
  linkage::AttributePairs model = dense_model(records, random.child("dense"));
  for (const std::uint32_t count : {5u, 40u}) {
    std::vector<linkage::ValuePairScore> exceptions;
    for (std::uint32_t v = 0; v < count; ++v)
      for (std::uint32_t w = 0; w <= v; ++w)
        if (random.bernoulli(v == w ? 0.8 : 0.1)) exceptions.push_back({w, v, static_cast<float>(random.normal())});
    std::vector<std::uint32_t> values = random_values(records, count, random);
    for (std::uint32_t& value : values)
      if (random.bernoulli(0.25)) value = linkage::kMissingValue;
    model.add_sparse_attribute(std::move(values), {count, -0.2F, exceptions}, 0.1F);
  }
  std::vector<std::uint32_t> weights = random_values(records, 3, random);
  for (std::uint32_t& weight : weights) ++weight;
  model.set_weights(std::move(weights));
  return model;
}

/// Record m is of entity m % entities and has a name (40 values) and a place (200 values), each its entity's own in
/// nine cases of ten. Agreement speaks for a pair, disagreement against it.
inline linkage::AttributePairs noisy_entities(std::size_t records, std::uint32_t entities, Random random) {
  linkage::AttributePairs model(records, -0.5);
  for (const std::uint32_t count : {40u, 200u}) {
    const std::uint32_t own = std::max(1u, 2 * count / (5 * entities));
    std::vector<std::uint32_t> values(records);
    for (linkage::RecordId m = 0; m < records; ++m)
      values[m] =
          random.bernoulli(0.9) ? m % entities + entities * random.uniform_index(own) : random.uniform_index(count);
    std::vector<float> scores(std::size_t{count} * count);
    for (std::uint32_t v = 0; v < count; ++v)
      for (std::uint32_t w = 0; w < count; ++w) scores[v * count + w] = v % entities == w % entities ? 1.F : -1.F;
    model.add_attribute(std::move(values), count, std::move(scores));
  }
  return model;
}

}  // namespace fovea::testing
