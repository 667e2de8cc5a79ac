// SPDX-License-Identifier: Apache-2.0
// Section 4.2 of Singh, Wick and McCallum (2012): author records are clustered from singletons, each proposal decided
// by as many factors as the arm looks at. Prints a JSON line for each arm and seed: after each of a growing number of
// sweeps (a proposal for each record that shares its block), the proposals, factors, look-ups and CPU seconds so far,
// and the B-cubed F1 of all records; and the CPU seconds that filling the tables of scores took, if it has them.
// Making and scoring clusterings is off the clock. A few blocks are done at a time, of which arms take turns within
// every seed, and draw from equal streams.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "bench/entity_resolution/row_pairs.h"
#include "bench/support/measure.h"
#include "fovea/base/random.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fovea/mcmc/subsample/tuna_rule.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Sums over records: B-cubed precision and recall of some blocks, whose entities may have records elsewhere.
class BCubedSums {
 public:
  /// clusters[m] and gold[m] of each of some records, to which no other record's cluster belongs;
  /// entity_sizes[entity].
  void add(std::span<const std::uint32_t> clusters, std::span<const std::uint32_t> gold,
           std::span<const std::uint32_t> entity_sizes) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
    for (std::size_t m = 0; m < clusters.size(); ++m) keys.emplace_back(clusters[m], gold[m]);
    std::ranges::sort(keys);
    for (auto cluster = keys.begin(), next = cluster; cluster != keys.end(); cluster = next) {
      next = std::find_if(cluster, keys.end(), [&](const auto& key) { return key.first != cluster->first; });
      for (auto shared = cluster, end = shared; shared != next; shared = end) {
        end = std::find_if(shared, next, [&](const auto& key) { return key != *shared; });
        const auto square = static_cast<double>((end - shared) * (end - shared));
        precision_ += square / static_cast<double>(next - cluster);
        recall_ += square / entity_sizes[shared->second];
      }
    }
  }

  BCubedSums& operator+=(const BCubedSums& other) {
    precision_ += other.precision_;
    recall_ += other.recall_;
    return *this;
  }

  double f1(std::size_t records) const {
    const auto count = static_cast<double>(records);
    return linkage::BCubed{precision_ / count, recall_ / count}.f1();
  }

 private:
  double precision_ = 0, recall_ = 0;
};

/// What an arm with one seed has done, and how well, after so many sweeps.
struct CurvePoint {
  std::uint64_t sweeps = 0;
  linkage::ClusteringWork work;
  double seconds = 0;
  BCubedSums scores;
};

std::vector<CurvePoint> empty_curve(std::uint64_t sweeps) {
  std::vector<CurvePoint> curve;
  for (std::uint64_t next = 1; next <= sweeps;
       next = std::max(next + 1, static_cast<std::uint64_t>(std::round(1.12 * static_cast<double>(next)))))
    curve.emplace_back().sweeps = next;
  return curve;
}

/// The clusterings of some blocks.
template <class Clustering, class Model>
class BlockChains {
 public:
  template <class... Options>
  BlockChains(std::span<const Model> models, Options... options) {
    clusterings_.reserve(models.size());
    for (const Model& model : models)
      clusterings_.emplace_back(model, linkage::Partition(model.record_count()), options...);
  }

  /// A number of proposals for each record.
  template <class Kernel>
  void run(Kernel& kernel, std::uint64_t sweeps, Random& random, linkage::ClusteringWork& work) {
    for (Clustering& clustering : clusterings_)
      for (std::uint64_t i = sweeps * clustering.partition().record_count(); i > 0; --i)
        work += kernel.step(clustering, random);
  }

  std::span<const Clustering> clusterings() const { return clusterings_; }

 private:
  std::vector<Clustering> clusterings_;
};

/// Some blocks, and what their rows are.
struct Batch {
  std::vector<std::span<const std::uint32_t>> blocks;
  std::vector<std::vector<std::uint32_t>> gold;  // [block][place]
  std::span<const std::uint32_t> entity_sizes;

  template <class Clustering>
  void score(std::span<const Clustering> clusterings, BCubedSums& scores) const {
    for (std::size_t b = 0; b < blocks.size(); ++b)
      scores.add(clusterings[b].partition().clusters(), gold[b], entity_sizes);
  }
};

