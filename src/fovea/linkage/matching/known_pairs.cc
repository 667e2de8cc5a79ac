// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/known_pairs.h"

#include <fmt/format.h>

#include <cmath>

#include "fovea/base/disjoint_sets.h"
#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr double kCertain = 1e6;  // nats: more than the sum over any entity
constexpr double kWrongAnswers = .05;

}  // namespace

KnownPairs::KnownPairs(const std::vector<LabelledRowPair>& certain, const std::vector<LabelledRowPair>& answers,
                       std::size_t row_count, const std::function<std::string(std::uint32_t row)>& name_of) {
  DisjointSets entities(row_count);
  for (const LabelledRowPair& pair : certain)
    if (pair.is_match) entities.unite(pair.rows.first, pair.rows.second);
  for (const LabelledRowPair& pair : certain) {
    if (!pair.is_match && entities.find(pair.rows.first) == entities.find(pair.rows.second))
      throw InputError({},
                       fmt::format("records {} and {} are said not to be of one entity, but other pairs that must be "
                                   "linked connect them",
                                   name_of(pair.rows.first), name_of(pair.rows.second)),
                       "Look at the pairs of these records again, and remove what is wrong");
    add(pair, kCertain);
  }
  for (const LabelledRowPair& pair : answers) add(pair, std::log((1 - kWrongAnswers) / kWrongAnswers));
}

void KnownPairs::add(const LabelledRowPair& pair, double evidence) {
  const auto number = static_cast<std::uint32_t>(pairs_.size());
  if (numbers_.try_emplace(pair_key(pair.rows.first, pair.rows.second), number).second)
    pairs_.push_back({pair.rows, pair.is_match ? evidence : -evidence});
}

void KnownPairs::apply(const MatchModel& model, double floor, std::vector<ScoredPair>& links) const {
  if (empty()) return;
  std::erase_if(links, [&](const ScoredPair& link) { return holds(link.rows); });
  for (const Pair& pair : pairs_)
    if (const double score = model.score(pair.rows) + pair.evidence; score > floor)
      links.push_back({pair.rows, static_cast<float>(score)});
}

}  // namespace fovea::linkage
