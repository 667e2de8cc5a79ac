// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/base/utf8.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kCellWidth = 20, kBarHalf = 12;

/// Cuts a text to `width` characters, or pads it to that many.
std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t count = 0;
  while (!text.empty() && count < width) {
    const std::size_t size = first_character(text).size;
    const bool is_control = static_cast<unsigned char>(text.front()) < 0x20;  // such as a line break
    out += is_control ? " " : text.substr(0, size);
    text.remove_prefix(size);
    ++count;
  }
  if (!text.empty()) out.replace(out.size() - 1, 1, "~");
  return out.append(width - count, ' ');
}

/// Bar from `from` to `to` on a scale with 0 in the middle: "      |++++   ".
std::string bar(double from, double to, double scale) {
  std::string text(2 * kBarHalf + 1, ' ');
  const auto at = [&](double x) {
    return static_cast<std::size_t>(std::lround((x / scale + 1) * static_cast<double>(kBarHalf)));
  };
  text[kBarHalf] = '|';
  for (std::size_t i = std::min(at(from), at(to)); i < std::max(at(from), at(to)); ++i) text[i] = to > from ? '+' : '-';
  return text;
}

}  // namespace

MatchExplanation explain_match(const MatchModel& model, const io::Table& table, RowPair pair, const IdPair& ids) {
  MatchExplanation explanation{.ids = {std::string(ids[0]), std::string(ids[1])},
                               .prior_log_odds = model.prior_score()};
  const std::vector<MatchModel::Term> terms = model.terms(pair);
  for (std::size_t c = 0; c < model.comparisons().size(); ++c) {
    const Comparison& comparison = model.comparisons()[c];
    const MatchModel::Term& term = terms[c];
    explanation.terms.push_back({comparison.text(), joined_cells(table, pair.first, comparison.columns()),
                                 joined_cells(table, pair.second, comparison.columns()),
                                 comparison.levels()[term.level], term.weight, term.adjustment});
  }
  explanation.score = model.score(pair);
  explanation.probability = probability_of(explanation.score);
  return explanation;
}

std::string MatchExplanation::text() const {
  std::vector<Term> steps = {{"prior", "", "", "", prior_log_odds}};
  steps.insert(steps.end(), terms.begin(), terms.end());
  double sum = 0, scale = 1;
  for (const Term& step : steps) scale = std::max(scale, std::abs(sum += step.sum()));
  std::string lines = fmt::format("{:<24} {} {} {:<24} {:>8}\n", "", fitted(ids[0], kCellWidth),
                                  fitted(ids[1], kCellWidth), "level", "nats");
  sum = 0;
  for (const Term& step : steps) {
    lines += fmt::format("{} {} {} {} {:>+8.2f} {}\n", fitted(step.comparison, 24), fitted(step.first, kCellWidth),
                         fitted(step.second, kCellWidth), fitted(step.level, 24), step.sum(),
                         bar(sum, sum + step.sum(), scale));
    sum += step.sum();
  }
  return lines + fmt::format("{:<24} {:<20} {:<20} {:<24} {:>+8.2f}  probability {:.4f}\n", "sum", "", "", "", sum,
                             probability_of(sum));
}

std::string MatchExplanation::json() const {
  nlohmann::ordered_json json = {{"ids", ids}, {"prior_log_odds", prior_log_odds}};
  json["terms"] = nlohmann::ordered_json::array();
  for (const Term& term : terms)
    json["terms"].push_back({{"comparison", term.comparison},
                             {"values", {term.first, term.second}},
                             {"level", term.level},
                             {"weight", term.weight},
                             {"adjustment", term.adjustment}});
  json["score"] = score;
  json["probability"] = probability;
  return json.dump();
}

namespace {

std::size_t largest_block(const Blocks& blocks) {
  std::size_t largest = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) largest = std::max(largest, blocks[b].size());
  return largest;
}

/// Levels of matches, as the mixture has them if it has related pairs.
LevelTable m_of(const UnsupervisedMatching& matching) {
  return matching.mixture.has_related() ? matching.mixture.match_levels() : matching.fit.model.m;
}

double match_share_of(const UnsupervisedMatching& matching) {
  return matching.mixture.has_related() ? matching.mixture.match_share() : matching.fit.model.match_share;
}

/// " (4000000 drawn)" if not all candidate pairs were compared.
std::string drawn_of(const UnsupervisedMatching& matching) {
  return matching.compared_pairs < matching.candidate_pairs ? fmt::format(" ({} drawn)", matching.compared_pairs) : "";
}

