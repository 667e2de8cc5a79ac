// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/record_matching.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/comparison/unreadable_cells.h"

namespace fovea::linkage {
namespace {

std::string required(const std::string& list, const char* option, const char* example) {
  if (list.empty())
    throw UsageError(fmt::format("option '{}' is needed, for example option '{}' '{}'", option, option, example));
  return list;
}

/// Reduces statistics to what the model's scores depend on.
std::shared_ptr<const MatchStatistics> statistics_for(const MatchParameters& parameters,
                                                      std::span<const Comparison> comparisons,
                                                      const MatchStatistics& statistics) {
  std::set<std::string> unused, used;
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    const bool has_adjustment = c < parameters.equal_share.size() && parameters.equal_share[c] > 0;
    (has_adjustment ? used : unused).insert(comparisons[c].compared());
  }
  auto reduced = std::make_shared<MatchStatistics>(statistics.reduced());
  for (const std::string& compared : unused)
    if (!used.contains(compared)) reduced->forget_counts(compared);
  return reduced;
}

}  // namespace

double MatchingOptions::least_score() const { return std::log(threshold / (1 - threshold)); }

RecordMatching::RecordMatching(const io::Table& table, const MatchingOptions& options, const PairScope& scope,
                               std::shared_ptr<const MatchStatistics> statistics, int threads)
    : table_(&table),
      options_(options),
      statistics_(std::move(statistics)),
      comparisons_(parse_comparisons(required(options.compare, "compare", "name:jaro_winkler, born:date, city"), table,
                                     statistics_.get(), threads)),
      rules_(parse_blocking_rules(required(options.block, "block", "surname, soundex(name)+year(born)"), table)),
      candidates_(table, rules_, static_cast<std::size_t>(options.max_block.value_or(MatchingOptions::kMaxBlock)),
                  scope, threads) {}

std::vector<std::string> RecordMatching::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const std::vector<OversizedBlock>& blocks = candidates_.oversized(r);
    if (blocks.empty() || rules_[r].has_any()) continue;
    warnings.push_back(fmt::format(
        "rule '{}' leaves out {} block(s) of more than {} records, the largest '{}' with {}. Add a part to the rule by "
        "+, or raise option 'max-block'",
        rules_[r].text(), blocks.size(), max_block(), blocks.front().key, blocks.front().rows));
  }
  if (warnings.empty() && candidates_.empty())
    warnings.emplace_back("no two records agree in any blocking rule: none are compared");
  for (std::string& warning : check_readable(comparisons_, rules_, *table_)) warnings.push_back(std::move(warning));
  return warnings;
}

std::vector<std::string> RecordMatching::notes() const {
  std::vector<std::string> notes;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const std::vector<OversizedBlock>& blocks = candidates_.oversized(r);
    if (blocks.empty() || !rules_[r].has_any()) continue;
    notes.push_back(fmt::format("rule '{}' passes over {} {} that more than {} records share, the most frequent '{}'",
                                rules_[r].text(), blocks.size(), rules_[r].any_of(),
                                std::min(rules_[r].most_of_key(), static_cast<std::size_t>(max_block())),
                                blocks.front().key));
  }
  return notes;
}

MatchParameters RecordMatching::nothing_known() const {
  MatchParameters parameters{.weights = {.prior_log_odds = -std::log(1e9), .weights = {}}};
  for (const Comparison& comparison : comparisons_) parameters.weights.weights.emplace_back(comparison.levels().size());
  return parameters;
}

MatchModelDescription RecordMatching::describe(MatchParameters parameters) const {
  MatchModelDescription description;
  description.statistics = statistics_for(parameters, comparisons_,
                                          statistics_ ? *statistics_ : collect_statistics(options_.compare, *table_));
  description.parameters = std::move(parameters);
  description.max_block = max_block();
  for (const Comparison& comparison : comparisons_) description.comparisons.push_back(comparison.text());
  for (const BlockingRule& rule : rules_) description.rules.push_back(rule.text());
  return description;
}

}  // namespace fovea::linkage
