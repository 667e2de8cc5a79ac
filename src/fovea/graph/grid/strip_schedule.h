// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/grid/checkerboard_kernel.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/grid/strip_table.h"

namespace fovea::graph {

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): the temperature falls geometrically, one step per round;
/// rounds of best visits (GridVisit::kBest), the descents, end it.
struct AnnealingPlan {
  double hottest = 0.7, coldest = 0.05;  ///< > 0; scores are divided by them
  std::uint32_t rounds = 1000;           ///< >= 1
  std::uint32_t descents = 2;

  /// Temperature of a round < rounds.
  double temperature(std::uint32_t round) const;
};

/// Anneals all sites in every round. Ends early when `stop` is requested, but still makes the descents.
Work anneal(CheckerboardSampler& sampler, const AnnealingPlan& plan, const Stop& stop = {}, int threads = 1);

/// Anneals a grid where it pays: a round visits the listed strips that are worth a visit according to the table. A
/// strip leaves the list when it is not worth a visit now or later, and returns when a neighbouring site changes. At
/// low temperatures, where nearly all sites have settled, few strips are listed, which saves time.
///
/// All random numbers come from one stream per lane, in the order of visits. Use by one thread at a time.
class StripSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// `model` must outlive the schedule; `table` is copied.
  StripSchedule(const GridModel& model, const StripTable& table, const Random& random);

  /// labels: [cell]. Lists every strip.
  void assign(std::span<const Value> labels);
  Assignment labels() const { return labeling_.labels(*model_); }

  /// Ends early when `stop` is requested, but still makes the descents, which visit all strips once and after that
  /// those whose neighbours changed. Lists every strip again. In the result, `transitions` is the number of sites
  /// visited.
  Work anneal(const AnnealingPlan& plan, const Stop& stop = {});

  /// Number of looks at listed strips over all rounds, followed by a visit or not: the price of choosing.
  std::uint64_t looks() const { return state_.looks; }
  /// [strip]: the number of its visits, for heat maps.
  const std::vector<std::uint32_t>& visits() const { return state_.visits; }

  /// State of a strip at its last visit.
  struct Memory {
    std::uint32_t round = 0;
    std::uint8_t doubt = StripFeatures::kDoubts - 1;
    std::uint8_t own = 1;
  };

  /// Data that kernels read and write.
  struct State {
    std::vector<StripPlace> places;     ///< [strip]
    std::vector<Memory> memory;         ///< [strip]
    std::vector<std::uint32_t> visits;  ///< [strip]
    std::size_t words_per_colour = 0;
    std::vector<std::uint64_t> listed;       ///< [colour][word], one bit per strip of the colour
    AlignedVector<std::uint8_t> neighbours;  ///< [colour][strip of the colour]: as in StripFeatures; > 0: listed, too
    std::uint32_t round = 1;
    std::size_t phase = 0;
    std::uint64_t looks = 0, transitions = 0;
  };

 private:
  void list_all();
  void run_round(const StripTable& table, GridVisit kind);

  const GridModel* model_;
  StripTable table_;
  GridLabeling labeling_;
  mcmc::LaneStream stream_;
  CheckerboardWeights weights_;
  State state_;
};

}  // namespace fovea::graph
