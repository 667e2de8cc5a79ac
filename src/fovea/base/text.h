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

/// Reads a number of bytes such as "1.5 GB": a number and a unit, which is B, kB, MB, GB (powers of 1000), KiB, MiB or
/// GiB (powers of 1024). From one byte to 2^62 bytes. Throws UsageError naming `option`, `text` and what is allowed.
std::uint64_t parse_byte_count(std::string_view option, std::string_view text);

/// The number in the largest decimal unit in which it is at least 1: "1.5 GB".
std::string byte_count_text(double bytes);

/// The text without any of `blanks` at either end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

/// The trimmed pieces between separators; a text without separators gives one piece, which may be empty.
std::vector<std::string_view> split_text(std::string_view text, char separator);

/// An expression consists of functions and names as a user writes them: f(name), g("a name, in quotes"). In double
/// quotes all characters stand for themselves, and two double quotes stand for one.
///
/// Returns the trimmed pieces between the separators that stand outside parentheses and quotes.
std::vector<std::string_view> split_expression(std::string_view text, char separator);

/// The position of the first, or the last, `sign` in an expression that stands outside quotes; npos if it has none.
std::size_t find_in_expression(std::string_view text, char sign);
std::size_t find_last_in_expression(std::string_view text, char sign);

/// The name that an expression without functions holds, trimmed and without its quotes; nullopt if only part of it is
/// in quotes, or if a quote is never closed.
std::optional<std::string> unquoted(std::string_view text);

/// The name as written in an expression: in quotes if it needs them.
std::string quoted_if_needed(std::string_view name);

/// " Did you mean 'x'?" for the candidate nearest to `word`, or "" if no candidate is near enough.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace fovea
