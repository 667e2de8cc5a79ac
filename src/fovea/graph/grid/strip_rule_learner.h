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

  static void describe(auto&& visit) {
    using O = StripRuleLearnerOptions;
    visit(&O::generations, number_in(1, 1000, "generations", "Number of generations of the cross-entropy method."));
    visit(&O::candidates,
          number_in(8, 10000, "candidates",
                    "Number of rules tried in a generation, the best quarter of which makes the next one."));
    visit(&O::seeds, number_in(1, 1e4, "seeds", "Number of annealings for each rule, model and plan."));
    visit(&O::reach,
          number_in(0, 1, "reach",
                    "1 counts changes of neighbouring strips as well; 0 counts only those of the strip itself."));
  }
};

/// A model to tune on, and its source.
struct TuningGrid {
  GridModel model;
  AnnealingPlan plan = {};  ///< the longer of the two annealings by which rules are judged; the other is a third of it
  std::string source = {};
};

/// Cost of an annealing in visits to a strip, descents included. A look at a listed strip counts as a tenth of a visit,
/// a round's walk along the list as a hundredth for each strip.
double schedule_cost(const StripSchedule& schedule, const GridModel& model, const AnnealingPlan& plan);

/// Measure of how much more cheaply than hot bits a rule reaches an energy, on one model.
///
/// The energy and the logarithm of the cost of hot bits at several lengths of the annealing form a curve; a rule's
/// saving is log(cost of hot bits at the rule's mean energy / the rule's mean cost), averaged over two lengths.
class SavingMeter {
 public:
  /// Annealings that learning sees, or four times as many others that only the final choice sees.
  enum class Seeds { kLearning, kHeldOut };

  /// Measures the curve. After a stop the meter is useless.
  SavingMeter(const TuningGrid& grid, std::size_t seeds, const Random& random, const Stop& stop = {});

  /// Saving in nats; 0 for hot bits themselves, up to noise. Meaningless if stopped.
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

/// The rule around which learning begins. It was set by hand after a look at learned rules.
StripRule first_strip_rule();

/// Learns a rule by the cross-entropy method (Rubinstein 1999): candidates are normally distributed around hot bits,
/// and the quarter with the largest mean saving gives the mean and spread of the next generation. The last mean is the
/// result unless hot bits with some threshold save more in annealings that learning has not seen. The result is the
/// same for any number of threads. Ends early, with the last complete generation, when `stop` is requested. `progress`
/// is called after every grid's curve and after every generation, then with how many times cheaper its best rule is
/// than hot bits. `grids` must not be empty.
StripRule learn_strip_rule(std::span<const TuningGrid> grids, const StripRuleLearnerOptions& options,
                           const Run& run = {});

}  // namespace fovea::graph
