// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/match_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/columns/bare_names.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/comparison/comparison_text.h"
#include "fovea/linkage/comparison/date_arguments.h"
#include "fovea/linkage/comparison/row_contexts.h"
#include "fovea/linkage/components/component_solver.h"

namespace fovea::linkage {

MatchPlan MatchPlan::of_model(const std::string& model_json, const io::Table& table, const MatchingOptions& options,
                              const std::string& id) {
  return of_model(parse_match_model(model_json, "the model"), table, options, id);
}

MatchPlan MatchPlan::of_model(MatchModelDescription model, const io::Table& table, const MatchingOptions& options,
                              const std::string& id) {
  if (!model.statistics)
    throw InputError({.file = "the model"}, "has no statistics, by which parts of a table score as the whole does",
                     "Learn it again with this version of Fovea");
  if (model.draw_by == DrawBy::kId && id.empty())
    throw UsageError("this model draws by id: option 'id' is needed, the column of ids");
  const io::Table empty(table.name(), table.columns());
  const auto prepared = [&](const std::string& list) {
    const std::string quoted = with_quoted_names(list, empty);
    return options.date_format.empty() ? quoted : with_date_format(quoted, options.date_format, empty);
  };
  MatchPlan plan{.compare = prepared(model.compare()),
                 .block = prepared(model.block()),
                 .max_block = static_cast<std::size_t>(model.max_block),
                 .least_score = options.least_score(),
                 .parameters = std::move(model.parameters),
                 .statistics = std::move(model.statistics),
                 .draw_by = model.draw_by,
                 .id = id};
  plan.read_lists(empty);
  return plan;
}

void MatchPlan::read_lists(const io::Table& empty) {
  std::set<std::size_t> used;
  const std::vector<Comparison> comparisons = parse_comparisons(compare, empty, statistics.get());
  check_levels(parameters, comparisons, "the model");
  for (const Comparison& comparison : comparisons)
    used.insert(comparison.columns().begin(), comparison.columns().end());
  for (const std::string_view piece : split_expression(compare, ','))
    if (const ComparisonText text(piece, empty); text.has_context)
      for (const std::size_t column : context_columns(text.context, empty)) used.insert(column);
  const std::vector<BlockingRule> parsed = parse_blocking_rules(block, empty);
  for (const BlockingRule& rule : parsed) {
    used.insert(rule.columns().begin(), rule.columns().end());
    rules.push_back(rule.text());
    most_rows.push_back(rule.has_any() ? std::min(rule.most_of_key(), max_block) : max_block);
  }
  if (parsed.size() == 1 && !parsed[0].has_any() && is_additive())
    most_rows_of_components = ComponentSolver::kMostWholeRows;
  if (!id.empty()) used.insert(empty.column(id));
  for (const std::size_t column : used) columns.push_back(empty.columns()[column]);
}

void use_contexts(const MatchStatistics& counted, MatchPlan& plan) {
  MatchStatistics statistics = *plan.statistics;
  const MatchStatistics of_table = counted.reduced();
  for (auto& [name, known] : statistics.contexts)
    if (const auto found = of_table.contexts.find(name); found != of_table.contexts.end())
      known = larger(known, found->second);
  plan.statistics = std::make_shared<const MatchStatistics>(std::move(statistics));
}

MatchStatistics count_plan_contexts(const MatchPlan& plan, const io::Table& part) {
  return collect_context_statistics(plan.compare, part);
}

}  // namespace fovea::linkage
