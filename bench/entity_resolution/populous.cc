// SPDX-License-Identifier: Apache-2.0
// Proposals a second among populous entities: the largest ones of a table, where they truly are, so that nearly every
// proposal is refused. Prints a JSON line for each arm and round: proposals, factors, look-ups and CPU seconds. Arms
// take turns within every round.
#include <cmath>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/entity_resolution/row_pairs.h"
#include "bench/support/measure.h"
#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::bench {
namespace {

/// The rows of the largest entities, entity by entity.
struct LargestEntities {
  std::vector<std::uint32_t> rows;
  std::vector<linkage::ClusterId> entities;  // [place among rows]

  LargestEntities(std::span<const std::uint32_t> gold, std::size_t count) {
    std::vector<std::vector<std::uint32_t>> rows_of;
    for (std::uint32_t row = 0; row < gold.size(); ++row) {
      if (gold[row] == linkage::kUnlabelled) continue;
      if (gold[row] >= rows_of.size()) rows_of.resize(gold[row] + 1);
      rows_of[gold[row]].push_back(row);
    }
    std::ranges::stable_sort(rows_of, std::greater(), &std::vector<std::uint32_t>::size);
    rows_of.resize(std::min(count, rows_of.size()));
    for (linkage::ClusterId e = 0; e < rows_of.size(); ++e) {
      rows.insert(rows.end(), rows_of[e].begin(), rows_of[e].end());
      entities.resize(rows.size(), e);
    }
  }
};

template <class Clustering, class Rule>
void run_arm(const std::string& arm, Clustering clustering, Rule rule, std::uint64_t round, double seconds) {
  const linkage::CompanionProposal proposal(linkage::ClusteringChainOptions().alone);
  Random random = Random(round).child("proposals");
  linkage::ClusteringWork work;
  const double start = cpu_seconds();
  double spent = 0;
  for (std::uint64_t block = 16; spent < seconds; spent = cpu_seconds() - start, block *= 2)
    for (std::uint64_t i = 0; i < block; ++i) work += linkage::move_record(clustering, proposal, rule, random);
  std::cout << nlohmann::ordered_json({{"arm", arm},
                                       {"round", round},
                                       {"mentions", clustering.partition().record_count()},
                                       {"proposals", work.proposals},
                                       {"factors", work.factors},
                                       {"lookups", work.lookups},
                                       {"seconds", spent}})
                   .dump()
            << std::endl;
}

/// That two clusterings in one state find the same scores for the same proposals, up to the rounding of tables.
template <class Clustering, class Other>
void check_equal_sums(const Clustering& clustering, const Other& other) {
  const linkage::CompanionProposal proposal(linkage::ClusteringChainOptions().alone);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const linkage::RecordId m = random.uniform_index(static_cast<std::uint32_t>(clustering.partition().record_count()));
    const auto move = proposal.propose(clustering.partition(), m, random);
    if (!move) continue;
    const double sum = mcmc::total_difference(clustering.change(m, move->to));
    FOVEA_CHECK(std::abs(sum - mcmc::total_difference(other.change(m, move->to))) < 1e-5 * (1 + std::abs(sum)));
    if constexpr (mcmc::GroupedChange<decltype(other.change(m, move->to))>)
      FOVEA_CHECK(std::abs(sum - other.change(m, move->to).grouped().sum) < 1e-5 * (1 + std::abs(sum)));
  }
}

void run(const linkage::MatchModel& model, const LargestEntities& largest, std::uint64_t rounds, double seconds) {
  const RowPairs by_rows(model, largest.rows, score_bound(model.parameters().weights));
  const linkage::AttributePairs by_values = model.pairs_of(largest.rows);
  const linkage::Partition truth(largest.entities);
  check_equal_sums(linkage::PairClustering(by_rows, truth), linkage::GroupedClustering(by_values, truth));
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    const auto with = [&](const std::string& arm, const auto& clustering, auto rule) {
      run_arm(arm, clustering, std::move(rule), round, seconds);
    };
    const linkage::PairClustering rows(by_rows, truth);
    const linkage::PairClustering values(by_values, truth);
    const linkage::GroupedClustering sums(by_values, truth);
    const mcmc::EstimateRule estimate(mcmc::ConfidenceInterval({.threshold = 1}));
    with("rows, all factors", rows, mcmc::ExactRule());
    with("rows, estimate", rows, estimate);
    with("rows, bounded", rows, mcmc::PlannedRule(mcmc::Exactness::parse("bounded:0.05")));
    with("tables, all factors", values, mcmc::ExactRule());
    with("tables, estimate", values, estimate);
    with("tables, bounded", values, mcmc::PlannedRule(mcmc::Exactness::parse("bounded:0.05")));
    with("sums, exact", sums, mcmc::PlannedRule(mcmc::Exactness{}));
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 6,
                                   "entity_resolution_populous TABLE MODEL GOLD_COLUMN ENTITIES ROUNDS SECONDS"))
    return 2;
  using namespace fovea;
  const io::Table table = io::read_table(argv[1]);
  const linkage::MatchModelDescription description = linkage::read_match_model(argv[2]);
  const linkage::RecordMatching matching(
      table, {.compare = description.compare(), .block = description.block(), .max_block = 1'000'000'000});
  const linkage::MatchModel model(matching.comparisons(), description.parameters);
  const bench::LargestEntities largest(linkage::number_labels(table, table.column(argv[3])), std::stoull(argv[4]));
  bench::run(model, largest, std::stoull(argv[5]), std::stod(argv[6]));
}
