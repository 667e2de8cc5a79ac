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

#include "fovea/base/dictionary.h"
#include "fovea/base/pair_hash.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/feature/template.h"

namespace fovea::tagging {

/// Bundles and parts that BundleIndexer::index() met for the first time: bundles consist of parts, parts of attributes.
class NewBundles {
 public:
  /// New bundles are numbered first_bundle(), first_bundle() + 1, ...; bundle i here is first_bundle() + i.
  std::uint32_t first_bundle() const { return first_bundle_; }
  std::size_t bundle_count() const { return part_ends_.size() - 1; }
  /// The parts of new bundle i, each of them new or old. The bundle's attributes are those of all its parts.
  std::span<const std::uint32_t> parts(std::size_t i) const {
    return std::span(parts_).subspan(part_ends_[i], part_ends_[i + 1] - part_ends_[i]);
  }

  /// New parts are numbered likewise.
  std::uint32_t first_part() const { return first_part_; }
  std::size_t part_count() const { return attribute_ends_.size() - 1; }
  /// The attributes of new part i, possibly none.
  std::span<const std::string_view> attributes(std::size_t i) const {
    return attributes().subspan(attribute_ends_[i], attribute_ends_[i + 1] - attribute_ends_[i]);
  }
  /// The attributes of all new parts, one after the other.
  std::span<const std::string_view> attributes() const { return attributes_; }

 private:
  friend class BundleIndexer;
  void start(std::uint32_t first_bundle, std::uint32_t first_part);
  void finish();

  std::uint32_t first_bundle_ = 0, first_part_ = 0;
  std::vector<std::uint32_t> parts_;
  std::vector<std::size_t> part_ends_ = {0};       // of each bundle in parts_, after a 0
  std::vector<std::size_t> attribute_ends_ = {0};  // of each part among the attributes, after a 0
  std::vector<std::size_t> text_ends_ = {0};       // of each attribute in text_, after a 0
  std::string text_;                               // the attributes, end to end
  std::vector<std::string_view> attributes_;       // into text_, once that is complete
};

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
/// - Only a type or tuple that is new to a slot makes a new bundle, and its lines are expanded then. Those that read a
///   single cell are expanded only if the cell itself is new: they are a *part* of their own, which all bundles over
///   the same cell share (a known word with a new part of speech costs no new word attributes).
///
/// The result equals the expansion of every line at every item. Memory grows with the number of distinct types and
/// tuples; on an endless stream watch memory_in_bytes() and clear(). Not thread-safe: one indexer per thread.
class BundleIndexer {
 public:
  explicit BundleIndexer(FeatureTemplate feature_template);

  /// Every item has one bundle in each slot.
  std::size_t slot_count() const { return slots_.size(); }
  const FeatureTemplate& feature_template() const { return template_; }

  /// Writes the bundles of `sequence` to `bundles`, [item][slot], numbered 0, 1, ... in the order in which they were
  /// first met since the last clear(). Returns those met here for the first time, valid until the next call.
  /// `sequence` must have the columns that the template reads (FeatureTemplate::require_columns).
  const NewBundles& index(const ItemSequence& sequence, std::vector<std::uint32_t>& bundles) {
    index(sequence, bundles, fresh_);
    return fresh_;
  }
  /// The same, with the new bundles in an object of the caller, which must not be moved while they are used.
  void index(const ItemSequence& sequence, std::vector<std::uint32_t>& bundles, NewBundles& fresh);

  /// Forgets everything and counts bundles and parts from 0 again.
  void clear();

  std::size_t memory_in_bytes() const;

 private:
  using Cells = std::vector<std::pair<int, std::size_t>>;  // (row, index in columns_), sorted, no repeats

  /// Keys of one kind, numbered as they appear, and the bundles that belong to them.
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
  /// Lines of a slot that read only one column of its row. Their attributes depend on the cell alone.
  struct ColumnPart {
    std::size_t column = 0;  // index in columns_
    std::size_t index = 0;   // among the parts of the column
    std::vector<std::size_t> lines;
  };
  struct Slot {
    int shift = 0;          // anchor = item + shift
    std::size_t space = 0;  // in spaces_, or kTypes
    std::size_t index = 0;  // among the slots of the space
    std::vector<ColumnPart> column_parts;
    std::vector<std::size_t> other_lines;
  };
  static constexpr std::size_t kTypes = -1;
  /// A column's distinct cells. Cells 0 .. end_count_ - 1 stand for _B-1, ..., _B+1, ...
  struct Column {
    std::size_t number = 0;  // in the data
    Dictionary texts;        // cell = end_count_ + id
    std::size_t part_count = 0;
    std::vector<std::uint32_t> parts;  // [cell][part of this column]
  };

  // Compiling the template.
  Cells cells_of(const TemplateLine& line) const;
  void add_line(std::size_t line, std::map<Cells, std::size_t>& slot_of);
  void add_column_line(Slot& slot, std::size_t column, std::size_t line);
  void attach(Slot& slot, Cells cells);
  std::size_t tuple_space(const Cells& cells);

  // Interning a sequence.
  void intern(const ItemSequence& sequence);
  void intern_types(const ItemSequence& sequence, std::size_t begin, std::size_t end, std::uint32_t* types);
  void add_type(std::uint32_t type, const ItemSequence& sequence, std::size_t item);
  std::string_view used_text(const ItemSequence& sequence, std::size_t item);
  std::uint64_t layout_of(const ItemSequence& sequence, std::size_t item) const;
  void intern_tuples(TupleSpace& space, std::size_t size);
  std::uint32_t cell(std::ptrdiff_t item, std::size_t column) const {
    return type_cells_[types_.key(item) * columns_.size() + column];
  }

  KeySpace& space_of(const Slot& slot) { return slot.space == kTypes ? types_ : spaces_[slot.space]; }

  // From keys to bundles.
  std::uint32_t add_bundle(const Slot& slot, const ItemSequence& sequence, std::size_t item, NewBundles& fresh);
  std::uint32_t add_part(const std::vector<std::size_t>& lines, const ItemSequence& sequence, std::size_t item,
                         NewBundles& fresh);

  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  FeatureTemplate template_;
  std::vector<Column> columns_;  // those that the template reads, in order
  std::vector<Slot> slots_;
  std::vector<TupleSpace> spaces_;            // a tuple's left part comes before it
  std::map<Cells, std::size_t> space_index_;  // by cells with first row 0

  KeySpace types_;
  Dictionary type_texts_;                  // type = end_count_ + id
  std::vector<std::uint32_t> type_cells_;  // [type][column] -> cell
  std::uint32_t end_count_ = 0;            // types, and cells of any column, for items outside the sequence
  std::uint32_t bundle_count_ = 0, part_count_ = 0;
  NewBundles fresh_;
  std::string used_text_;  // scratch
};

}  // namespace fovea::tagging
