// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/words.h"
#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// The way in which one value is chosen from the cells that the records of a cluster have in a column. Missing cells
/// are passed over, and of several that are as good, the one of the first row is taken.
struct GoldenRule {
  enum class Kind : unsigned char {
    kMostFrequent,  ///< the spelling that most records have; upper and lower case, accents and signs count as one value
    kLongest,       ///< the most characters
    kShortest,
    kFirst,  ///< that of the first row that has any
    kLast,
    kLatest,    ///< that of the record with the latest date or largest number in another column
    kEarliest,  ///< the same with the earliest or smallest
    kMax,       ///< the latest date or largest number
    kMin,
    kJoin,  ///< all different cells, with a separator between them
  };
  Kind kind = Kind::kMostFrequent;
  std::size_t by = 0;            ///< column by which kLatest, kEarliest, kMax and kMin choose
  std::string separator = "; ";  ///< of kJoin
};
constexpr auto words_of(GoldenRule::Kind) {
  using enum GoldenRule::Kind;
  return std::array{Word{kMostFrequent, "most-frequent"},
                    Word{kLongest, "longest"},
                    Word{kShortest, "shortest"},
                    Word{kFirst, "first"},
                    Word{kLast, "last"},
                    Word{kLatest, "latest"},
                    Word{kEarliest, "earliest"},
                    Word{kMax, "max"},
                    Word{kMin, "min"},
                    Word{kJoin, "join"}};
}

/// Reads rules for columns, [column]; those that are not named have the default, kMostFrequent:
///
///   name:longest, phone:latest(updated), "City, State":first, email:join(" | ")
///
/// Throws UsageError for a text that is not such a list, for a column that is named twice and for that of ids, if there
/// is one, which always has the cell of the first record; InputError for a column that the table lacks.
std::vector<GoldenRule> parse_golden_rules(std::string_view rules, const io::Table& table,
                                           std::optional<std::size_t> id_column = {});

}  // namespace fovea::linkage
