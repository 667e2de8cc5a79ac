// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/scored_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fovea/base/disjoint_sets.h"

namespace fovea::linkage {
Blocks connected_components(std::size_t rows, std::span<const ScoredPair> pairs) {
  DisjointSets sets(rows);
  for (const ScoredPair& pair : pairs) {
    const auto [first, second] = std::minmax({sets.find(pair.rows.first), sets.find(pair.rows.second)});
    sets.unite(first, second);
  }
  return group_by_number(sets.representatives());
}

std::vector<ScoredPair> one_to_one(std::vector<ScoredPair> pairs) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return pairs[i].score; });
  std::uint32_t rows = 0;
  for (const ScoredPair& pair : pairs) rows = std::max(rows, pair.rows.second + 1);
  std::vector<bool> taken(rows), kept(pairs.size());
  for (const std::size_t i : order) {
    const RowPair pair = pairs[i].rows;
    if (taken[pair.first] || taken[pair.second]) continue;
    kept[i] = taken[pair.first] = taken[pair.second] = true;
  }
  std::size_t next = 0;
  std::erase_if(pairs, [&](const ScoredPair&) { return !kept[next++]; });
  return pairs;
}

namespace {

const std::vector<std::string> kColumns = {"first_id", "second_id", "score", "probability"};

}  // namespace

void check_pairs_can_be_written(const std::string& path, const io::TableWriteOptions& options) {
  io::check_table_can_be_written(path, kColumns, options);
}

std::vector<ProbablePair> most_doubtful_first(std::span<const ScoredPair> pairs,
                                              std::span<const double> probabilities) {
  std::vector<ProbablePair> sorted;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool is_known = !probabilities.empty() && !std::isnan(probabilities[i]);
    sorted.push_back({pairs[i], is_known ? probabilities[i] : probability_of(pairs[i].score)});
  }
  std::ranges::stable_sort(sorted, {}, [](const ProbablePair& p) { return std::abs(p.probability - .5); });
  return sorted;
}

void write_pairs(const std::string& path, std::span<const ProbablePair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of,
                 const io::TableWriteOptions& options) {
  const auto writer = io::make_table_writer(path, kColumns, options);
  for (const auto& [pair, probability] : pairs) {
    const std::string score_text = fmt::format("{:.3f}", pair.score),
                      probability_text = fmt::format("{:.6f}", probability);
    const std::string_view score(score_text), likely(probability_text);
    writer->add_row(std::array{id_of(pair.rows.first), id_of(pair.rows.second), score, likely},
                    std::array{std::string_view(), std::string_view(), std::isfinite(pair.score) ? score : "",
                               std::isfinite(probability) ? likely : ""});
  }
  writer->finish();
}

}  // namespace fovea::linkage
