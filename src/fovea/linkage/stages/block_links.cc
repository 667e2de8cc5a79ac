// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/block_links.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/matching/candidate_scoring.h"

namespace fovea::linkage {
namespace {

/// The records of a window, each once, and its blocks.
struct DistinctRecords {
  io::Table records;
  std::vector<std::uint32_t> numbers;  // [row] in the whole table
  Blocks blocks;
};

/// A record that is in several blocks becomes one row.
DistinctRecords distinct_records(const GroupWindow& window) {
  DistinctRecords found{.records = io::Table(window.records.name(), window.records.columns(), io::RowNumbers::kRows),
                        .numbers = {},
                        .blocks = window.blocks()};
  const std::vector<std::uint32_t> numbers = number_column(window.records, StageColumns::kRow);
  tsl::robin_map<std::uint32_t, std::uint32_t> row_of;
  std::vector<std::string_view> cells(window.records.column_count());
  std::vector<std::uint32_t> rows;  // [row of the window]
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const auto [place, is_new] = row_of.try_emplace(numbers[row], static_cast<std::uint32_t>(found.numbers.size()));
    rows.push_back(place->second);
    if (!is_new) continue;
    for (std::size_t column = 0; column < cells.size(); ++column) cells[column] = window.records.cell(row, column);
    found.records.add_row(cells, static_cast<std::int64_t>(found.numbers.size()) + 1);
    found.numbers.push_back(numbers[row]);
  }
  for (std::uint32_t& row : found.blocks.rows) row = rows[row];
  for (std::size_t block = 0; block < found.blocks.size(); ++block)
    std::sort(found.blocks.rows.begin() + static_cast<std::ptrdiff_t>(found.blocks.begin[block]),
              found.blocks.rows.begin() + static_cast<std::ptrdiff_t>(found.blocks.begin[block + 1]));
  return found;
}

bool has_repeated(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  return std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
}

/// A tile of two parts has the pairs across these.
PairScope scope_of(const io::Table& records) {
  const std::vector<std::uint32_t> sides = number_column(records, StageColumns::kSide);
  const auto second = static_cast<std::uint32_t>(std::ranges::find(sides, 1U) - sides.begin());
  if (second == 0 || second == sides.size()) return {};
  return {PairScope::Kind::kAcross, {second}};
}

}  // namespace

std::vector<RecordPair> BlockLinks::add(const io::Table& records, const Run& run) {
  std::vector<RecordPair> found;
  gatherer_.add(records, [&](GroupWindow&& window) { search(window, run, found); });
  return found;
}

std::vector<RecordPair> BlockLinks::finish(const Run& run) {
  std::vector<RecordPair> found;
  gatherer_.finish([&](GroupWindow&& window) { search(window, run, found); });
  return found;
}

void BlockLinks::search(const GroupWindow& window, const Run& run, std::vector<RecordPair>& found) const {
  std::vector<std::uint32_t> numbers = number_column(window.records, StageColumns::kRow);
  Blocks blocks = window.blocks();
  const io::Table* records = &window.records;
  std::optional<DistinctRecords> distinct;
  if (has_repeated(numbers)) {
    distinct = distinct_records(window);
    records = &distinct->records;
    numbers = std::move(distinct->numbers);
    blocks = std::move(distinct->blocks);
  }
  if (blocks.size() == 0) return;
  const std::vector<Comparison> comparisons =
      parse_comparisons(plan_.compare, *records, plan_.statistics.get(), run.threads);
  const MatchModel model(comparisons, plan_.parameters);
  const CandidatePairs candidates(records->row_count(), {std::move(blocks)}, scope_of(*records));
  for (const ScoredPair& pair : score_candidates(model, candidates, floor_, run).pairs) {
    const auto [first, second] = std::minmax(numbers[pair.rows.first], numbers[pair.rows.second]);
    found.push_back({first, second, pair.score});
  }
  if (run.is_cancelled()) throw CancelledError("interrupted while pairs of records were scored");
}

}  // namespace fovea::linkage
