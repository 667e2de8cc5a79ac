// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/block_pairs.h"

#include <tsl/robin_map.h>

#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/feature/dictionary.h"

namespace fovea {
namespace {

/// The distinct values of some rows, renumbered 0, 1, ... in the order of their first rows.
struct LocalValues {
  std::vector<std::uint32_t> of_row;
  std::vector<std::uint32_t> values;
};

LocalValues renumber(const Comparison& comparison, std::span<const std::uint32_t> rows) {
  LocalValues local;
  tsl::robin_map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t row : rows) {
    const auto [at, is_new] =
        numbers.try_emplace(comparison.value(row), static_cast<std::uint32_t>(local.values.size()));
    if (is_new) local.values.push_back(at->first);
    local.of_row.push_back(at->second);
  }
  return local;
}

/// A symmetric matrix.
class ScoreMatrix {
 public:
  ScoreMatrix(std::size_t size, double score) : size_(size), scores_(size * size, static_cast<float>(score)) {}
  void set(std::size_t i, std::size_t j, double score) {
    scores_[i * size_ + j] = scores_[j * size_ + i] = static_cast<float>(score);
  }
  std::vector<float> take() { return std::move(scores_); }

 private:
  std::size_t size_;
  std::vector<float> scores_;
};

}  // namespace

DistinctRecords distinct_records(std::span<const Comparison> comparisons, std::span<const std::uint32_t> rows) {
  DistinctRecords distinct;
  Dictionary records;
  std::vector<std::uint32_t> values(comparisons.size());
  for (const std::uint32_t row : rows) {
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = comparisons[c].value(row);
    const auto bytes = std::as_bytes(std::span(values));
    const std::uint32_t record = records.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (record == distinct.rows.size()) {
      distinct.rows.push_back(row);
      distinct.counts.push_back(0);
    }
    ++distinct.counts[record];
    distinct.record.push_back(record);
  }
  return distinct;
}

std::vector<float> value_scores(const Comparison& comparison, std::span<const double> weights,
                                std::span<const std::uint32_t> values) {
  FOVEA_CHECK(weights.size() == comparison.levels().size());
  std::vector<std::uint32_t> present, places;
  for (std::uint32_t place = 0; place < values.size(); ++place) {
    if (values[place] == kNoId) continue;
    present.push_back(values[place]);
    places.push_back(place);
  }
  const auto score = [&](std::size_t i, std::size_t j) {
    return weights[comparison.compare_values(values[i], values[j])];
  };
  const std::optional<SparseLevels> levels = comparison.compare_all(present);
  ScoreMatrix scores(values.size(), levels ? weights[levels->common] : 0);
  if (levels)
    for (const auto& [first, second, level] : levels->others) scores.set(places[first], places[second], weights[level]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    scores.set(i, i, score(i, i));
    if (levels && values[i] != kNoId) continue;
    for (std::size_t j = 0; j < values.size(); ++j) scores.set(i, j, score(i, j));
  }
  return scores.take();
}

AttributePairs pairs_of_rows(std::span<const Comparison> comparisons, const MatchWeights& weights,
                             std::span<const std::uint32_t> rows) {
  AttributePairs pairs(rows.size(), weights.prior_log_odds);
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    LocalValues local = renumber(comparisons[c], rows);
    const std::size_t count = local.values.size();
    pairs.add_attribute(std::move(local.of_row), count, value_scores(comparisons[c], weights.weights[c], local.values));
  }
  return pairs;
}

}  // namespace fovea
