// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::linkage {
namespace {

const ComparisonKind& kind_called(std::string_view name) {
  const auto kinds = comparison_kinds();
  const auto at = std::ranges::find_if(kinds, [&](const ComparisonKind& kind) { return kind.name == name; });
  if (at != kinds.end()) return *at;
  std::vector<std::string> names;
  for (const ComparisonKind& kind : kinds) names.emplace_back(kind.name);
  throw UsageError(fmt::format("no comparison is called '{}'.{} There are {}", name, suggestion(name, names),
                               fmt::join(names, ", ")));
}

struct SplitComparison {
  std::string_view expression, kind = "exact";
  std::optional<std::string_view> context = {};
};

SplitComparison split_comparison(std::string_view text, const io::Table& table) {
  if (table.find_column(text)) return {text};
  const std::size_t at = find_in_expression(text, '@');
  const std::string_view compared = text.substr(0, at);
  const std::size_t colon = find_last_in_expression(compared, ':');
  SplitComparison split{compared.substr(0, colon)};
  if (colon != compared.npos) split.kind = trimmed(compared.substr(colon + 1));
  if (at != text.npos) split.context = trimmed(text.substr(at + 1));
  return split;
}

}  // namespace

ComparisonText::ComparisonText(std::string_view text, const io::Table& table)
    : kind(&kind_called(split_comparison(text, table).kind)),
      expression(split_comparison(text, table).expression, table) {
  const std::optional<std::string_view> split = split_comparison(text, table).context;
  has_context = split.has_value();
  context = split.value_or("");
}

}  // namespace fovea::linkage
