// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/atom_sets.h"

#include <algorithm>
#include <bit>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr std::size_t kBitsPerWord = 64;

bool compare(Relation relation, std::int64_t value, std::int64_t bound) {
  switch (relation) {
    case Relation::kAtMost:
      return value <= bound;
    case Relation::kEqual:
      return value == bound;
    case Relation::kDifferent:
      return value != bound;
  }
  return false;
}

}  // namespace

AtomSets::AtomSets(const AtomSpace& space, std::size_t table_bytes) : space_(space), table_bytes_(table_bytes) {}

bool AtomSets::take(const ExampleSet& examples, const Stop& stop) {
  FOVEA_CHECK(examples.variables() == space_.choice().variables);
  if (layout_.take(examples) || table_.empty()) lay_out();
  for (; entered_ < layout_.bits().size(); ++entered_) {
    if (stop.requested()) return false;
    const ExampleLayout::Bit& bit = layout_.bits()[entered_];
    const auto row = bit.is_target ? examples.target(bit.example) : examples.row(bit.example);
    if (!has_table_) store_row(bit, row);
    enter(bit, row);
  }
  return true;
}

void AtomSets::lay_out() {
  words_ = layout_.words();
  const std::size_t most = table_bytes_ / (sizeof(std::uint64_t) * words_);
  has_table_ = space_.size() <= most;
  const std::size_t cells = has_table_ ? space_.size() : std::bit_floor(std::max<std::size_t>(most, 64));
  table_.assign(cells * words_, 0);
  tags_.assign(has_table_ ? 0 : cells, 0);
  columns_.assign(has_table_ ? 0 : space_.choice().variables * kBitsPerWord * words_, 0);
  occupied_.assign(words_, 0);
  unsafe_.clear();
  unsafe_rows_.clear();
  entered_ = 0;
}

/// Enters a row into the sets that exist.
void AtomSets::enter(const ExampleLayout::Bit& bit, std::span<const std::int64_t> row) {
  if (has_table_ && space_.is_safe(row)) {
    space_.visit_forms(row, [&](std::uint64_t line, std::int64_t value) { enter_line(line, value, bit); });
    return;
  }
  const std::size_t cells = has_table_ ? space_.size() : tags_.size();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (!has_table_ && tags_[cell] == 0) continue;
    const bool here = space_.holds(has_table_ ? cell : tags_[cell] - 1, row);
    table_[cell * words_ + bit.word] |= std::uint64_t{here} << bit.bit;
  }
}

void AtomSets::store_row(const ExampleLayout::Bit& bit, std::span<const std::int64_t> row) {
  occupied_[bit.word] |= std::uint64_t{1} << bit.bit;
  for (std::size_t v = 0; v < row.size(); ++v) columns_[(v * words_ + bit.word) * kBitsPerWord + bit.bit] = row[v];
  if (space_.is_safe(row)) return;
  unsafe_.push_back(bit);
  unsafe_rows_.insert(unsafe_rows_.end(), row.begin(), row.end());
}

void AtomSets::enter_line(std::uint64_t line, std::int64_t value, const ExampleLayout::Bit& bit) {
  const std::vector<std::int64_t>& bounds = space_.choice().bounds;
  const Relation relation = space_.relation(line);
  std::uint64_t* word = table_.data() + line * bounds.size() * words_ + bit.word;
  for (std::size_t k = 0; k < bounds.size(); ++k)
    word[k * words_] |= std::uint64_t{compare(relation, value, bounds[k])} << bit.bit;
}

const std::uint64_t* AtomSets::cached(std::uint64_t number) {
  const std::uint64_t hash = number * 0x9e3779b97f4a7c15u;
  const std::size_t cell = (hash >> 32) & (tags_.size() - 1);
  std::uint64_t* set = table_.data() + cell * words_;
  if (tags_[cell] != number + 1) {
    tags_[cell] = number + 1;
    evaluate(number, set);
  }
  return set;
}

void AtomSets::evaluate(std::uint64_t number, std::uint64_t* set) {
  const std::size_t variables = space_.choice().variables;
  const std::uint64_t bounds = space_.choice().bounds.size(), line = number / bounds;
  form_.resize(variables);
  space_.read_form(line, form_);
  terms_.clear();
  for (std::size_t v = 0; v < variables; ++v)
    if (form_[v] != 0) terms_.push_back({.variable = v, .coefficient = form_[v]});
  compare_rows({.columns = columns_.data(), .words = words_}, terms_, space_.relation(line),
               space_.choice().bounds[number % bounds], set);
  for (std::size_t w = 0; w < words_; ++w) set[w] &= occupied_[w];
  for (std::size_t i = 0; i < unsafe_.size(); ++i) {
    const bool here = space_.holds(number, std::span(unsafe_rows_).subspan(i * variables, variables));
    std::uint64_t& word = set[unsafe_[i].word];
    word = (word & ~(std::uint64_t{1} << unsafe_[i].bit)) | std::uint64_t{here} << unsafe_[i].bit;
  }
}

}  // namespace fovea::synthesis
