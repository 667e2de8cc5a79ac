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

MatchPlan MatchPlan::of_model(const std::string& model_json, const io::Table& columns, const MatchingOptions& options) {
  MatchModelDescription model = parse_match_model(model_json, "the model");
  if (!model.statistics)
    throw InputError({.file = "the model"}, "has no statistics, by which parts of a table score as the whole does",
                     "Learn it again with this version of Fovea");
  const io::Table empty(columns.name(), columns.columns());
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
                 .draw_by = model.draw_by};
  check_levels(plan.parameters, parse_comparisons(plan.compare, empty, plan.statistics.get()), "the model");
  plan.rule_count = parse_blocking_rules(plan.block, empty).size();
  return plan;
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

std::vector<std::string> columns_of(const MatchPlan& plan, const io::Table& columns) {
  const io::Table empty(columns.name(), columns.columns());
  std::set<std::size_t> used;
  for (const Comparison& comparison : parse_comparisons(plan.compare, empty, plan.statistics.get()))
    used.insert(comparison.columns().begin(), comparison.columns().end());
  for (const BlockingRule& rule : parse_blocking_rules(plan.block, empty))
    used.insert(rule.columns().begin(), rule.columns().end());
  for (const std::string_view piece : split_expression(plan.compare, ','))
    if (const ComparisonText text(piece, empty); text.has_context)
      for (const std::size_t column : context_columns(text.context, empty)) used.insert(column);
  std::vector<std::string> names;
  for (const std::size_t column : used) names.push_back(columns.columns()[column]);
  return names;
}

std::vector<std::string> rules_of(const MatchPlan& plan, const io::Table& columns) {
  const io::Table empty(columns.name(), columns.columns());
  std::vector<std::string> rules;
  for (const BlockingRule& rule : parse_blocking_rules(plan.block, empty)) rules.push_back(rule.text());
  return rules;
}

std::vector<std::uint64_t> most_rows_of_blocks(const MatchPlan& plan, const io::Table& columns) {
  const io::Table empty(columns.name(), columns.columns());
  std::vector<std::uint64_t> most;
  for (const BlockingRule& rule : parse_blocking_rules(plan.block, empty))
    most.push_back(rule.has_any() ? std::min(rule.most_of_key(), plan.max_block) : plan.max_block);
  return most;
}

std::uint64_t most_rows_of_components(const MatchPlan& plan, const io::Table& columns) {
  const io::Table empty(columns.name(), columns.columns());
  const std::vector<BlockingRule> rules = parse_blocking_rules(plan.block, empty);
  return rules.size() == 1 && !rules[0].has_any() && plan.is_additive() ? ComponentSolver::kMostWholeRows : 0;
}

}  // namespace fovea::linkage
