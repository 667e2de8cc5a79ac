// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/item_scorer.h"

#include <algorithm>

#include "fovea/base/aligned.h"
#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

template <class Sequence>
void lay_out(std::span<const Sequence> sequences, std::vector<std::uint32_t>& lengths,
             sequence::LabelSequences& label_sequences) {
  lengths.clear();
  for (const Sequence& sequence : sequences) lengths.push_back(static_cast<std::uint32_t>(sequence.size()));
  label_sequences.reset(lengths);
}

}  // namespace

ItemScorer::ItemScorer(const TaggerModel& model)
    : model_(model),
      part_rows_(row_stride(static_cast<std::size_t>(model.label_count()))),
      bundle_rows_(part_rows_.stride()) {
  if (model.feature_template) indexer_.emplace(*model.feature_template);
}

void ItemScorer::score(std::span<const ItemSequence> sequences, sequence::LabelSequences& label_sequences) {
  FOVEA_CHECK(indexer_.has_value());
  if (cache_bytes() > kMaxCacheBytes) clear_cache();
  lay_out(sequences, lengths_, label_sequences);
  for (std::size_t s = 0; s < sequences.size(); ++s)
    score(sequences[s], label_sequences.unary(label_sequences.begin(s)));
}

void ItemScorer::score(std::span<const AttributeSequence> sequences, sequence::LabelSequences& label_sequences) {
  FOVEA_CHECK(!indexer_);
  lay_out(sequences, lengths_, label_sequences);
  for (std::size_t s = 0; s < sequences.size(); ++s)
    score(sequences[s], label_sequences.unary(label_sequences.begin(s)));
}

void ItemScorer::score(const ItemSequence& sequence, float* rows) {
  cache(indexer_->index(sequence, bundles_));
  row_list_.clear();
  for (const std::uint32_t bundle : bundles_) {
    row_list_.push_back(bundle_rows_.row(bundle));
    __builtin_prefetch(row_list_.back());
  }
  internal::add_row_lists(row_list_, indexer_->slot_count(), bundle_rows_.stride(), rows);
}

void ItemScorer::score(const AttributeSequence& sequence, float* rows) {
  for (std::size_t item = 0; item < sequence.size(); ++item, rows += part_rows_.stride()) {
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
  model_.weights.prefetch(ids_);
  std::span<const std::uint32_t> ids(ids_);
  for (std::size_t i = 0; i < fresh.part_count(); ++i) {
    const std::size_t count = fresh.attributes(i).size();
    cache_part(ids.first(count));
    ids = ids.subspan(count);
  }
  for (std::size_t i = 0; i < fresh.bundle_count(); ++i) cache_bundle(fresh.parts(i));
}

void ItemScorer::cache_part(std::span<const std::uint32_t> attributes) {
  float* row = part_rows_.row(part_rows_.add());
  for (const std::uint32_t id : attributes)
    if (id != kNoId) model_.weights.add_scores(id, 1, row);
}

void ItemScorer::cache_bundle(std::span<const std::uint32_t> parts) {
  row_list_.clear();
  for (const std::uint32_t part : parts) row_list_.push_back(part_rows_.row(part));
  internal::add_row_lists(row_list_, row_list_.size(), part_rows_.stride(), bundle_rows_.row(bundle_rows_.add()));
}

std::size_t ItemScorer::cache_bytes() const {
  return indexer_->memory_in_bytes() + part_rows_.memory_in_bytes() + bundle_rows_.memory_in_bytes();
}

void ItemScorer::clear_cache() {
  indexer_->clear();
  part_rows_.clear();
  bundle_rows_.clear();
}

}  // namespace fovea::tagging
