// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/collect_statistics.h"

#include <memory>
#include <string>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/text.h"
#include "fovea/linkage/comparison/comparison_text.h"
#include "fovea/linkage/comparison/row_contexts.h"

namespace fovea::linkage {
namespace {

/// Adds the distinct texts of a kind that compares their tokens.
void add_with_tokens(const NumberedValues& texts, const std::vector<std::uint64_t>& rows, const ComparisonKind& kind,
                     TextList& list) {
  std::vector<std::uint64_t> tokens;
  for (std::uint32_t id = 0; id < rows.size(); ++id) {
    tokens.clear();
    for (const std::string& token : kind.tokens(texts.values.text(id))) tokens.push_back(hash_text(token));
    list.add(hash_text(texts.values.text(id)), rows[id], tokens);
  }
}

/// Adds the distinct texts that are of the kind.
void add_if_of_kind(const NumberedValues& texts, const std::vector<std::uint64_t>& rows, const ComparisonKind& kind,
                    TextList& list) {
  std::vector<std::string_view> views;
  for (std::uint32_t id = 0; id < rows.size(); ++id) views.push_back(texts.values.text(id));
  const std::unique_ptr<ValueComparer> comparer = kind.make(views, nullptr);
  for (std::uint32_t id = 0; id < rows.size(); ++id)
    if (comparer->compare(id, id) != kMissingLevel) list.add(hash_text(views[id]), rows[id]);
}

ValueStatistics collect_values(const ColumnExpression& expression, const ComparisonKind& kind, const io::Table& table) {
  const NumberedValues texts = number_values(expression, table);
  std::vector<std::uint64_t> rows(texts.values.size());
  for (const std::uint32_t id : texts.of_row)
    if (id != kNoId) ++rows[id];
  TextList list;
  if (kind.tokens != nullptr) add_with_tokens(texts, rows, kind, list);
  else add_if_of_kind(texts, rows, kind, list);
  return count_texts(list, kind.tokens != nullptr, kind.frequent_share);
}

void add_contexts(std::string_view comparisons, const io::Table& table, MatchStatistics& statistics) {
  for (const std::string_view piece : split_expression(comparisons, ','))
    if (const ComparisonText text(piece, table); text.has_context && !statistics.contexts.contains(text.context))
      statistics.contexts.emplace(text.context, collect_contexts(text.context, table));
}

}  // namespace

MatchStatistics collect_statistics(std::string_view comparisons, const io::Table& table) {
  MatchStatistics statistics{.name = table.name(), .records = table.row_count()};
  for (const std::string_view piece : split_expression(comparisons, ',')) {
    const ComparisonText text(piece, table);
    if (!statistics.values.contains(text.compared()))
      statistics.values.emplace(text.compared(), collect_values(text.expression, text.kind, table));
  }
  add_contexts(comparisons, table, statistics);
  return statistics;
}

MatchStatistics collect_context_statistics(std::string_view comparisons, const io::Table& table) {
  MatchStatistics statistics{.name = table.name(), .records = table.row_count()};
  add_contexts(comparisons, table, statistics);
  return statistics;
}

}  // namespace fovea::linkage
