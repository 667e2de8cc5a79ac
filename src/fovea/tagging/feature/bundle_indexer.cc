// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/bundle_indexer.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

constexpr std::size_t kBatch = 32;

}  // namespace

BundleIndexer::BundleIndexer(FeatureTemplate feature_template) : template_(std::move(feature_template)) {
  std::set<std::size_t> columns;
  for (const TemplateLine& line : template_.lines())
    for (const Macro& macro : line.macros) columns.insert(macro.column);
  for (std::size_t number : columns) columns_.emplace_back().number = number;
  types_.first_anchor = template_.min_row();
  types_.last_anchor = template_.max_row();
  end_count_ = static_cast<std::uint32_t>(types_.last_anchor - types_.first_anchor);
  std::map<Cells, std::size_t> slot_of;
  for (std::size_t line = 0; line < template_.lines().size(); ++line) add_line(line, slot_of);
  clear();
}

BundleIndexer::Cells BundleIndexer::cells_of(const TemplateLine& line) const {
  std::set<Cells::value_type> cells;
  for (const Macro& macro : line.macros) {
    const auto column = std::ranges::lower_bound(columns_, std::size_t{macro.column}, {}, &Column::number);
    cells.emplace(macro.row, column - columns_.begin());
  }
  return {cells.begin(), cells.end()};
}

void BundleIndexer::add_line(std::size_t line, std::map<Cells, std::size_t>& slot_of) {
  const Cells cells = cells_of(template_.lines()[line]);
  const bool has_one_row = cells.empty() || cells.front().first == cells.back().first;
  // One row: its columns do not matter, as the type covers them all. No row: any row will do.
  const Cells key = !has_one_row ? cells : Cells{{cells.empty() ? 0 : cells.front().first, 0}};
  const auto [at, is_new] = slot_of.try_emplace(key, slots_.size());
  if (is_new) attach(slots_.emplace_back(), key);
  Slot& slot = slots_[at->second];
  if (cells.size() == 1) add_column_line(slot, cells.front().second, line);
  else slot.other_lines.push_back(line);
}

void BundleIndexer::add_column_line(Slot& slot, std::size_t column, std::size_t line) {
  auto part = std::ranges::find(slot.column_parts, column, &ColumnPart::column);
  if (part == slot.column_parts.end())
    part = slot.column_parts.insert(part, {.column = column, .index = columns_[column].part_count++, .lines = {}});
  part->lines.push_back(line);
}

void BundleIndexer::attach(Slot& slot, Cells cells) {
  slot.shift = cells.front().first;
  for (auto& [row, column] : cells) row -= slot.shift;
  slot.space = cells.size() == 1 ? kTypes : tuple_space(cells);
  KeySpace& own = slot.space == kTypes ? types_ : spaces_[slot.space];
  slot.index = own.slot_count++;
  // The tuple and all its left parts are wanted wherever the slot looks.
  for (std::size_t s = slot.space; s != kTypes; s = spaces_[s].left_space) {
    spaces_[s].first_anchor = std::min<std::ptrdiff_t>(spaces_[s].first_anchor, slot.shift);
    spaces_[s].last_anchor = std::max<std::ptrdiff_t>(spaces_[s].last_anchor, slot.shift);
  }
}

/// The space of the tuples over `cells` (two or more, first row 0), made if it is new.
std::size_t BundleIndexer::tuple_space(const Cells& cells) {
  if (const auto known = space_index_.find(cells); known != space_index_.end()) return known->second;
  TupleSpace space;
  space.left_column = cells.front().second;
  if (cells.size() > 2) space.left_space = tuple_space({cells.begin(), cells.end() - 1});
  std::tie(space.right_row, space.right_column) = cells.back();
  // Anchors start as an empty range; attach() widens it.
  space.first_anchor = FeatureTemplate::kMaxRow;
  space.last_anchor = -FeatureTemplate::kMaxRow;
  spaces_.push_back(std::move(space));
  return space_index_[cells] = spaces_.size() - 1;
}

