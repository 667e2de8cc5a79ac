// SPDX-License-Identifier: Apache-2.0
// Section 4.2 of Singh, Wick and McCallum (2012): author mentions are clustered from singletons, each proposal decided
// by as many factors as the arm looks at. Prints a JSON line for each arm and seed: after each of a growing number of
// sweeps (a proposal for each mention that shares its block), the proposals, factors, look-ups and CPU seconds so far,
// and the B-cubed F1 of all mentions. Making and scoring clusterings is off the clock. Arms take turns within every
// seed, and draw from equal streams.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "fovea/apps/coreference/cluster_file.h"
#include "fovea/apps/coreference/cluster_metrics.h"
#include "fovea/apps/coreference/match_model_file.h"
#include "fovea/apps/coreference/record_matching.h"
#include "fovea/base/shuffle.h"
#include "fovea/io/table/read_table.h"
#include "fovea/sample/clustering/clustering_chain.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The rows of one block as a PairModel: every pair score compares the values of two rows anew, as the paper's factors
/// do.
class RowPairs {
 public:
  /// No |score| of the model is above `bound`.
  RowPairs(const MatchModel& model, std::span<const std::uint32_t> rows, double bound)
      : model_(&model), rows_(rows), bound_(bound) {}
  double pair_score(MentionId m, MentionId n) const { return model_->score({rows_[m], rows_[n]}); }
  double score_bound(MentionId) const { return bound_; }

 private:
  const MatchModel* model_;
  std::span<const std::uint32_t> rows_;
  double bound_;
};

/// Of a model that does not adjust for the frequencies of values.
double score_bound(const MatchWeights& weights) {
  double lowest = weights.prior_log_odds, highest = weights.prior_log_odds;
  for (const std::vector<double>& levels : weights.weights) {
    lowest += std::ranges::min(levels);
    highest += std::ranges::max(levels);
  }
  return std::max(std::abs(lowest), std::abs(highest));
}

/// What all arms share.
struct Problem {
  const Blocks& blocks;
  std::span<const std::uint32_t> gold;  // [row]
  double sweeps;
  double target;  // F1 at which a run ends
};

/// The clusterings of all blocks, and how they are scored.
template <class Clustering, class Model>
class BlockChains {
 public:
  template <class... Options>
  BlockChains(const Problem& problem, std::span<const Model> models, Options... options) : problem_(problem) {
    clusterings_.reserve(models.size());
    for (std::size_t b = 0; b < models.size(); ++b)
      clusterings_.emplace_back(models[b], Partition(problem.blocks[b].size()), options...);
  }

  /// A number of proposals for each mention.
  template <class Kernel>
  void run(Kernel& kernel, std::uint64_t sweeps, Random& random, ClusteringWork& work) {
    for (Clustering& clustering : clusterings_)
      for (std::uint64_t i = sweeps * clustering.partition().mention_count(); i > 0; --i)
        work += kernel.step(clustering, random);
  }

  double f1() const {
    std::vector<std::uint32_t> clusters(problem_.gold.size());
    for (std::uint32_t row = 0; row < clusters.size(); ++row) clusters[row] = row;
    for (std::size_t b = 0; b < clusterings_.size(); ++b) {
      const std::span<const std::uint32_t> rows = problem_.blocks[b];
      for (MentionId m = 0; m < rows.size(); ++m) clusters[rows[m]] = rows[clusterings_[b].partition().entity(m)];
    }
    return score_clusters(clusters, problem_.gold).b_cubed.f1();
  }

 private:
  const Problem& problem_;
  std::vector<Clustering> clusterings_;
};

/// From singletons, one arm with one seed.
template <class Chains, class Rule>
Json run_arm(const Problem& problem, Chains chains, Rule rule, double split_merge, Random random) {
  ClusteringKernel kernel(CompanionProposal(ClusteringChainOptions().alone), std::move(rule), split_merge);
  ClusteringWork work;
  double seconds = 0, f1 = chains.f1();
  Json curve = {{"sweeps", Json::array()},  {"proposals", Json::array()}, {"factors", Json::array()},
                {"lookups", Json::array()}, {"seconds", Json::array()},   {"f1", Json::array()}};
  for (double sweeps = 0; sweeps < problem.sweeps && f1 < problem.target;) {
    const double next = std::min(problem.sweeps, std::max(sweeps + 1, std::round(1.12 * sweeps)));
    const double start = cpu_seconds();
    chains.run(kernel, static_cast<std::uint64_t>(next - sweeps), random, work);
    seconds += cpu_seconds() - start;
    sweeps = next;
    f1 = chains.f1();
    curve["sweeps"].push_back(sweeps);
    curve["proposals"].push_back(work.proposals);
    curve["factors"].push_back(work.factors);
    curve["lookups"].push_back(work.lookups);
    curve["seconds"].push_back(seconds);
    curve["f1"].push_back(f1);
  }
  return curve;
}

