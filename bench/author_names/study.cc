// SPDX-License-Identifier: Apache-2.0
// Authors told apart by weights learned on a fifth of the blocks, scored on the rest: study TABLE [hash seed]. Prints
// one JSON line for each of the five splits.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "fovea/apps/coreference/authors_preset.h"
#include "fovea/apps/coreference/block_pairs.h"
#include "fovea/apps/coreference/learn_matching.h"
#include "fovea/base/random.h"
#include "fovea/feature/dictionary.h"
#include "fovea/io/table/read_table.h"
#include "fovea/sample/clustering/average_link.h"

namespace fovea::bench {
namespace {

constexpr std::uint64_t kSplits = 5;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The same rows in another order: files come sorted by entity.
Table shuffled(const Table& table) {
  std::vector<std::size_t> order(table.row_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = Random(1).child("order");
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.uniform_index(static_cast<std::uint32_t>(i))]);
  Table result(table.name(), table.columns());
  std::vector<std::string_view> cells(table.column_count());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table.cell(order[i], c);
    result.add_row(cells, static_cast<std::int64_t>(i + 2));
  }
  return result;
}

class Study {
 public:
  Study(const std::string& path, std::uint64_t seed)
      : table_(shuffled(read_table(path))), seed_(seed), preset_(authors_preset(table_)) {
    const double start = now();
    comparisons_ = parse_comparisons(preset_.comparisons, table_);
    key_ = parse_blocking_rules(preset_.blocking, table_);
    Dictionary keys, entities;
    std::vector<std::vector<std::uint32_t>> rows;
    for (std::uint32_t row = 0; row < table_.row_count(); ++row) {
      const std::string key = key_.front().key(table_, row);
      const std::uint32_t block = keys.add(key);
      if (block == rows.size()) {
        rows.emplace_back();
        hashes_.push_back(hash_text(key, seed_));
      }
      rows[block].push_back(row);
      entities_.push_back(entities.add(table_.cell(row, table_.column("entity"))));
    }
    blocks_ = std::move(rows);
    seconds_to_prepare_ = now() - start;
  }

  void run() const {
    std::cout << nlohmann::json{{"table", table_.name()},    {"compare", preset_.comparisons},
                                {"block", preset_.blocking}, {"rows", table_.row_count()},
                                {"blocks", blocks_.size()},  {"seconds", seconds_to_prepare_}}
              << std::endl;
    for (std::uint64_t split = 0; split < kSplits; ++split) run(split);
  }

 private:
  bool is_training(std::size_t block, std::uint64_t split) const { return hashes_[block] % kSplits == split; }

  void run(std::uint64_t split) const {
    Blocks training;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!is_training(b, split)) continue;
      training.rows.insert(training.rows.end(), blocks_[b].begin(), blocks_[b].end());
      training.begin.push_back(training.rows.size());
    }
    Random random = Random(1).child("pairs", split);
    const double start = now();
    const LearnedMatching learned = learn_matching(comparisons_, training, entities_, {}, random);
    const double learned_at = now();
    std::vector<std::uint32_t> predicted, gold;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (!is_training(b, split)) cluster(blocks_[b], learned.weights, predicted, gold);
    const BCubed score = score_clusters(predicted, gold).b_cubed;
    std::cout << nlohmann::json{{"split", split},
                                {"f1", score.f1()},
                                {"precision", score.precision},
                                {"recall", score.recall},
                                {"pairs", learned.pairs},
                                {"log_loss", learned.fit.log_loss},
                                {"threshold", learned.threshold},
                                {"training_f1", learned.training.f1()},
                                {"seconds_to_learn", learned_at - start},
                                {"seconds_to_cluster", now() - learned_at}}
              << std::endl;
  }

  void cluster(std::span<const std::uint32_t> rows, const MatchWeights& weights, std::vector<std::uint32_t>& predicted,
               std::vector<std::uint32_t>& gold) const {
    const DistinctRecords records = distinct_records(comparisons_, rows);
    const std::vector<Merge> merges = average_link(pairs_of_rows(comparisons_, weights, records.rows), records.counts);
    const std::vector<EntityId> clusters = merged_above(0, records.rows.size(), merges);
    const auto begin = static_cast<std::uint32_t>(predicted.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      predicted.push_back(begin + clusters[records.record[i]]);
      gold.push_back(entities_[rows[i]]);
    }
  }

  Table table_;
  std::uint64_t seed_;
  MatchingPreset preset_;
  std::vector<Comparison> comparisons_;
  std::vector<BlockingRule> key_;
  std::vector<std::uint32_t> entities_;             // [row]
  std::vector<std::vector<std::uint32_t>> blocks_;  // [block] its rows
  std::vector<std::uint64_t> hashes_;               // [block] of its key
  double seconds_to_prepare_ = 0;
};

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  fovea::bench::Study(argv[1], argc > 2 ? std::stoull(argv[2]) : 0).run();
}