void BundleIndexer::clear() {
  bundle_count_ = part_count_ = 0;
  types_.bundles = std::vector<std::uint32_t>();  // not clear(): the memory is released
  type_texts_.clear();
  type_cells_ = std::vector<std::uint32_t>();
  for (Column& column : columns_) {
    column.texts.clear();
    column.parts = std::vector(end_count_ * column.part_count, kUnknown);
  }
  for (TupleSpace& space : spaces_) {
    space.bundles = std::vector<std::uint32_t>();
    space.ids = decltype(space.ids)();
  }
  for (std::uint32_t end = 0; end < end_count_; ++end) {
    type_cells_.insert(type_cells_.end(), columns_.size(), end);
    types_.reserve_key(end);
  }
}

std::size_t BundleIndexer::memory_in_bytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t total = type_texts_.memory_in_bytes() + bytes(type_cells_) + bytes(types_.bundles) + bytes(types_.keys);
  for (const Column& column : columns_) total += column.texts.memory_in_bytes() + bytes(column.parts);
  for (const TupleSpace& space : spaces_)
    total += bytes(space.bundles) + bytes(space.keys) + space.ids.bucket_count() * 3 * sizeof(std::uint64_t);
  return total;
}

void BundleIndexer::index(const ItemSequence& sequence, std::vector<std::uint32_t>& bundles, NewBundles& fresh) {
  intern(sequence);
  fresh.start(bundle_count_, part_count_);
  bundles.resize(sequence.size() * slots_.size());
  for (std::size_t s = 0; s < slots_.size() && !sequence.empty(); ++s) {
    KeySpace& space = space_of(slots_[s]);
    const std::uint32_t* keys = space.keys.data() + (slots_[s].shift - space.first_anchor);
    std::uint32_t* known = space.bundles.data() + slots_[s].index;
    std::uint32_t* out = bundles.data() + s;
    for (std::size_t t = 0; t < sequence.size(); ++t, out += slots_.size()) {
      std::uint32_t& bundle = known[keys[t] * space.slot_count];
      if (bundle == kUnknown) [[unlikely]]
        bundle = add_bundle(slots_[s], sequence, t, fresh);
      *out = bundle;
    }
  }
  fresh.finish();
}

std::uint32_t BundleIndexer::add_bundle(const Slot& slot, const ItemSequence& sequence, std::size_t item,
                                        NewBundles& fresh) {
  for (const ColumnPart& part : slot.column_parts) {
    Column& column = columns_[part.column];
    const std::uint32_t key = cell(static_cast<std::ptrdiff_t>(item) + slot.shift, part.column);
    std::uint32_t& number = column.parts[key * column.part_count + part.index];
    if (number == kUnknown) number = add_part(part.lines, sequence, item, fresh);
    fresh.parts_.push_back(number);
  }
  if (!slot.other_lines.empty()) fresh.parts_.push_back(add_part(slot.other_lines, sequence, item, fresh));
  fresh.part_ends_.push_back(fresh.parts_.size());
  return bundle_count_++;
}

std::uint32_t BundleIndexer::add_part(const std::vector<std::size_t>& lines, const ItemSequence& sequence,
                                      std::size_t item, NewBundles& fresh) {
  for (std::size_t line : lines)
    if (template_.lines()[line].expand(sequence, item, fresh.text_)) fresh.text_ends_.push_back(fresh.text_.size());
  fresh.attribute_ends_.push_back(fresh.text_ends_.size() - 1);
  return part_count_++;
}

void BundleIndexer::KeySpace::reserve_key(std::uint32_t key) {
  if (bundles.size() < (key + std::size_t{1}) * slot_count) bundles.resize((key + 1) * slot_count, kUnknown);
}

void BundleIndexer::intern(const ItemSequence& sequence) {
  FOVEA_CHECK(sequence.empty() || sequence.column_count() >= template_.column_count());
  types_.keys.resize(sequence.size() + end_count_);
  std::uint32_t* key = types_.keys.data();
  for (std::ptrdiff_t t = types_.first_anchor; t < 0; ++t) *key++ = static_cast<std::uint32_t>(-1 - t);
  for (std::size_t t = 0; t < sequence.size(); t += kBatch)
    intern_types(sequence, t, std::min(t + kBatch, sequence.size()), key + t);
  key += sequence.size();
  for (std::ptrdiff_t t = 0; t < types_.last_anchor; ++t) *key++ = static_cast<std::uint32_t>(t - types_.first_anchor);
  for (TupleSpace& space : spaces_) intern_tuples(space, sequence.size());
}

