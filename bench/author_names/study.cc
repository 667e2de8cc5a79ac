// SPDX-License-Identifier: Apache-2.0
// Authors told apart by weights learned on a fifth of the blocks, scored on the rest: study TABLE [hash seed]. Prints
// one JSON line for each of the five splits.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/random.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/components/pair_calibration.h"
#include "fovea/linkage/matching/authors_preset.h"
#include "fovea/linkage/matching/learn_matching.h"

namespace fovea::bench {
namespace {

constexpr std::uint64_t kSplits = 5;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The same rows in another order: files come sorted by entity.
io::Table shuffled(const io::Table& table) {
  std::vector<std::size_t> order(table.row_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = Random(1).child("order");
  shuffle(std::span(order), random);
  io::Table result(table.name(), table.columns());
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
      : table_(shuffled(io::read_table(path))), seed_(seed), preset_(linkage::authors_preset(table_)) {
    const double start = now();
    comparisons_ = linkage::parse_comparisons(preset_.comparisons, table_);
    key_ = linkage::parse_blocking_rules(preset_.blocking, table_);
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
    linkage::Blocks training, rest;
    std::vector<std::uint32_t> gold = entities_;  // of the rest
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      linkage::Blocks& blocks = is_training(b, split) ? training : rest;
      blocks.rows.insert(blocks.rows.end(), blocks_[b].begin(), blocks_[b].end());
      blocks.begin.push_back(blocks.rows.size());
    }
    for (const std::uint32_t row : training.rows) gold[row] = linkage::kUnlabelled;
    Random random = Random(1).child("pairs", split);
    double start = now();
    const linkage::LearnedMatching learned = linkage::learn_matching(comparisons_, training, entities_, {}, random);
    std::cout << nlohmann::json{{"split", split},
                                {"pairs", learned.pairs},
                                {"log_loss", learned.fit.log_loss},
                                {"threshold", learned.threshold},
                                {"training_f1", learned.training.f1()},
                                {"seconds", now() - start}}
              << std::endl;
    const linkage::MatchModel model(comparisons_, {.weights = learned.weights});
    for (const int sweeps : {0, 100}) {
      for (const auto from : {linkage::ClusteringStart::kAverageLink, linkage::ClusteringStart::kSingletons}) {
        if (sweeps == 0 && from == linkage::ClusteringStart::kSingletons) continue;
        linkage::ComponentClusteringOptions options;
        options.start = from;
        options.sweeps = sweeps;
        start = now();
        const linkage::RecordClusters found =
            linkage::cluster_components({model, 0, rest, table_.row_count()}, options, {.random = Random(split)});
        const double seconds = now() - start;
        const linkage::BCubed score = linkage::score_clusters(found.clusters, gold).b_cubed;
        std::cout << nlohmann::json{{"split", split},    {"start", word_of(from)}, {"sweeps", sweeps},
                                    {"f1", score.f1()},  {"recall", score.recall}, {"precision", score.precision},
                                    {"seconds", seconds}}
                  << std::endl;
      }
    }
    tell_calibration(model, rest, split);
    start = now();
    const linkage::MonotoneMap calibration = linkage::learn_pair_calibration(
        {comparisons_, training, entities_}, {.random = Random(1).child("calibration", split)});
    std::cout << nlohmann::json{{"split", split},
                                {"calibration_knots", calibration.knots.size()},
                                {"seconds", now() - start}}
              << std::endl;
    tell_calibration(linkage::MatchModel(comparisons_, {.weights = learned.weights, .calibration = calibration}), rest,
                     split);
  }

  /// How true the posterior probabilities of pairs of one block are, all such pairs being as likely.
  void tell_calibration(const linkage::MatchModel& model, const linkage::Blocks& rest, std::uint64_t split) const {
    constexpr int kPairs = 100000, kBins = 10;
    std::vector<double> pair_counts;
    for (std::size_t b = 0; b < rest.size(); ++b)
      pair_counts.push_back(.5 * static_cast<double>(rest[b].size()) * static_cast<double>(rest[b].size() - 1));
    std::vector<double> cumulative(pair_counts.size());
    std::partial_sum(pair_counts.begin(), pair_counts.end(), cumulative.begin());
    Random random = Random(2).child("watched", split);
    linkage::ComponentTask task{model, 0, rest, table_.row_count()};
    for (int i = 0; i < kPairs; ++i) {
      const double at = std::exp(-random.exponential()) * cumulative.back();
      const auto block = static_cast<std::size_t>(std::ranges::upper_bound(cumulative, at) - cumulative.begin());
      const auto rows = rest[std::min(block, rest.size() - 1)];
      const auto n = static_cast<std::uint32_t>(rows.size());
      const std::uint32_t first = random.uniform_index(n), second = (first + 1 + random.uniform_index(n - 1)) % n;
      task.watched.push_back({std::min(rows[first], rows[second]), std::max(rows[first], rows[second])});
    }
    linkage::ComponentClusteringOptions options;
    options.sweeps = 0;
    options.samples = 50;
    const linkage::RecordClusters found = linkage::cluster_components(task, options, {.random = Random(split)});
    std::array<double, kBins> count = {}, probability = {}, together = {};
    for (std::size_t i = 0; i < task.watched.size(); ++i) {
      const double p = found.probabilities[i];
      const auto bin = static_cast<std::size_t>(std::min(p * kBins, kBins - 1.));
      ++count[bin];
      probability[bin] += p;
      together[bin] += entities_[task.watched[i].first] == entities_[task.watched[i].second];
    }
    double error = 0;
    for (int bin = 0; bin < kBins; ++bin) error += std::abs(probability[bin] - together[bin]) / kPairs;
    std::cout << nlohmann::json{{"split", split},
                                {"is_calibrated", !model.parameters().calibration.knots.empty()},
                                {"calibration_error", error},
                                {"count", count},
                                {"p", probability},
                                {"true", together}}
              << std::endl;
  }

  io::Table table_;
  std::uint64_t seed_;
  linkage::MatchingPreset preset_;
  std::vector<linkage::Comparison> comparisons_;
  std::vector<linkage::BlockingRule> key_;
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
