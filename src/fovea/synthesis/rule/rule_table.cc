// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {
namespace {

template <class T>
std::vector<T> taken(const std::vector<T>& values, std::span<const std::uint32_t> chosen) {
  std::vector<T> result;
  if (values.empty()) return result;
  result.reserve(chosen.size());
  for (const std::uint32_t row : chosen) result.push_back(values[row]);
  return result;
}

}  // namespace

RuleTable RuleTable::rows(std::span<const std::uint32_t> chosen) const {
  RuleTable result = {.columns = {}, .row_count = chosen.size()};
  for (const RuleColumn& column : columns)
    result.columns.push_back({.name = column.name,
                              .is_numeric = column.is_numeric,
                              .may_miss = column.may_miss,
                              .numbers = taken(column.numbers, chosen),
                              .categories = taken(column.categories, chosen),
                              .names = column.names});
  return result;
}

RuleExamples RuleExamples::rows(std::span<const std::uint32_t> chosen) const {
  return {.table = table.rows(chosen),
          .classes = classes,
          .class_of = taken(class_of, chosen),
          .weights = taken(weights, chosen)};
}

}  // namespace fovea::synthesis
