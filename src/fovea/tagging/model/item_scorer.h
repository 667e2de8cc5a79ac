// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/bundle_indexer.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {
namespace internal {

/// For every i < rows.size() / per_sum: sums[i] += rows[i * per_sum] + ... + rows[(i + 1) * per_sum - 1], each row and
/// sum of `stride` floats, sums end to end. Rows are added one after the other, in order, so the result is the same on
/// every instruction set. All are 64-byte aligned; stride is a multiple of 16, rows.size() one of per_sum.
void add_row_lists(std::span<const float* const> rows, std::size_t per_sum, std::size_t stride, float* sums);

}  // namespace internal

/// Scores items by a tagger's attribute weights: sequences in, unary scores of LabelSequences out.
///
/// Text repeats itself: the weights of what a template makes of a cell, or of a pair of cells, are summed once into a
/// row of label scores, and an item then costs a few row additions (see BundleIndexer). The scores do not depend on
/// what was scored before. The rows kept take at most kMaxCacheBytes; beyond that, all are forgotten.
///
/// Use one per thread; the model must outlive it.
class ItemScorer {
 public:
  static constexpr std::size_t kMaxCacheBytes = std::size_t{256} << 20;

  explicit ItemScorer(const TaggerModel& model);

  /// Lays out `label_sequences` for the sequences, in order, and fills in their unary scores. The overload must suit
  /// the model: items by template, with at least the columns that it reads, or attributes given outright.
  void score(std::span<const ItemSequence> sequences, sequence::LabelSequences& label_sequences);
  void score(std::span<const AttributeSequence> sequences, sequence::LabelSequences& label_sequences);

 private:
  void score(const ItemSequence& sequence, float* rows);
  void score(const AttributeSequence& sequence, float* rows);
  void cache(const NewBundles& fresh);
  void cache_part(std::span<const std::uint32_t> attributes);
  void cache_bundle(std::span<const std::uint32_t> parts);
  std::size_t cache_bytes() const;
  void clear_cache();

  const TaggerModel& model_;
  std::optional<BundleIndexer> indexer_;
  RowPool part_rows_, bundle_rows_;  // by number of the part or bundle
  // Scratch.
  std::vector<std::uint32_t> lengths_, bundles_, ids_;
  std::vector<std::string_view> names_;
  std::vector<const float*> row_list_;
};

}  // namespace fovea::tagging
