// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/matching_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace fovea::linkage {
namespace {

std::size_t largest_block(const Blocks& blocks) {
  std::size_t largest = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) largest = std::max(largest, blocks[b].size());
  return largest;
}

double weight_of(const FellegiSunterModel& model, std::size_t comparison, std::size_t level) {
  return std::log(model.m[comparison][level] / model.u[comparison][level]);
}

}  // namespace

std::string profile_blocking(std::span<const BlockingRule> rules, const CandidatePairs& candidates) {
  std::string text = fmt::format("{:<40} {:>10} {:>14} {:>13}\n", "blocking rule", "blocks", "pairs", "largest block");
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const Blocks& blocks = candidates.blocks(r);
    text += fmt::format("{:<40} {:>10} {:>14} {:>13}\n", rules[r].text(), blocks.size(), candidates.pair_count(r),
                        largest_block(blocks));
    for (const OversizedBlock& block : candidates.oversized(r))
      text += fmt::format("  left out: '{}', {} rows\n", block.key, block.rows);
  }
  return text;
}

std::string profile_matching(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                             const UnsupervisedMatching& matching) {
  std::string text = fmt::format("{} random pairs, {} candidate pairs, {:.3g} of all pairs match\n\n",
                                 matching.random_pairs, matching.candidate_pairs, matching.fit.model.match_share);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const RuleFit& rule = matching.rules[r];
    text += rule.fit.usable()
                ? fmt::format("{}: {:.3g} of {} pairs match\n", rules[r].text(), rule.fit.model.match_share, rule.pairs)
                : fmt::format("{}: not learned from, too few comparisons left\n", rules[r].text());
  }
  text += fmt::format("\n{:<28} {:<44} {:>9} {:>9} {:>8}\n", "comparison", "level", "m", "u", "nats");
  for (std::size_t c = 0; c < comparisons.size(); ++c)
    for (std::size_t level = comparisons[c].levels().size() - 1; level > 0; --level)
      text += fmt::format("{:<28} {:<44} {:>9.3g} {:>9.3g} {:>+8.2f}\n", comparisons[c].text(),
                          comparisons[c].levels()[level], matching.fit.model.m[c][level],
                          matching.fit.model.u[c][level], weight_of(matching.fit.model, c, level));
  return text;
}

std::string profile_json(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                         const CandidatePairs& candidates, const UnsupervisedMatching& matching) {
  using Json = nlohmann::ordered_json;
  Json json = {{"random_pairs", matching.random_pairs},
               {"candidate_pairs", matching.candidate_pairs},
               {"match_share", matching.fit.model.match_share},
               {"rules", Json::array()},
               {"comparisons", Json::array()}};
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const Blocks& blocks = candidates.blocks(r);
    json["rules"].push_back({{"rule", rules[r].text()},
                             {"blocks", blocks.size()},
                             {"pairs", candidates.pair_count(r)},
                             {"largest_block", largest_block(blocks)},
                             {"blocks_left_out", candidates.oversized(r).size()}});
    if (matching.rules[r].fit.usable()) json["rules"].back()["match_share"] = matching.rules[r].fit.model.match_share;
  }
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    Json levels = Json::array();
    for (std::size_t level = 1; level < comparisons[c].levels().size(); ++level)
      levels.push_back({{"level", comparisons[c].levels()[level]},
                        {"m", matching.fit.model.m[c][level]},
                        {"u", matching.fit.model.u[c][level]},
                        {"weight", weight_of(matching.fit.model, c, level)}});
    json["comparisons"].push_back({{"comparison", comparisons[c].text()}, {"levels", levels}});
  }
  return json.dump();
}

}  // namespace fovea::linkage
