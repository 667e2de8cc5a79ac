// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/grid/plain_potts.h"
#include "fovea/mcmc/lane_stream.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Kind of visit to a site: kSample draws its label given the rest, kBest sets it to the best one (ties: the present
/// label, then the lowest).
enum class GridVisit { kSample, kBest };

/// A grid model's pair scores at a temperature, as kernels read them.
struct CheckerboardWeights {
  CheckerboardWeights(const GridModel& model, double temperature) { set_temperature(model, temperature); }

  /// temperature > 0; `model` is that of the constructor.
  void set_temperature(const GridModel& model, double temperature);

  std::size_t label_count = 0, pair_stride = 0;
  float coldness = 1;          ///< 1 / temperature
  AlignedVector<float> pairs;  ///< [direction][label][pair_stride], times coldness
  std::optional<PlainPottsWeights> plain_potts;
};

/// Gibbs sampling of a grid at a temperature, p(y)^(1 / temperature), all sites of a colour at once: kStripSites lanes,
/// each with its own stream of random numbers, and any number of threads, which take bands of rows and synchronise
/// after every colour. Labels depend on the seed alone, not on threads (see base/random.h) or the width of vectors. A
/// sweep visits every site: first colour 0, then colour 1. One thread drives a sampler at a time.
class CheckerboardSampler {
 public:
  using TargetLaw = mcmc::Invariant;

  /// Starts from label 0 everywhere. `model` must outlive the sampler.
  CheckerboardSampler(const GridModel& model, const Random& random, double temperature = 1);

  /// labels: [cell].
  void assign(std::span<const Value> labels) { labeling_.assign(*model_, labels); }
  Assignment labels() const { return labeling_.labels(*model_); }
  const GridLabeling& labeling() const { return labeling_; }
  const GridModel& model() const { return *model_; }

  /// temperature > 0.
  void set_temperature(double temperature) { weights_.set_temperature(*model_, temperature); }

  /// Zero `threads` means all cores.
  Work sweep(std::size_t count = 1, int threads = 1);
  /// Makes visits of kind kBest: heuristic, never lowers the score.
  Work descend(std::size_t sweeps = 1);

 private:
  void sample_bands(std::size_t colour, std::size_t begin, std::size_t end);
  Work work_of(std::size_t sweeps) const;

  const GridModel* model_;
  GridLabeling labeling_;
  CheckerboardWeights weights_;
  std::vector<mcmc::LaneStream> streams_;  // [band of rows]
};

/// Counts of the labels that each site had.
class GridTally {
 public:
  explicit GridTally(const GridModel& model);

  /// Counts a labeling; may be called at most 2^32 - 1 times.
  void add(const GridLabeling& labeling);
  /// [cell][label]: shares of the labelings counted. Requires at least one labeling.
  std::vector<double> marginals() const;

 private:
  const GridModel* model_;
  AlignedVector<std::uint32_t> counts_;  // [strip][label][kStripSites]
  std::uint64_t total_ = 0;
};

}  // namespace fovea::graph
