// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// The sort of cells that a column has.
enum class ColumnForm {
  kUseless,  ///< (nearly) empty, always the same, or different in every record, as ids are
  kDate,
  kEmail,
  kDigits,    ///< codes and numbers: phones, postcodes, years
  kElements,  ///< elements separated by |
  kText,      ///< several words
  kCategory,  ///< few different values
  kInitials,  ///< names of which some are initials
  kName,      ///< other short texts
};

/// A column of a table, by the values of its records.
struct ColumnProfile {
  std::string name;  ///< as it is written in lists: in double quotes if it must be
  ColumnForm form = ColumnForm::kUseless;
  std::vector<std::uint32_t> values;  ///< [row] number of the normalised value, kNoId where it is missing
  std::vector<std::uint32_t> counts;  ///< [value] records that have it
  double filled_share = 0;            ///< of the records
  bool is_of_household = false;       ///< by its name, people who live together share it: surname, address, phone
};

/// Looks at a column.
ColumnProfile profile_column(const io::Table& table, std::size_t column);

/// True if each value of one column goes with one value of the other, and the reverse: one of them says nothing new.
bool are_copies(const ColumnProfile& a, const ColumnProfile& b);

}  // namespace fovea::linkage
