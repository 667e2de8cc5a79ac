// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison_text.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/statistics/context_statistics.h"

namespace fovea::linkage {
namespace {

struct SplitComparison {
  std::string_view expression, kind = "exact";
  std::optional<std::string_view> context = {};
};

SplitComparison split_comparison(std::string_view text) {
  const std::size_t at = find_in_expression(text, '@');
  const std::string_view compared = text.substr(0, at);
  const std::size_t colon = find_last_in_expression(compared, ':');
  SplitComparison split{compared.substr(0, colon)};
  if (colon != compared.npos) split.kind = trimmed(compared.substr(colon + 1));
  if (at != text.npos) split.context = trimmed(text.substr(at + 1));
  return split;
}

SplitComparison split_comparison(std::string_view text, const io::Table& table) {
  return table.find_column(text) ? SplitComparison{text} : split_comparison(text);
}

}  // namespace

ComparisonText::ComparisonText(std::string_view text, const io::Table& table)
    : kind(comparison_kind_of(split_comparison(text, table).kind)),
      expression(split_comparison(text, table).expression, table) {
  const std::optional<std::string_view> split = split_comparison(text, table).context;
  has_context = split.has_value();
  context = split.value_or("");
}

std::vector<std::string> level_names(const ComparisonKind& kind, bool has_context) {
  if (!has_context) return kind.levels;
  std::vector<std::string> names = {kind.levels.front()};
  for (const char* range : context_ranges())
    for (std::size_t level = 1; level < kind.levels.size(); ++level)
      names.push_back(fmt::format("{} ({})", kind.levels[level], range));
  return names;
}

std::vector<std::string> level_names(std::string_view comparison) {
  const SplitComparison split = split_comparison(comparison);
  try {
    return level_names(comparison_kind_of(split.kind), split.context.has_value());
  } catch (const UsageError&) {
    return {};  // the name of a column with signs in it
  }
}

}  // namespace fovea::linkage