/// "exact", "bound", "fraction=0.1", "width=1", "variance=1", "sequential=0.01", "planned=bounded:0.01". Behind a
/// second
/// "=", the least number of factors drawn.
template <class Run>
Json with_rule(const std::string& text, const Run& run) {
  const std::size_t equals = text.find('='), second = text.rfind('=');
  const std::string kind = text.substr(0, equals), value = equals == text.npos ? "" : text.substr(equals + 1);
  const int minimum = equals == second ? kind == "sequential" ? 16 : 10 : std::stoi(text.substr(second + 1));
  if (kind == "exact") return run(ExactRule());
  if (kind == "bound") return run(HardBoundRule());
  if (kind == "fraction") return run(EstimateRule(UniformFraction(std::stod(value))));
  if (kind == "width" || kind == "variance")
    return run(EstimateRule(ConfidenceInterval({.measure = kind, .threshold = std::stod(value), .minimum = minimum})));
  if (kind == "sequential") return run(SequentialRule({.error = std::stod(value), .minimum = minimum}));
  if (kind == "planned") return run(PlannedRule(Exactness::parse(value)));
  throw std::runtime_error(text + " is no arm");
}

struct Arm {
  std::string rule;
  bool has_sums = false;    // entities keep sums
  bool is_by_rows = false;  // no tables of values
  double split_merge = 0;

  /// RULE[+sums][+rows][+split].
  static Arm parse(const std::string& text) {
    Arm arm{.rule = text.substr(0, text.find('+'))};
    arm.has_sums = text.find("+sums") != text.npos;
    arm.is_by_rows = text.find("+rows") != text.npos;
    if (text.find("+split") != text.npos) arm.split_merge = ClusteringChainOptions().split_merge;
    return arm;
  }
};

class Study {
 public:
  Study(const std::string& table_path, const std::string& model_path, const std::string& gold_column)
      : table_(read_table(table_path)),
        description_(read_match_model(model_path)),
        matching_(table_,
                  {.compare = description_.compare(), .block = description_.block(), .max_block = 1'000'000'000}),
        gold_(number_labels(table_, table_.column(gold_column))),
        blocks_(matching_.candidates().blocks(0)),
        model_(matching_.comparisons(), description_.parameters) {
    for (const double share : description_.parameters.equal_share) FOVEA_CHECK(share == 0);
    // Rows may be in the order of their entities.
    Random random = Random(1).child("order");
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      shuffle(std::span(blocks_.rows).subspan(blocks_.begin[b], blocks_[b].size()), random);
    const double bound = score_bound(description_.parameters.weights);
    for (std::size_t b = 0; b < blocks_.size(); ++b) by_rows_.emplace_back(model_, blocks_[b], bound);
  }

  void run(const std::string& name, double sweeps, double target, std::uint64_t seed) {
    const Arm arm = Arm::parse(name);
    const Problem problem{blocks_, gold_, sweeps, target};
    const Random random = Random(seed).child("chain");
    Json record = {{"arm", name}, {"seed", seed}};
    if (!arm.is_by_rows && by_values_.empty())
      for (std::size_t b = 0; b < blocks_.size(); ++b) by_values_.push_back(model_.pairs_of(blocks_[b]));
    record.update(with_rule(arm.rule, [&](auto rule) {
      if (arm.is_by_rows) {
        using Chains = BlockChains<PairClustering<RowPairs>, RowPairs>;
        return run_arm(problem, Chains(problem, std::span<const RowPairs>(by_rows_)), rule, arm.split_merge, random);
      }
      using Chains = BlockChains<GroupedClustering, AttributePairs>;
      const auto keep = arm.has_sums ? EntitySums::Keep::kWhereWorthwhile : EntitySums::Keep::kNone;
      return run_arm(problem, Chains(problem, std::span<const AttributePairs>(by_values_), keep), rule, arm.split_merge,
                     random);
    }));
    std::cout << record.dump() << std::endl;
  }

 private:
  Table table_;
  MatchModelDescription description_;
  RecordMatching matching_;
  std::vector<std::uint32_t> gold_;
  Blocks blocks_;
  MatchModel model_;
  std::vector<RowPairs> by_rows_;
  std::vector<AttributePairs> by_values_;
};

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (argc < 9) {
    std::cerr << "usage: entity_resolution_study TABLE MODEL GOLD_COLUMN SWEEPS TARGET FIRST_SEED SEEDS ARM...\n";
    return 2;
  }
  fovea::bench::Study study(argv[1], argv[2], argv[3]);
  const std::uint64_t first = std::stoull(argv[6]), seeds = std::stoull(argv[7]);
  for (std::uint64_t seed = first; seed < first + seeds; ++seed)
    for (int arm = 8; arm < argc; ++arm) study.run(argv[arm], std::stod(argv[4]), std::stod(argv[5]), seed);
}