/// "surname, phone" for those with `wanted`.
std::string names_of(std::span<const Comparison> comparisons, const std::vector<bool>& agrees, bool wanted) {
  std::string names;
  for (std::size_t c = 0; c < comparisons.size(); ++c)
    if (agrees[c] == wanted) names += (names.empty() ? "" : ", ") + comparisons[c].text();
  return names;
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

std::vector<std::string> describe_related(std::span<const Comparison> comparisons,
                                          const UnsupervisedMatching& matching) {
  std::vector<std::string> lines;
  const auto pairs = static_cast<double>(matching.all_pairs);
  for (std::size_t k = 0; k < matching.mixture.classes.size(); ++k) {
    if (matching.mixture.classes[k].is_match) continue;
    const std::vector<bool> agrees = agreeing_comparisons(matching.mixture, k);
    if (std::ranges::find(agrees, true) == agrees.end()) continue;  // pairs that agree by chance alone
    lines.push_back(
        fmt::format("about {:.0f} pairs agree in {}, but only by chance in {}: taken for related, not for "
                    "matches",
                    pairs * matching.mixture.classes[k].share, names_of(comparisons, agrees, true),
                    names_of(comparisons, agrees, false)));
  }
  return lines;
}

std::string profile_matching(std::span<const Comparison> comparisons, const UnsupervisedMatching& matching) {
  std::string text =
      fmt::format("{} random pairs, {} candidate pairs{}, {:.3g} of all pairs match\n\n", matching.random_pairs,
                  matching.candidate_pairs, drawn_of(matching), match_share_of(matching));
  for (const RuleFit& rule : matching.rules) {
    if (!rule.fit.usable()) text += fmt::format("{}: not learned from, too few comparisons left\n", rule.rule);
    else if (rule.is_degenerate)
      text += fmt::format("{}: not learned from, hardly any of {} pairs match\n", rule.rule, rule.pairs);
    else text += fmt::format("{}: {:.3g} of {} pairs match\n", rule.rule, rule.fit.model.match_share, rule.pairs);
  }
  for (const std::string& related : describe_related(comparisons, matching)) text += related + "\n";
  const LevelTable m = m_of(matching);
  text += fmt::format("\n{:<28} {:<44} {:>9} {:>9} {:>8}\n", "comparison", "level", "m", "u", "nats");
  for (std::size_t c = 0; c < comparisons.size(); ++c)
    for (std::size_t level = comparisons[c].levels().size() - 1; level > 0; --level)
      text += fmt::format("{:<28} {:<44} {:>9.3g} {:>9.3g} {:>+8.2f}\n", comparisons[c].text(),
                          comparisons[c].levels()[level], m[c][level], matching.fit.model.u[c][level],
                          matching.weights.weights[c][level]);
  return text;
}

std::string profile_json(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                         const CandidatePairs& candidates, const UnsupervisedMatching& matching) {
  using Json = nlohmann::ordered_json;
  Json json = {{"random_pairs", matching.random_pairs},
               {"candidate_pairs", matching.candidate_pairs},
               {"compared_pairs", matching.compared_pairs},
               {"match_share", match_share_of(matching)},
               {"rules", Json::array()},
               {"learned_from", Json::array()},
               {"comparisons", Json::array()}};
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const Blocks& blocks = candidates.blocks(r);
    json["rules"].push_back({{"rule", rules[r].text()},
                             {"blocks", blocks.size()},
                             {"pairs", candidates.pair_count(r)},
                             {"largest_block", largest_block(blocks)},
                             {"blocks_left_out", candidates.oversized(r).size()}});
  }
  for (const RuleFit& rule : matching.rules) {
    if (!rule.fit.usable()) continue;
    json["learned_from"].push_back({{"rule", rule.rule},
                                    {"pairs", rule.pairs},
                                    {"match_share", rule.fit.model.match_share},
                                    {"is_degenerate", rule.is_degenerate}});
  }
  json["related_pairs"] = describe_related(comparisons, matching);
  const LevelTable m = m_of(matching);
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    Json levels = Json::array();
    for (std::size_t level = 1; level < comparisons[c].levels().size(); ++level)
      levels.push_back({{"level", comparisons[c].levels()[level]},
                        {"m", m[c][level]},
                        {"u", matching.fit.model.u[c][level]},
                        {"weight", matching.weights.weights[c][level]}});
    json["comparisons"].push_back({{"comparison", comparisons[c].text()}, {"levels", levels}});
  }
  return json.dump();
}

}  // namespace fovea::linkage
