// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/blocking/candidate_pairs.h"

namespace fovea::linkage {

/// A pair of records, and whether somebody said that they are of one entity.
struct LabelledRowPair {
  RowPair rows;
  bool is_match = false;
};

/// The names by which pairs refer to records: ids or, without ids, row numbers from 0.
struct RecordNames {
  const io::IdIndex* ids = nullptr;
  std::size_t row_count = 0;
  std::size_t begin = 0;  ///< row of the first one, where several tables are laid end to end

  std::optional<std::size_t> find(std::string_view name) const;
};

/// The names of the first and of the second record of a pair: of one table, or of two.
struct PairNames {
  PairNames(const RecordNames& of_both) : first(of_both), second(of_both) {}  // NOLINT(google-explicit-constructor)
  PairNames(const RecordNames& of_first, const RecordNames& of_second) : first(of_first), second(of_second) {}

  RecordNames first, second;
};

/// Reads a table with the columns first_id, second_id and match (1, yes, true or 0, no, false; a pair without a label
/// is skipped): what --pairs of 'fovea dedupe' writes, with a column added by whoever looked at the pairs. Where
/// records are named by their rows, the first two columns are called first and second. Throws InputError (place in the
/// table) for unknown names, a record paired with itself, labels of another kind, and pairs with two different labels.
std::vector<LabelledRowPair> read_labelled_pairs(const io::Table& table, const PairNames& names);

/// Reads a table without the column match, of pairs that all match or all do not.
std::vector<LabelledRowPair> read_linked_pairs(const io::Table& table, const PairNames& names, bool is_match);

}  // namespace fovea::linkage
