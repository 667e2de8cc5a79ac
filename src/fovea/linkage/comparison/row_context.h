// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// What is known of each row from the rows that share a key with it, as one of a few ranges of a number. Two J. Smiths
/// are less likely one person than two J. Snorresons: how much it says that names agree depends on how many names
/// there are.
///
///   size(key)               rows with that key
///   distinct(column, key)   distinct values among them
///   variety(column, key)    how many equally frequent values would be as hard to guess: exp of the entropy of the
///                           values' shares
///
/// where the column is a ColumnExpression, whose missing values do not count, and the key a BlockingRule. A row without
/// a key is alone. Throws UsageError or InputError for what is no such text.
std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table);

/// [context]: the range of its number, in words.
std::span<const char* const> context_ranges();

}  // namespace fovea::linkage
