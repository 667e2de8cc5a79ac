// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/pair_hash.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "fovea/linkage/clustering/sparse_pairs.h"
#include "fovea/linkage/components/pair_scorer.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/mcmc/subsample/exactness.h"

namespace fovea::linkage {

/// The clusters that chains begin with.
enum class ClusteringStart { kAverageLink, kSingletons, kTogether };
constexpr auto words_of(ClusteringStart) {
  using enum ClusteringStart;
  return std::array{Word{kAverageLink, "average-link"}, Word{kSingletons, "singletons"}, Word{kTogether, "together"}};
}

struct ComponentClusteringOptions : ClusteringChainOptions, CoolingOptions, mcmc::ExactnessOptions {
  ComponentClusteringOptions() { schedule = MoveSchedule::kLearned; }

  ClusteringStart start = ClusteringStart::kAverageLink;
  int sweeps = 100;
  int samples = 0;

  static void describe(auto&& visit) {
    using O = ComponentClusteringOptions;
    visit(&O::start, option("start",
                            "Start of the chains: the clusters of average link, every record alone, or all records "
                            "together."));
    visit(&O::sweeps,
          number_in(0, 1e6, "sweeps", "Number of proposals for each record on the way to the best clustering."));
    visit(&O::samples,
          number_in(0, 1e6, "samples",
                    "Number of clusterings to draw afterwards, which show how certain each cluster is; 0: none."));
    mcmc::ExactnessOptions::describe(visit);
    ClusteringChainOptions::describe(visit);
    CoolingOptions::describe(visit);
  }
};

/// Pairs whose probability is asked for, by places in a component or by groups.
using WatchedPlaces = std::vector<std::pair<RecordId, RecordId>>;

/// One component: its rows, and by their places the watched pairs in it and, if they are known, the pairs that may
/// match.
struct Component {
  std::span<const std::uint32_t> rows;
  WatchedPlaces watched;
  std::span<const RecordLink> links = {};  ///< with the score of the model, minus the least one
  std::span<const RecordLink> known = {};  ///< KnownPairs, with their evidence
};

/// Result for the rows of one component, or for its groups.
struct ComponentResult {
  std::vector<std::uint32_t> clusters;     ///< [place] its cluster, a number below the number of places
  std::vector<double> confidence = {};     ///< [place] of its cluster; empty without samples, like the next
  std::vector<double> probabilities = {};  ///< [watched pair]
  ClusteringWork work = {};
  bool is_finished = true;  ///< false if stopped on the way: the best clusters so far, without probabilities
};

/// Clusters one component. Rows that no comparison tells apart are one group; few groups are solved exactly
/// (SubsetClustering), more by a chain that is cooled (ClusteringChain). Where few of many pairs are linked, the chain
/// only scores what it asks for (SparsePairs), so that a component may have any size. With a PairScorer, the model only
/// says where the chain begins and which records it brings together; the clusters are by the scorer.
class ComponentSolver {
 public:
  /// `model`, minus `least_score`, scores pairs, or `scorer` if it is not null. All must outlive the solver.
  ComponentSolver(const MatchModel& model, double least_score, const ComponentClusteringOptions& options,
                  const PairScorer* scorer = nullptr)
      : model_(model),
        least_score_(least_score),
        options_(options),
        scorer_(scorer),
        exactness_(mcmc::Exactness::parse(options.exactness)) {}

  /// Rows of the largest component that may be a whole block.
  static constexpr std::size_t kMostWholeRows = 4000;
  /// True if components may be whole blocks, without any links: all of them are small enough to score all
  /// pairs, by sums of terms.
  static bool takes_whole_blocks(const Blocks& blocks, const MatchModel& model);

  /// True if the clusters of a component of that many rows may depend on which of its pairs are linked.
  static bool needs_links(std::size_t rows, const MatchModel& model);

  /// Only children of `random` are drawn from.
  ComponentResult solve(const Component& component, const Random& random, const Stop& stop = {}) const;

 private:
  /// Nats that are added to the scores of known pairs, by pair_key() of their groups.
  using Evidence = tsl::robin_map<std::uint64_t, double, PairHash>;
  double plain_score(RowPair pair) const;
  /// Score of two groups' rows, minus the least score.
  double score(const EqualRows& groups, const Evidence& known, RecordId m, RecordId n) const;

  ComponentResult solve_exactly(const EqualRows& groups, const Evidence& known, const WatchedPlaces& watched) const;
  ComponentResult run_dense(const EqualRows& groups, const Evidence& known, const WatchedPlaces& watched,
                            const Random& random, const Stop& stop) const;
  ComponentResult run_sparse(const EqualRows& groups, const Evidence& known, std::span<const RecordLink> links,
                             const WatchedPlaces& watched, const Random& random, const Stop& stop) const;
  /// By the scorer.
  ComponentResult run_asking(const EqualRows& groups, const Evidence& known, std::span<const RecordLink> links,
                             const WatchedPlaces& watched, const Random& random, const Stop& stop) const;
  /// Those that chains begin with, unless it is average link.
  std::vector<ClusterId> first_clusters(std::size_t records) const;
  template <class Pairs>
  ComponentResult run_chain(const Pairs& pairs, std::vector<ClusterId> start, const WatchedPlaces& watched,
                            const Random& random, const Stop& stop) const;
  /// Runs rounds of a chain from hot to cold.
  template <class Chain, class AfterRound>
  void cool(Chain& chain, std::uint64_t records, const Stop& stop, AfterRound&& after_round) const;
  template <class Pairs>
  void draw_samples(const Pairs& pairs, const WatchedPlaces& watched, const Random& random, const Stop& stop,
                    ComponentResult& result) const;

  const MatchModel& model_;
  double least_score_;
  const ComponentClusteringOptions& options_;
  const PairScorer* scorer_;
  mutable std::mutex scorer_mutex_;
  mcmc::Exactness exactness_;
};

}  // namespace fovea::linkage
