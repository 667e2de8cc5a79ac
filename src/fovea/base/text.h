// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

/// Reads a number of bytes: number unit, unit: B, kB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024); "1.5
/// GB". At least one byte, at most 2^62. Throws UsageError naming `option`, text and what is allowed.
std::uint64_t parse_byte_count(std::string_view option, std::string_view text);

/// The number in the largest decimal unit that leaves at least one: "1.5 GB".
std::string byte_count_text(double bytes);

/// Without any of `blanks` at either end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

/// The trimmed pieces between separators; one, perhaps empty, if there is none.
std::vector<std::string_view> split_text(std::string_view text, char separator);

/// An expression is what a user writes of functions and names: f(name), g("a name, in quotes"). In double quotes all
/// signs stand for themselves, and two double quotes for one.
///
/// The trimmed pieces between separators that stand in no parentheses and no quotes.
std::vector<std::string_view> split_expression(std::string_view text, char separator);

/// The first, or the last, such sign of an expression that stands in no quotes; npos if there is none.
std::size_t find_in_expression(std::string_view text, char sign);
std::size_t find_last_in_expression(std::string_view text, char sign);

/// The name that an expression without functions holds, trimmed and without its quotes; nullopt where only a part of
/// it stands in quotes, or a quote is never closed.
std::optional<std::string> unquoted(std::string_view text);

/// The name as an expression holds it: in quotes if it needs them.
std::string quoted_if_needed(std::string_view name);

/// Single-letter insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string
/// alignment). O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// " Did you mean 'x'?" for the candidate nearest to `word`, or "" if none is near enough to be what was meant.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace fovea
