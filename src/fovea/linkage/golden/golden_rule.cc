// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/golden/golden_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/columns/bare_names.h"

namespace fovea::linkage {
namespace {

using enum GoldenRule::Kind;

/// The part before the parentheses, and what is in them if there are any.
struct Call {
  std::string_view name;
  std::optional<std::string_view> argument = {};
};

Call call_of(std::string_view text) {
  const std::size_t open = find_in_expression(text, '(');
  if (open == text.npos) return {trimmed(text)};
  if (text.back() != ')') throw UsageError(fmt::format("option 'golden': '{}' has no closing parenthesis", text));
  return {trimmed(text.substr(0, open)), trimmed(text.substr(open + 1, text.size() - open - 2))};
}

/// `column`: to which the rule belongs.
GoldenRule parse_rule(std::string_view text, std::size_t column, const io::Table& table) {
  const Call call = call_of(text);
  const auto kind = value_of<GoldenRule::Kind>(call.name);
  if (!kind)
    throw UsageError(fmt::format("option 'golden': there is no rule '{}'; the rules are {}", call.name,
                                 fmt::join(all_words<GoldenRule::Kind>(), ", ")));
  GoldenRule rule{.kind = *kind, .by = column};
  const bool takes_column = *kind == kLatest || *kind == kEarliest;
  if (takes_column && (!call.argument || call.argument->empty()))
    throw UsageError(
        fmt::format("option 'golden': '{0}' needs a column of dates or numbers, as in {0}(updated)", call.name));
  if (call.argument && !takes_column && *kind != kJoin)
    throw UsageError(fmt::format("option 'golden': '{}' takes nothing in parentheses", call.name));
  if (!call.argument) return rule;
  if (takes_column) {
    rule.by = table.column(*call.argument);
    return rule;
  }
  const auto separator = unquoted(*call.argument);
  if (!separator) throw UsageError("option 'golden': write a separator in double quotes, as in join(\" | \")");
  rule.separator = *separator;
  return rule;
}

}  // namespace

std::vector<GoldenRule> parse_golden_rules(std::string_view rules, const io::Table& table,
                                           std::optional<std::size_t> id_column) {
  std::vector<GoldenRule> parsed(table.column_count());
  if (id_column) parsed[*id_column].kind = kFirst;
  if (trimmed(rules).empty()) return parsed;
  std::set<std::size_t> named;
  const std::string list = with_quoted_names(rules, table);
  for (const std::string_view piece : split_expression(list, ',')) {
    const std::size_t colon = find_last_in_expression(piece, ':');
    if (colon == piece.npos)
      throw UsageError(fmt::format(
          "option 'golden': '{}' is not a column with its rule; write for example name:longest, born:most-frequent",
          piece));
    const std::size_t column = table.column(trimmed(piece.substr(0, colon)));
    if (column == id_column)
      throw UsageError(fmt::format("option 'golden': '{}' is the column of ids, which is that of the first record",
                                   table.columns()[column]));
    if (!named.insert(column).second)
      throw UsageError(fmt::format("option 'golden': column '{}' has two rules", table.columns()[column]));
    parsed[column] = parse_rule(trimmed(piece.substr(colon + 1)), column, table);
  }
  return parsed;
}

}  // namespace fovea::linkage
