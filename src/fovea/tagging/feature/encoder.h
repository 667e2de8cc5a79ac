// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/sparse_rows.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/bundle_indexer.h"
#include "fovea/tagging/feature/item_sequence.h"

namespace fovea::tagging {

/// Treatment of an attribute that the dictionary of an Encoder does not know.
enum class UnknownAttributes { kAdd, kDrop };

/// Turns sequences into EncodedItems over a Dictionary of attributes, on which training works. Items come from columns
/// by a template, or from attributes given directly (then each attribute is a bundle of its own, weighted by its
/// value). An attribute that occurs twice at an item counts twice. Bundles without attributes are left out. Not
/// thread-safe.
class Encoder {
 public:
  /// For ItemSequences. `attributes` may hold attributes that must keep their ids (a model to go on from).
  explicit Encoder(FeatureTemplate feature_template, Dictionary attributes = {},
                   UnknownAttributes unknown = UnknownAttributes::kAdd);
  /// For AttributeSequences.
  explicit Encoder(Dictionary attributes = {}, UnknownAttributes unknown = UnknownAttributes::kAdd);

  /// Appends one sequence. The items must have the columns that the template reads.
  void append(const ItemSequence& sequence) {
    index(sequence, indexed_);
    append(indexed_);
  }
  /// The same in two steps: sequences are indexed in their order, and appended in their order, which another thread may
  /// do at the same time. An IndexedSequence must not be moved between the two.
  struct IndexedSequence {
    std::size_t items = 0;
    std::vector<std::uint32_t> bundles;  ///< [item][slot]
    NewBundles fresh;
  };
  void index(const ItemSequence& sequence, IndexedSequence& indexed);
  void append(const IndexedSequence& indexed);
  void append(const AttributeSequence& sequence);

  /// The items and attributes so far.
  const EncodedItems& items() const { return items_; }
  const Dictionary& attributes() const { return attributes_; }

  struct Result {
    EncodedItems items;
    Dictionary attributes;
  };
  /// Forgets the items but keeps the attributes and bundles, so that the next items of a stream can be encoded.
  void forget_items();

  /// Returns everything; the encoder must not be used again.
  Result finish() &&;

 private:
  void add_parts(const NewBundles& fresh);
  void add_bundles(const NewBundles& fresh);
  std::uint32_t bundle_of_attribute(std::string_view name);
  void end_sequence();

  std::optional<BundleIndexer> indexer_;
  Dictionary attributes_;
  UnknownAttributes unknown_;
  EncodedItems items_;
  SparseRows parts_;                                // part -> attribute ids, for attributes that come from a template
  std::vector<std::uint32_t> bundle_numbers_;       // the indexer's bundle -> row of items_.bundles, kNoId if empty
  std::vector<std::uint32_t> bundle_of_attribute_;  // attribute id -> bundle, for attributes given directly
  IndexedSequence indexed_;                         // scratch
  std::vector<std::uint32_t> ids_;                  // scratch: of new attributes
};

/// Feature cut-off: drops the attributes that occur at fewer than `min_count` items (an attribute that occurs twice at
/// an item counts twice) from the bundles and from the dictionary, which is renumbered in order; bundles left empty are
/// dropped too. Returns the number of attributes dropped.
std::size_t drop_rare_attributes(EncodedItems& items, Dictionary& attributes, std::uint64_t min_count);

}  // namespace fovea::tagging