/// From singletons, one arm with one seed; adds to its curve.
template <class Chains, class Proposal, class Rule>
void run_arm(const Batch& batch, Chains chains, Proposal proposal, Rule rule, double split_merge, Random random,
             std::vector<CurvePoint>& curve) {
  linkage::ClusteringKernel kernel(std::move(proposal), std::move(rule), split_merge);
  linkage::ClusteringWork work;
  double seconds = 0;
  std::uint64_t sweeps = 0;
  for (CurvePoint& point : curve) {
    const double start = cpu_seconds();
    chains.run(kernel, point.sweeps - sweeps, random, work);
    seconds += cpu_seconds() - start;
    sweeps = point.sweeps;
    point.work += work;
    point.seconds += seconds;
    batch.score(chains.clusterings(), point.scores);
  }
}

/// "exact", "bound", "tuna=1", "fraction=0.1", "width=1", "variance=1", "sequential=0.01", "planned=bounded:0.01".
/// Behind a second "=", the least number of factors drawn.
template <class Run>
void with_rule(const std::string& text, const Run& run) {
  const std::size_t equals = text.find('='), second = text.rfind('=');
  const std::string kind = text.substr(0, equals), value = equals == text.npos ? "" : text.substr(equals + 1);
  const int minimum = equals == second ? kind == "sequential" ? 16 : 10 : std::stoi(text.substr(second + 1));
  if (kind == "exact") return run(mcmc::ExactRule());
  if (kind == "bound") return run(mcmc::HardBoundRule());
  if (kind == "tuna") return run(mcmc::TunaRule(std::stod(value)));
  if (kind == "fraction") return run(mcmc::EstimateRule(mcmc::UniformFraction(std::stod(value))));
  if (kind == "width" || kind == "variance")
    return run(mcmc::EstimateRule(mcmc::ConfidenceInterval(
        {.measure = *value_of<mcmc::ConfidenceMeasure>(kind), .threshold = std::stod(value), .minimum = minimum})));
  if (kind == "sequential") return run(mcmc::SequentialRule({.error = std::stod(value), .minimum = minimum}));
  if (kind == "planned") return run(mcmc::PlannedRule(mcmc::Exactness::parse(value)));
  throw std::runtime_error(text + " is no arm");
}

struct Arm {
  std::string name, rule;
  bool has_sums = false;    // entities keep sums
  bool is_by_rows = false;  // no tables of values
  bool is_uniform = false;  // proposals are the paper's: a random entity of the block
  double split_merge = 0;

  /// RULE[+sums][+rows][+split][+uniform].
  static Arm parse(const std::string& text) {
    Arm arm{.name = text, .rule = text.substr(0, text.find('+'))};
    arm.has_sums = text.find("+sums") != text.npos;
    arm.is_by_rows = text.find("+rows") != text.npos;
    arm.is_uniform = text.find("+uniform") != text.npos;
    if (text.find("+split") != text.npos) arm.split_merge = linkage::ClusteringChainOptions().split_merge;
    return arm;
  }
};

