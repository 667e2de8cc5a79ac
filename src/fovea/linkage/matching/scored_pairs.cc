// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/scored_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

namespace {

std::vector<std::string> columns_of_pairs(bool with_tables) {
  if (with_tables) return {"first_table", "first_id", "second_table", "second_id", "score", "probability"};
  return {"first_id", "second_id", "score", "probability"};
}

}  // namespace

void check_pairs_can_be_written(const std::string& path, const io::TableWriteOptions& options, bool with_tables) {
  io::check_table_can_be_written(path, columns_of_pairs(with_tables), options);
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
                 const std::function<std::string_view(std::uint32_t row)>& id_of, const io::TableWriteOptions& options,
                 const std::function<std::size_t(std::uint32_t row)>& table_of) {
  const auto writer = io::make_table_writer(path, columns_of_pairs(table_of != nullptr), options);
  std::vector<std::string_view> cells, json;
  for (const auto& [pair, probability] : pairs) {
    std::array<std::string, 2> tables;
    const std::string score = fmt::format("{:.3f}", pair.score), likely = fmt::format("{:.6f}", probability);
    cells.clear();
    json.clear();
    for (const std::size_t i : {0, 1}) {
      const std::uint32_t row = i == 0 ? pair.rows.first : pair.rows.second;
      if (table_of) {
        tables[i] = std::to_string(table_of(row));
        cells.push_back(tables[i]);
        json.push_back(tables[i]);
      }
      cells.push_back(id_of(row));
      json.emplace_back();
    }
    cells.insert(cells.end(), {score, likely});
    json.push_back(std::isfinite(pair.score) ? std::string_view(score) : "");
    json.push_back(std::isfinite(probability) ? std::string_view(likely) : "");
    writer->add_row(cells, json);
  }
  writer->finish();
}

}  // namespace fovea::linkage
