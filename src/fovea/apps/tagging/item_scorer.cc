// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/tagging/item_scorer.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea {
namespace {

constexpr std::size_t kLine = kRowAlignment / sizeof(float);
constexpr std::uint32_t kZeroRow = 0;

/// Both rows are aligned and a multiple of kLine long.
void add_row(const float* from, std::size_t stride, float* to) {
  for (std::size_t line = 0; line < stride; line += kLine)
    for (std::size_t k = 0; k < kLine; ++k) to[line + k] += from[line + k];
}

template <class Sequence>
void lay_out(std::span<const Sequence> sequences, std::vector<std::uint32_t>& lengths, Chains& chains) {
  lengths.clear();
  for (const Sequence& sequence : sequences) lengths.push_back(static_cast<std::uint32_t>(sequence.size()));
  chains.reset(lengths);
}

}  // namespace

ItemScorer::ItemScorer(const TaggerModel& model)
    : model_(model), stride_(row_stride(static_cast<std::size_t>(model.label_count()))), rows_(stride_) {
  if (model.feature_template) indexer_.emplace(*model.feature_template);
}

void ItemScorer::score(std::span<const ItemSequence> sequences, Chains& chains) {
  FOVEA_CHECK(indexer_.has_value());
  if (cache_bytes() > kMaxCacheBytes) clear_cache();
  lay_out(sequences, lengths_, chains);
  for (std::size_t s = 0; s < sequences.size(); ++s) score(sequences[s], chains.unary(chains.begin(s)));
}

void ItemScorer::score(std::span<const AttributeSequence> sequences, Chains& chains) {
  FOVEA_CHECK(!indexer_);
  lay_out(sequences, lengths_, chains);
  for (std::size_t s = 0; s < sequences.size(); ++s) score(sequences[s], chains.unary(chains.begin(s)));
}

void ItemScorer::score(const ItemSequence& sequence, float* rows) {
  cache(indexer_->index(sequence, bundles_));
  const std::size_t slots = indexer_->slot_count();
  const std::uint32_t* bundle = bundles_.data();
  for (std::size_t item = 0; item < sequence.size(); ++item, rows += stride_)
    for (std::size_t slot = 0; slot < slots; ++slot)
      if (const std::uint32_t row = bundle_rows_[*bundle++]; row != kZeroRow)
        add_row(rows_.data() + row * stride_, stride_, rows);
}

void ItemScorer::score(const AttributeSequence& sequence, float* rows) {
  for (std::size_t item = 0; item < sequence.size(); ++item, rows += stride_) {
    names_.clear();
    for (std::size_t i = 0; i < sequence.attribute_count(item); ++i) names_.push_back(sequence.attribute(item, i).name);
    ids_.resize(names_.size());
    model_.attributes.find_all(names_, ids_.data());
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (ids_[i] != kNoId) model_.weights.add_scores(ids_[i], sequence.attribute(item, i).value, rows);
  }
}

void ItemScorer::cache(const NewBundles& fresh) {
  ids_.resize(fresh.attributes().size());
  model_.attributes.find_all(fresh.attributes(), ids_.data());
  std::span<const std::uint32_t> ids(ids_);
  for (std::size_t i = 0; i < fresh.part_count(); ++i) {
    const std::size_t count = fresh.attributes(i).size();
    part_rows_.push_back(cache_part(ids.first(count)));
    ids = ids.subspan(count);
  }
  for (std::size_t i = 0; i < fresh.bundle_count(); ++i) bundle_rows_.push_back(cache_bundle(fresh.parts(i)));
}

std::uint32_t ItemScorer::cache_part(std::span<const std::uint32_t> attributes) {
  if (std::all_of(attributes.begin(), attributes.end(), [](std::uint32_t id) { return id == kNoId; })) return kZeroRow;
  float* row = append_row();
  for (const std::uint32_t id : attributes)
    if (id != kNoId) model_.weights.add_scores(id, 1, row);
  return static_cast<std::uint32_t>(rows_.size() / stride_ - 1);
}

std::uint32_t ItemScorer::cache_bundle(std::span<const std::uint32_t> parts) {
  const auto has_row = [&](std::uint32_t part) { return part_rows_[part] != kZeroRow; };
  const auto with_rows = std::count_if(parts.begin(), parts.end(), has_row);
  if (with_rows == 0) return kZeroRow;
  if (with_rows == 1) return part_rows_[*std::find_if(parts.begin(), parts.end(), has_row)];
  float* row = append_row();
  for (const std::uint32_t part : parts)
    if (has_row(part)) add_row(rows_.data() + part_rows_[part] * stride_, stride_, row);
  return static_cast<std::uint32_t>(rows_.size() / stride_ - 1);
}

float* ItemScorer::append_row() {
  rows_.resize(rows_.size() + stride_);
  return rows_.data() + rows_.size() - stride_;
}

std::size_t ItemScorer::cache_bytes() const {
  return indexer_->memory_in_bytes() + rows_.capacity() * sizeof(float) +
         (part_rows_.capacity() + bundle_rows_.capacity()) * sizeof(std::uint32_t);
}

void ItemScorer::clear_cache() {
  indexer_->clear();
  rows_ = AlignedVector<float>(stride_);
  part_rows_ = {};
  bundle_rows_ = {};
}

}  // namespace fovea
