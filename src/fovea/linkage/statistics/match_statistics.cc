// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/match_statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr const char* kMakeStatistics =
    "Make them with option 'save-statistics' and the same option 'compare', option 'preset' or option 'model'";

template <class Part>
std::vector<std::string> names_of(const std::map<std::string, Part>& parts) {
  std::vector<std::string> names;
  for (const auto& [name, part] : parts) names.push_back(name);
  return names;
}

template <class Part>
const Part& part_called(const std::string& wanted, const std::map<std::string, Part>& parts, const std::string& file) {
  const auto at = parts.find(wanted);
  if (at != parts.end()) return at->second;
  throw InputError({.file = file},
                   parts.empty() ? fmt::format("statistics that know nothing of '{}'", wanted)
                                 : fmt::format("statistics that know nothing of '{}', only of {}", wanted,
                                               fmt::join(names_of(parts), "; ")),
                   kMakeStatistics);
}

template <class Part>
void merge_parts(std::map<std::string, Part>& parts, const std::map<std::string, Part>& others) {
  for (auto& [name, part] : parts) part = merged(part, others.at(name));
}

}  // namespace

const ValueStatistics& MatchStatistics::of_values(const std::string& compared) const {
  return part_called(compared, values, name);
}

const ContextStatistics& MatchStatistics::of_context(const std::string& context) const {
  return part_called(context, contexts, name);
}

void MatchStatistics::merge(const MatchStatistics& other) {
  for (const MatchStatistics* one : std::initializer_list<const MatchStatistics*>{this, &other})
    if (!one->is_complete)
      throw InputError({.file = one->name}, "reduced statistics, which cannot be merged",
                       "Merge those that option 'save-statistics' wrote");
  if (names_of(values) != names_of(other.values) || names_of(contexts) != names_of(other.contexts))
    throw InputError({.file = other.name},
                     fmt::format("statistics of other comparisons ({}) than those of {} ({})",
                                 fmt::join(names_of(other.values), "; "), name, fmt::join(names_of(values), "; ")),
                     kMakeStatistics);
  records += other.records;
  merge_parts(values, other.values);
  merge_parts(contexts, other.contexts);
}

MatchStatistics MatchStatistics::reduced() const {
  if (!is_complete) return *this;
  MatchStatistics small{.name = name, .is_complete = false, .records = records};
  for (const auto& [compared, part] : values) small.values.emplace(compared, part.reduced());
  for (const auto& [context, part] : contexts) small.contexts.emplace(context, part.reduced());
  return small;
}

void MatchStatistics::forget_counts(const std::string& compared) {
  FOVEA_CHECK(!is_complete);
  values.at(compared).text_rows = {};
}

}  // namespace fovea::linkage
