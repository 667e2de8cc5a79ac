// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// Two records of one block, by their places in `entities`.
struct LabelledPair {
  std::size_t first = 0, second = 0;
  bool is_match = false;
  double weight = 0;
};

/// Records with known entities, block by block: block b holds entities[begin[b]] .. entities[begin[b + 1] - 1].
struct LabelledBlocks {
  std::span<const std::uint32_t> entities;
  std::span<const std::size_t> begin;  ///< blocks + 1, from 0 to entities.size(), never falling
};

/// Draws at most `count` labelled pairs for learning match weights: from each block of k > 1 records in proportion to
/// k, uniformly with replacement, or each pair once if there are no more. Each pair weighs
///
///   (n_i n_j / k^2)^(-1/2)     n_i, n_j: records in the block of the entities of its two records
///
/// Clusterings are judged by record (B-cubed), but a block has k^2 pairs, most of them within and between its few large
/// entities: without weights, these alone would decide. So a record counts the same in every block, and two entities of
/// n_i and n_j records share sqrt(n_i n_j) instead of n_i n_j of what their block counts. Deterministic given `random`;
/// O(records + count).
std::vector<LabelledPair> draw_labelled_pairs(const LabelledBlocks& blocks, std::uint32_t count, Random& random);

}  // namespace fovea::linkage