class Study {
 public:
  Study(const std::string& table_path, const std::string& model_path, const std::string& gold_column)
      : table_(io::read_table(table_path)),
        description_(linkage::read_match_model(model_path)),
        matching_(table_,
                  {.compare = description_.compare(), .block = description_.block(), .max_block = 1'000'000'000}),
        gold_(linkage::number_labels(table_, table_.column(gold_column))),
        blocks_(matching_.candidates().blocks(0)),
        model_(matching_.comparisons(), description_.parameters) {
    for (const double share : description_.parameters.equal_share) FOVEA_CHECK(share == 0);
    for (const std::uint32_t entity : gold_) {
      if (entity >= entity_sizes_.size()) entity_sizes_.resize(entity + 1);
      ++entity_sizes_[entity];
    }
    // Rows may be in the order of their entities.
    Random random = Random(1).child("order");
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      shuffle(std::span(blocks_.rows).subspan(blocks_.begin[b], blocks_[b].size()), random);
  }

  void run(std::span<const Arm> arms, std::uint64_t sweeps, std::uint64_t first_seed, std::uint64_t seeds) {
    curves_.assign(arms.size() * seeds, empty_curve(sweeps));
    for (std::size_t b = 0; b < blocks_.size();) {
      const Batch batch = next_batch(b);
      const std::vector<linkage::AttributePairs> by_values = fill_tables(batch, arms);
      for (std::uint64_t s = 0; s < seeds; ++s)
        for (std::size_t a = 0; a < arms.size(); ++a)
          run_arm(batch, by_values, arms[a], Random(first_seed + s).child("chain", b), curves_[s * arms.size() + a]);
    }
    for (std::uint64_t s = 0; s < seeds; ++s)
      for (std::size_t a = 0; a < arms.size(); ++a)
        std::cout << record(arms[a], first_seed + s, curves_[s * arms.size() + a]).dump() << std::endl;
  }

 private:
  static constexpr std::size_t kRowsAtATime = 4096;

  /// Blocks from b on, which goes behind them.
  Batch next_batch(std::size_t& b) const {
    Batch batch;
    batch.entity_sizes = entity_sizes_;
    for (std::size_t rows = 0; b < blocks_.size() && rows < kRowsAtATime; ++b) {
      batch.blocks.push_back(blocks_[b]);
      std::vector<std::uint32_t>& gold = batch.gold.emplace_back();
      for (const std::uint32_t row : blocks_[b]) gold.push_back(gold_[row]);
      rows += blocks_[b].size();
    }
    return batch;
  }

  std::vector<linkage::AttributePairs> fill_tables(const Batch& batch, std::span<const Arm> arms) {
    std::vector<linkage::AttributePairs> by_values;
    if (std::ranges::all_of(arms, &Arm::is_by_rows)) return by_values;
    const double start = cpu_seconds();
    for (const std::span<const std::uint32_t> block : batch.blocks) by_values.push_back(model_.pairs_of(block));
    table_seconds_ += cpu_seconds() - start;
    return by_values;
  }

  void run_arm(const Batch& batch, std::span<const linkage::AttributePairs> by_values, const Arm& arm,
               const Random& random, std::vector<CurvePoint>& curve) const {
    with_rule(arm.rule, [&](auto rule) {
      if (arm.is_by_rows) {
        const double bound = score_bound(description_.parameters.weights);
        std::vector<RowPairs> by_rows;
        for (const std::span<const std::uint32_t> block : batch.blocks) by_rows.emplace_back(model_, block, bound);
        using Chains = BlockChains<linkage::PairClustering<RowPairs>, RowPairs>;
        with_proposal(batch, Chains(by_rows), rule, arm, random, curve);
      } else {
        using Chains = BlockChains<linkage::GroupedClustering, linkage::AttributePairs>;
        const auto keep =
            arm.has_sums ? linkage::ClusterSums::Keep::kWhereWorthwhile : linkage::ClusterSums::Keep::kNone;
        with_proposal(batch, Chains(by_values, keep), rule, arm, random, curve);
      }
    });
  }

  template <class Chains, class Rule>
  static void with_proposal(const Batch& batch, Chains chains, Rule rule, const Arm& arm, const Random& random,
                            std::vector<CurvePoint>& curve) {
    const linkage::CompanionProposal companion(linkage::ClusteringChainOptions().alone);
    if (arm.is_uniform)
      bench::run_arm(batch, std::move(chains), linkage::UniformProposal(), rule, arm.split_merge, random, curve);
    else bench::run_arm(batch, std::move(chains), companion, rule, arm.split_merge, random, curve);
  }

  /// Rows in no block are clusters of one.
  Json record(const Arm& arm, std::uint64_t seed, std::vector<CurvePoint> curve) const {
    Json json = {{"arm", arm.name}, {"seed", seed}};
    if (!arm.is_by_rows) json["table_seconds"] = table_seconds_;
    std::vector<bool> is_blocked(gold_.size());
    for (const std::uint32_t row : blocks_.rows) is_blocked[row] = true;
    BCubedSums alone;
    for (std::uint32_t row = 0; row < gold_.size(); ++row)
      if (!is_blocked[row]) alone.add(std::span(&row, 1), std::span(&gold_[row], 1), entity_sizes_);
    for (CurvePoint& point : curve) {
      point.scores += alone;
      json["sweeps"].push_back(point.sweeps);
      json["proposals"].push_back(point.work.proposals);
      json["factors"].push_back(point.work.factors);
      json["lookups"].push_back(point.work.lookups);
      json["seconds"].push_back(point.seconds);
      json["f1"].push_back(point.scores.f1(gold_.size()));
    }
    return json;
  }

  io::Table table_;
  linkage::MatchModelDescription description_;
  linkage::RecordMatching matching_;
  std::vector<std::uint32_t> gold_, entity_sizes_;
  linkage::Blocks blocks_;
  linkage::MatchModel model_;
  std::vector<std::vector<CurvePoint>> curves_;  // [seed][arm]
  double table_seconds_ = 0;
};

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (argc < 8) {
    std::cerr << "usage: entity_resolution_study TABLE MODEL GOLD_COLUMN SWEEPS FIRST_SEED SEEDS ARM...\n";
    return 2;
  }
  std::vector<fovea::bench::Arm> arms;
  for (int arm = 7; arm < argc; ++arm) arms.push_back(fovea::bench::Arm::parse(argv[arm]));
  fovea::bench::Study(argv[1], argv[2], argv[3])
      .run(arms, std::stoull(argv[4]), std::stoull(argv[5]), std::stoull(argv[6]));
}
