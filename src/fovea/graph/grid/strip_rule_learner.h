// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_schedule.h"

namespace fovea::graph {

struct StripRuleLearnerOptions {
  std::uint64_t generations = 8;
  std::uint64_t candidates = 24;
  std::uint64_t seeds = 8;
  std::uint64_t reach = 1;

  template <class V>
  static void describe(V&& visit) {
    using O = StripRuleLearnerOptions;
    visit(&O::generations,
          OptionInfo{.name = "generations", .description = "of the cross-entropy method", .min = 1, .max = 1000});
    visit(&O::candidates, OptionInfo{.name = "candidates",
                                     .description = "rules tried in a generation, the best quarter "
                                                    "of which makes the next",
                                     .min = 8,
                                     .max = 10000});
    visit(&O::seeds,
          OptionInfo{.name = "seeds", .description = "annealings of each model and plan a rule", .min = 1, .max = 1e4});
    visit(&O::reach, OptionInfo{.name = "reach",
                                .description = "1: the changes of neighbouring strips count; 0: only "
                                               "the strip itself does",
                                .min = 0,
                                .max = 1});
  }
};

/// A model to tune on, and where it comes from.
struct TuningGrid {
  GridModel model;
  AnnealingPlan plan = {};  ///< the longer of the two annealings that rules are judged by; the other is a third of it
  std::string source = {};
};

/// What an annealing cost, in visits of a strip, descents included: a look at a listed strip and a round's walk along
/// the list have a price too (about a tenth, and a hundredth for each strip).
double schedule_cost(const StripSchedule& schedule, const GridModel& model, const AnnealingPlan& plan);

/// How many times cheaper rules reach an energy than hot bits do, on one model.
///
/// The energy and the logarithm of the cost of hot bits at several lengths of the annealing make a curve; a rule's
/// saving is log(cost of hot bits at the rule's mean energy / the rule's mean cost), averaged over two lengths.
class SavingMeter {
 public:
  /// Annealings that learning sees, or four times as many others that only the last choice sees.
  enum class Seeds { kLearning, kHeldOut };

  /// Measures the curve. After a stop the meter is worth nothing.
  SavingMeter(const TuningGrid& grid, std::size_t seeds, const Random& random, const Stop& stop = {});

  /// In nats; 0 for hot bits themselves, up to noise. Meaningless where stopped.
  double saving(const StripRule& rule, Seeds seeds = Seeds::kLearning, const Stop& stop = {}) const;

 private:
  struct Point {
    double energy, log_cost;
  };
  Point run(const StripTable& table, std::uint32_t rounds, std::size_t seeds, std::string_view purpose,
            const Stop& stop) const;

  const TuningGrid* grid_;
  std::size_t seeds_;
  Random random_;
  std::vector<Point> curve_;  // by rising cost
};

/// Learns a rule by the cross-entropy method (Rubinstein 1999): normal candidates around hot bits; the quarter
/// of largest mean saving gives mean and spread of the next generation. The last mean is taken unless hot bits of some
/// threshold save more in annealings that learning has not seen. Deterministic for any number of threads; ends early,
/// with the last generation that is complete, when `stop` is requested. `progress` hears of every grid's curve and of
/// every generation's best rule: how many times cheaper it is than hot bits. `grids` is not empty.
StripRule learn_strip_rule(std::span<const TuningGrid> grids, const StripRuleLearnerOptions& options,
                           const Run& run = {});

}  // namespace fovea::graph
