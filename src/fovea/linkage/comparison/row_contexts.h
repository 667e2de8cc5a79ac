// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/statistics/context_statistics.h"

namespace fovea::linkage {

/// Computes the context of each row: a number that describes the rows that share a key with it, reduced to one of a few
/// ranges (context_ranges). Two J. Smiths are less likely to be one person than two J. Snorresons: how strongly an
/// agreement of names counts depends on how many such names there are.
///
///   size(key)               number of rows with that key
///   distinct(column, key)   number of distinct values among them
///   variety(column, key)    number of equally frequent values that would be as hard to guess: exp of the entropy of
///                           the values' shares
///
/// The column is a ColumnExpression, whose missing values do not count; the key is a BlockingRule. A row without a key
/// is treated as the only one with its key.
///
/// `statistics`, if given, are reduced ones of a larger table. A key's context is taken from whichever of the two has
/// more rows with it: so a part of that table has its contexts, and names that it hardly knew are counted here.
///
/// Throws UsageError or InputError if `text` does not have one of these forms.
std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table,
                                       const ContextStatistics* statistics = nullptr);

/// Columns of the table that a context reads.
std::vector<std::size_t> context_columns(std::string_view text, const io::Table& table);

/// Counts the rows of each key for such a context.
ContextStatistics collect_contexts(std::string_view text, const io::Table& table);

}  // namespace fovea::linkage
