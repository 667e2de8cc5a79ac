// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "fovea/linkage/comparison/comparison_kind.h"
#include "fovea/linkage/similarity/dates.h"

namespace fovea::linkage {

/// Levels that a user chooses, as ComparisonKind::set_arguments takes them. Each list of bounds may be in any order; it
/// makes one level for each bound, one beyond all of them, and one for equal values. All throw UsageError.

/// Jaro and Winkler's similarity reaches a bound, 0 to 1: jaro_winkler(0.85, 0.95).
void set_similarity_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);
/// At most this number of edits, 1 to 20: edits(1, 3).
void set_edit_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);
/// The cosine of the words' vectors reaches a bound, 0 to 1: words(0.5, 0.9).
void set_word_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);
/// A difference, or its share of the larger number, is at most a bound: number(absolute 1, 5), number(relative 0.02).
/// The bound 0, which is the level of equal numbers, may be named.
void set_number_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);
/// Places are within a number of kilometres; there is no level for equal ones: place(0.1, 5).
void set_distance_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);
/// Dates are within a number of days, weeks, months or years of the calendar: date(1d, 2w, 6m, 1y). Where a day or
/// month is not known, the nearest possible day counts, and such dates are equal only if written alike. A DateFormat
/// may be among the arguments, or alone.
void set_date_levels(ComparisonKind& kind, std::span<const std::string_view> arguments);

/// Level of two dates in the kind "date" without own levels.
Level date_level(const std::optional<Date>& a, const std::optional<Date>& b);

}  // namespace fovea::linkage
