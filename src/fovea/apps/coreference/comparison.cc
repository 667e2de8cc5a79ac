// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/split_text.h"
#include "fovea/base/suggest.h"

namespace fovea {
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

}  // namespace

Comparison::Comparison(std::string_view text, const Table& table) : text_(text) {
  const std::size_t colon = text.rfind(':');
  kind_ = &kind_called(colon == text.npos ? "exact" : trimmed(text.substr(colon + 1)));
  column_ = table.column(trimmed(text.substr(0, colon)));
  Dictionary ids;
  values_.reserve(table.row_count());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    values_.push_back(table.is_missing(row, column_) ? kNoId : ids.add(table.cell(row, column_)));
    counts_.resize(ids.size());
    if (values_.back() != kNoId) ++counts_[values_.back()];
  }
  std::vector<std::string_view> texts;
  for (std::uint32_t id = 0; id < ids.size(); ++id) texts.push_back(ids.text(id));
  comparer_ = kind_->make(texts);
}

std::vector<Comparison> parse_comparisons(std::string_view text, const Table& table) {
  std::vector<Comparison> comparisons;
  for (const std::string_view piece : split_text(text, ',')) {
    if (piece.empty()) throw UsageError("a comparison is empty; write column:kind,column:kind");
    comparisons.emplace_back(piece, table);
  }
  return comparisons;
}

}  // namespace fovea
