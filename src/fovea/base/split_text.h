// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fovea {

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

}  // namespace fovea
