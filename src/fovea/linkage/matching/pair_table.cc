// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/pair_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fovea::linkage {
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
