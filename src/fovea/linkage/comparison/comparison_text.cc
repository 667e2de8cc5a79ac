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
    : kind(comparison_kind_of(split_comparison(text, table).kind)),
      expression(split_comparison(text, table).expression, table) {
  const std::optional<std::string_view> split = split_comparison(text, table).context;
  has_context = split.has_value();
  context = split.value_or("");
}

}  // namespace fovea::linkage
