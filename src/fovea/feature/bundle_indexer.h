// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/feature/dictionary.h"
#include "fovea/feature/item_sequence.h"
#include "fovea/feature/template.h"

namespace fovea {

/// Turns items into bundles (see EncodedItems) without building strings for what was seen before.
///
/// The lines of a template fall into slots. Lines that read one relative row r (any columns) form one slot per r; lines
/// that read several rows form one slot per exact set of (row, column) cells. At item t, slot s stands for the
/// attributes that its lines yield there, and those depend on few cells. So:
///
/// - An item's used columns, taken together, are interned to its *type*, by one hash of its bytes. A one-row slot is
///   then a look-up [type of item t + r][slot].
/// - A set of several cells is moved so that its first row is 0 and becomes a *tuple*, interned for every item as a
///   chain of integer pairs, ((cell, cell), cell) ... . Slots with the same set up to a shift share the tuples: the
///   pairs (-2, -1), (-1, 0), (0, 1) of a column cost one hash per item together.
/// - Only for a type or tuple new to a slot are its lines expanded and handed to the caller, who answers with the
///   number of the bundle from then on.
///
/// The result equals the expansion of every line at every item. Memory grows with the number of distinct types and
/// tuples; on an endless stream watch memory_in_bytes() and clear(). Not thread-safe: one indexer per thread.
class BundleIndexer {
 public:
  explicit BundleIndexer(FeatureTemplate feature_template);

  /// Every item has one bundle in each slot.
  std::size_t slot_count() const { return slots_.size(); }
  const FeatureTemplate& feature_template() const { return template_; }

  /// Writes the bundles of `sequence` to `bundles`, [item][slot]. For each bundle not seen since the last clear(), in
  /// the order of items, then slots, calls make_bundle(attributes) once: a span of string_views in the order of the
  /// template's lines, possibly empty, valid during the call. Its result, any std::uint32_t but kUnknown, is the bundle
  /// from then on. `sequence` must have the columns that the template reads (FeatureTemplate::require_columns).
  template <class MakeBundle>
  void index(const ItemSequence& sequence, MakeBundle&& make_bundle, std::vector<std::uint32_t>& bundles) {
    intern(sequence);
    bundles.resize(sequence.size() * slots_.size());
    std::uint32_t* next = bundles.data();
    for (std::size_t t = 0; t < sequence.size(); ++t)
      for (const Slot& slot : slots_) {
        std::uint32_t& bundle = bundle_of(slot, t);
        if (bundle == kUnknown) [[unlikely]]
          bundle = make_bundle(expand(slot, sequence, t));
        *next++ = bundle;
      }
  }

  /// Forgets everything: bundles given before mean nothing afterwards.
  void clear();

  std::size_t memory_in_bytes() const;

  static constexpr std::uint32_t kUnknown = 0xFFFFFFFE;

 private:
  struct PairHash {
    std::size_t operator()(std::uint64_t pair) const {
      const std::uint64_t mixed = pair * 0x9E3779B97F4A7C15;
      return mixed ^ (mixed >> 32);
    }
  };
  using Cells = std::vector<std::pair<int, std::size_t>>;  // (row, index in columns_), sorted, no repeats

  /// Keys of one kind, numbered as they appear, and the bundles that hang on them.
  struct KeySpace {
    std::ptrdiff_t first_anchor = 0, last_anchor = 0;  // keys are wanted for anchors first .. size - 1 + last
    std::vector<std::uint32_t> keys;                   // of the current sequence: [anchor - first_anchor]
    std::size_t slot_count = 0;
    std::vector<std::uint32_t> bundles;  // [key][slot of this space]

    std::uint32_t key(std::ptrdiff_t anchor) const { return keys[anchor - first_anchor]; }
    void reserve_key(std::uint32_t key);
  };
  /// Tuples of one shape. The left part is a shorter tuple, or the cell of `left_column` at the anchor.
  struct TupleSpace : KeySpace {
    static constexpr std::size_t kNone = -1;
    std::size_t left_space = kNone, left_column = 0, right_column = 0;
    int right_row = 0;
    tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> ids;  // left part << 32 | right cell -> key
  };
  struct Slot {
    std::vector<std::size_t> lines;  // of the template
    int shift = 0;                   // anchor = item + shift
    std::size_t space = 0;           // in spaces_, or kTypes
    std::size_t index = 0;           // among the slots of the space
  };
  static constexpr std::size_t kTypes = -1;

  // Compiling the template.
  Cells cells_of(const TemplateLine& line) const;
  void add_line(std::size_t line, std::map<Cells, std::size_t>& slot_of);
  void attach(Slot& slot, Cells cells);
  std::size_t tuple_space(const Cells& cells);

  // Interning a sequence.
  void intern(const ItemSequence& sequence);
  std::uint32_t type_of(const ItemSequence& sequence, std::size_t item);
  void add_type(std::uint32_t type, const ItemSequence& sequence, std::size_t item);
  std::string_view used_text(const ItemSequence& sequence, std::size_t item, std::uint64_t& layout);
  void intern_tuples(TupleSpace& space, std::size_t size);
  std::uint32_t cell(std::ptrdiff_t item, std::size_t column) const {
    return type_cells_[types_.key(item) * columns_.size() + column];
  }

  std::uint32_t& bundle_of(const Slot& slot, std::size_t item) {
    KeySpace& space = slot.space == kTypes ? types_ : spaces_[slot.space];
    return space.bundles[space.key(static_cast<std::ptrdiff_t>(item) + slot.shift) * space.slot_count + slot.index];
  }
  std::span<const std::string_view> expand(const Slot& slot, const ItemSequence& sequence, std::size_t item);

  FeatureTemplate template_;
  std::vector<std::size_t> columns_;  // the columns that the template reads, sorted
  std::vector<Slot> slots_;
  std::vector<TupleSpace> spaces_;            // a tuple's left part comes before it
  std::map<Cells, std::size_t> space_index_;  // by cells with first row 0

  KeySpace types_;
  Dictionary type_texts_;
  std::vector<std::uint32_t> type_cells_;    // [type][column] -> cell
  std::vector<Dictionary> cell_texts_;       // by column; cell = end_count_ + id
  std::uint32_t end_count_ = 0;              // types and cells 0 .. end_count_ - 1 stand for _B-1, ..., _B+1, ...
  std::string used_text_;                    // scratch
  std::vector<std::string> attribute_text_;  // scratch
  std::vector<std::string_view> attributes_;
};

}  // namespace fovea
