// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/encoder.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

/// Number of times that each attribute occurs at items, through the bundles that hold it.
std::vector<std::uint64_t> count_attributes(const EncodedItems& items, std::size_t attribute_count) {
  std::vector<std::uint64_t> bundle_counts(items.bundles.row_count());
  for (std::uint32_t bundle : items.items.columns) ++bundle_counts[bundle];
  std::vector<std::uint64_t> counts(attribute_count);
  for (std::size_t b = 0; b < items.bundles.row_count(); ++b)
    for (std::uint32_t attribute : items.bundles.row(b)) counts[attribute] += bundle_counts[b];
  return counts;
}

/// Rows of `rows` without the entries whose column has new_columns[column] == kNoId; the rest renumbered.
SparseRows select_columns(const SparseRows& rows, const std::vector<std::uint32_t>& new_columns) {
  SparseRows result;
  for (std::size_t r = 0; r < rows.row_count(); ++r) {
    for (std::size_t entry = rows.offsets[r]; entry < rows.offsets[r + 1]; ++entry) {
      if (new_columns[rows.columns[entry]] == kNoId) continue;
      result.columns.push_back(new_columns[rows.columns[entry]]);
      if (!rows.values.empty()) result.values.push_back(rows.values[entry]);
    }
    result.end_row();
  }
  return result;
}

/// Removes the empty rows of `rows`; returns the new number of each row, kNoId for a removed one.
std::vector<std::uint32_t> remove_empty_rows(SparseRows& rows) {
  std::vector<std::uint32_t> new_rows(rows.row_count(), kNoId);
  std::vector<std::uint32_t> offsets = {0};
  for (std::size_t r = 0; r < rows.row_count(); ++r) {
    if (rows.row(r).empty()) continue;
    new_rows[r] = static_cast<std::uint32_t>(offsets.size() - 1);
    offsets.push_back(rows.offsets[r + 1]);
  }
  rows.offsets = std::move(offsets);
  return new_rows;
}

/// Appends an entry; values are stored from the first that is not 1 on.
void add_entry(SparseRows& rows, std::uint32_t column, float value) {
  if (value != 1 && rows.values.empty()) rows.values.assign(rows.columns.size(), 1.0f);
  // Before the first such value there may be no entry at all, so emptiness alone does not tell.
  const bool stores_values = value != 1 || !rows.values.empty();
  rows.columns.push_back(column);
  if (stores_values) rows.values.push_back(value);
}

}  // namespace

Encoder::Encoder(FeatureTemplate feature_template, Dictionary attributes, UnknownAttributes unknown)
    : indexer_(std::move(feature_template)), attributes_(std::move(attributes)), unknown_(unknown) {}

Encoder::Encoder(Dictionary attributes, UnknownAttributes unknown)
    : attributes_(std::move(attributes)), unknown_(unknown) {}

void Encoder::index(const ItemSequence& sequence, IndexedSequence& indexed) {
  FOVEA_CHECK(indexer_.has_value());
  indexed.items = sequence.size();
  indexer_->index(sequence, indexed.bundles, indexed.fresh);
}

void Encoder::append(const IndexedSequence& indexed) {
  add_parts(indexed.fresh);
  add_bundles(indexed.fresh);
  const std::size_t slots = indexer_->slot_count();
  for (std::size_t t = 0; t < indexed.items; ++t) {
    for (std::uint32_t bundle : std::span(indexed.bundles).subspan(t * slots, slots))
      if (bundle_numbers_[bundle] != kNoId) items_.items.columns.push_back(bundle_numbers_[bundle]);
    items_.items.end_row();
  }
  end_sequence();
}

void Encoder::append(const AttributeSequence& sequence) {
  FOVEA_CHECK(!indexer_.has_value());
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    for (std::size_t a = 0; a < sequence.attribute_count(t); ++a) {
      const auto [name, value] = sequence.attribute(t, a);
      const std::uint32_t bundle = bundle_of_attribute(name);
      if (bundle != kNoId) add_entry(items_.items, bundle, value);
    }
    items_.items.end_row();
  }
  end_sequence();
}

void Encoder::forget_items() {
  items_.items = {};
  items_.sequence_begin = {0};
}

Encoder::Result Encoder::finish() && { return {std::move(items_), std::move(attributes_)}; }

void Encoder::add_parts(const NewBundles& fresh) {
  const auto names = fresh.attributes();
  ids_.resize(names.size());
  attributes_.freeze().find_all(names, ids_.data());
  auto id = ids_.begin();
  for (std::size_t i = 0; i < fresh.part_count(); ++i) {
    for (std::string_view name : fresh.attributes(i)) {
      if (*id == kNoId && unknown_ == UnknownAttributes::kAdd) *id = attributes_.add(name);
      if (*id != kNoId) parts_.columns.push_back(*id);
      ++id;
    }
    parts_.end_row();
  }
}

void Encoder::add_bundles(const NewBundles& fresh) {
  SparseRows& bundles = items_.bundles;
  for (std::size_t i = 0; i < fresh.bundle_count(); ++i) {
    for (std::uint32_t part : fresh.parts(i))
      bundles.columns.insert(bundles.columns.end(), parts_.row(part).begin(), parts_.row(part).end());
    const bool is_empty = bundles.columns.size() == bundles.offsets.back();
    bundle_numbers_.push_back(is_empty ? kNoId : static_cast<std::uint32_t>(bundles.row_count()));
    if (!is_empty) bundles.end_row();
  }
}

std::uint32_t Encoder::bundle_of_attribute(std::string_view name) {
  const std::uint32_t id = unknown_ == UnknownAttributes::kAdd ? attributes_.add(name) : attributes_.find(name);
  if (id == kNoId) return kNoId;
  if (id >= bundle_of_attribute_.size())
    bundle_of_attribute_.resize(std::max<std::size_t>(id + 1, attributes_.size()), kNoId);
  if (bundle_of_attribute_[id] == kNoId) {
    items_.bundles.columns.push_back(id);
    items_.bundles.end_row();
    bundle_of_attribute_[id] = static_cast<std::uint32_t>(items_.bundles.row_count() - 1);
  }
  return bundle_of_attribute_[id];
}

void Encoder::end_sequence() { items_.sequence_begin.push_back(static_cast<std::uint32_t>(items_.item_count())); }

std::size_t drop_rare_attributes(EncodedItems& items, Dictionary& attributes, std::uint64_t min_count) {
  const std::vector<std::uint64_t> counts = count_attributes(items, attributes.size());
  std::vector<bool> keep(attributes.size());
  for (std::size_t a = 0; a < keep.size(); ++a) keep[a] = counts[a] >= min_count;
  const auto dropped = static_cast<std::size_t>(std::count(keep.begin(), keep.end(), false));
  if (dropped == 0) return 0;
  items.bundles = select_columns(items.bundles, attributes.retain(keep));
  items.items = select_columns(items.items, remove_empty_rows(items.bundles));
  return dropped;
}

}  // namespace fovea::tagging
