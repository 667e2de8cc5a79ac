// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula_search/atom_space.h"
#include "fovea/synthesis/formula_search/example_layout.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

/// Rows of integers, 64 to a word of bits: columns[variable * 64 * words + row].
struct RowColumns {
  const std::int64_t* columns;
  std::size_t words;
};

/// One variable of a form and its coefficient, which is not 0.
struct FormTerm {
  std::size_t variable;
  std::int64_t coefficient;
};

/// Writes to set[word] a 1 for each row at which the sum of the terms has this relation to `bound`, which is below the
/// largest number. Vectorised; sums wrap around at 64 bits. O(rows * terms).
void compare_rows(const RowColumns& rows, std::span<const FormTerm> terms, Relation relation, std::int64_t bound,
                  std::uint64_t* set);

/// Sets of rows at which the comparisons of a space hold: a bit for each row of the examples, as ExampleLayout lays
/// them out. If all sets fit into `table_bytes`, they are made beforehand, and looking one up is computing an address;
/// otherwise they are made on demand and kept in a cache of that size. Not thread-safe.
class AtomSets {
 public:
  static constexpr std::size_t kTableBytes = std::size_t{8} << 20;

  explicit AtomSets(const AtomSpace& space, std::size_t table_bytes = kTableBytes);

  /// Adds the examples that it does not have yet. O(new rows * lines * log(bounds)) with a table. False if the stop
  /// came first; the next call goes on from there.
  bool take(const ExampleSet& examples, const Stop& stop = {});

  const AtomSpace& space() const { return space_; }
  const ExampleLayout& layout() const { return layout_; }
  bool has_table() const { return has_table_; }

  /// The set of a comparison: [word], valid until the next call.
  const std::uint64_t* set(std::uint64_t number) {
    return has_table_ ? table_.data() + number * words_ : cached(number);
  }

 private:
  const std::uint64_t* cached(std::uint64_t number);
  void lay_out();
  void enter(const ExampleLayout::Bit& bit, std::span<const std::int64_t> row);
  void enter_line(std::uint64_t line, std::int64_t value, const ExampleLayout::Bit& bit);
  void store_row(const ExampleLayout::Bit& bit, std::span<const std::int64_t> row);
  void evaluate(std::uint64_t number, std::uint64_t* set);

  AtomSpace space_;
  std::size_t table_bytes_;
  ExampleLayout layout_;
  std::size_t words_ = 1;
  bool has_table_ = true;
  std::vector<std::uint64_t> table_;  // [number or cell][word]
  std::vector<std::uint64_t> tags_;   // [cell]: number + 1, or 0
  std::size_t entered_ = 0;           // bits of the layout

  // Only for a cache:
  std::vector<std::int64_t> columns_;       // [variable][64 * words]
  std::vector<std::uint64_t> occupied_;     // [word]: bits that stand for a row
  std::vector<ExampleLayout::Bit> unsafe_;  // rows whose sums may not fit into 64 bits ...
  std::vector<std::int64_t> unsafe_rows_;   // [of unsafe_][variable]
  std::vector<std::int64_t> form_;          // scratch
  std::vector<FormTerm> terms_;             // scratch
};

}  // namespace fovea::synthesis