/// Sets types[i] to the type of item begin + i. Each pass touches what the pass before has prefetched.
void BundleIndexer::intern_types(const ItemSequence& sequence, std::size_t begin, std::size_t end,
                                 std::uint32_t* types) {
  std::array<std::uint64_t, kBatch> hashes;
  for (std::size_t t = begin; t < end; ++t) {
    hashes[t - begin] = hash_text(used_text(sequence, t), layout_of(sequence, t));
    type_texts_.prefetch_slot(hashes[t - begin]);
  }
  for (std::size_t t = begin; t < end; ++t) type_texts_.prefetch_text(hashes[t - begin]);
  for (std::size_t t = begin; t < end; ++t) {
    const std::size_t known = type_texts_.size();
    const std::uint32_t id = type_texts_.add(used_text(sequence, t), hashes[t - begin]);
    if (id == known) add_type(end_count_ + id, sequence, t);
    *types = end_count_ + id;
    __builtin_prefetch(types_.bundles.data() + *types++ * types_.slot_count);
  }
}

void BundleIndexer::add_type(std::uint32_t type, const ItemSequence& sequence, std::size_t item) {
  for (Column& column : columns_) {
    type_cells_.push_back(end_count_ + column.texts.add(sequence.cell(item, column.number)));
    column.parts.resize((end_count_ + column.texts.size()) * column.part_count, kUnknown);
  }
  types_.reserve_key(type);
}

/// The bytes of the used columns of an item, with what lies between them if they are neighbours.
std::string_view BundleIndexer::used_text(const ItemSequence& sequence, std::size_t item) {
  if (columns_.empty()) return {};
  const std::string_view first = sequence.cell(item, columns_.front().number);
  const std::string_view last = sequence.cell(item, columns_.back().number);
  if (columns_.back().number - columns_.front().number + 1 == columns_.size())
    return {first.data(), last.data() + last.size()};
  used_text_.clear();
  for (const Column& column : columns_) used_text_ += sequence.cell(item, column.number);
  return used_text_;
}

/// Tells apart equal bytes that are cut into cells differently.
std::uint64_t BundleIndexer::layout_of(const ItemSequence& sequence, std::size_t item) const {
  std::uint64_t layout = 0;
  if (columns_.size() <= 1) return layout;
  const auto mix = [&](std::uint64_t value) { layout = (layout ^ value) * 0x9E3779B97F4A7C15; };
  const char* previous = sequence.cell(item, columns_.front().number).data();
  for (const Column& column : columns_) {
    const std::string_view cell = sequence.cell(item, column.number);
    mix(cell.size());
    mix(static_cast<std::uint64_t>(cell.data() - previous));
    previous = cell.data();
  }
  return layout;
}

void BundleIndexer::intern_tuples(TupleSpace& space, std::size_t size) {
  const std::ptrdiff_t end = static_cast<std::ptrdiff_t>(size) + space.last_anchor;
  space.keys.clear();
  for (std::ptrdiff_t anchor = space.first_anchor; anchor < end; ++anchor) {
    const std::uint64_t left =
        space.left_space == TupleSpace::kNone ? cell(anchor, space.left_column) : spaces_[space.left_space].key(anchor);
    const std::uint64_t pair = left << 32 | cell(anchor + space.right_row, space.right_column);
    const auto next = static_cast<std::uint32_t>(space.ids.size());
    const auto [at, is_new] = space.ids.try_emplace(pair, next);
    if (is_new) space.reserve_key(next);
    space.keys.push_back(at->second);
  }
}

void NewBundles::start(std::uint32_t first_bundle, std::uint32_t first_part) {
  first_bundle_ = first_bundle;
  first_part_ = first_part;
  parts_.clear();
  text_.clear();
  attributes_.clear();
  for (auto* ends : {&part_ends_, &attribute_ends_, &text_ends_}) ends->assign(1, 0);
}

void NewBundles::finish() {
  for (std::size_t a = 0; a + 1 < text_ends_.size(); ++a)
    attributes_.push_back(std::string_view(text_).substr(text_ends_[a], text_ends_[a + 1] - text_ends_[a]));
}

}  // namespace fovea::tagging
