// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/ep/fit/model_draws.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

enum class CheckVerdict {
  kOk,        ///< what is seen happens by chance
  kDoubtful,  ///< it happens by chance in one check of 20
  kWrong      ///< it happens by chance in one check of 1,000
};
constexpr auto words_of(CheckVerdict) {
  using enum CheckVerdict;
  return std::array{Word{kOk, "ok"}, Word{kDoubtful, "doubtful"}, Word{kWrong, "wrong"}};
}

/// Ranks of true numbers among posterior draws, from 0 to 1. They are uniform if posteriors are right.
struct RankTest {
  std::size_t count = 0;
  double mean = 0;      ///< below .5: true numbers are smaller than posteriors say
  double bias_z = 0;    ///< of the mean, in standard deviations under uniform ranks
  double spread_z = 0;  ///< of the variance; above 0: posteriors are too narrow, below 0: too wide
  double p_value = 1;   ///< of the larger of the two
};
RankTest test_ranks(std::span<const double> ranks);

struct CheckedQuantity {
  std::string name = "";
  RankTest test = {};
  CheckVerdict verdict = CheckVerdict::kOk;  ///< where all quantities are tested at once (Holm 1979)
};

struct SimulationCheck {
  std::vector<CheckedQuantity> quantities = {};
  std::size_t data_sets = 0;                 ///< that were fitted
  std::size_t not_mixed = 0;                 ///< of these, fits whose chains disagreed, or had too few draws to tell
  CheckVerdict verdict = CheckVerdict::kOk;  ///< the worst
};

/// Simulation-based calibration (Talts et al. 2018): draws unknown numbers from the model's prior and the observed
/// columns given them, fits the model to these columns, and ranks the true numbers among the draws; `data_sets` times.
/// It finds what is wrong with posteriors on data like those of the prior: not whether the model suits the real data.
/// Cells that are missing stay so. Unknown whole numbers are simulated, but not ranked. The answer does not depend on
/// the number of threads. Ends early, with the data sets so far, if `run.stop` requests it. Throws as simulate() and
/// draw_model(), and InputError for models with `censored`, whose ends of observation are not known.
SimulationCheck check_by_simulation(const ModelSyntax& syntax, const ModelData& data, std::size_t data_sets,
                                    const ModelDrawOptions& options, const Run& run);

/// A line for each quantity, and one for all.
std::string table_of(const SimulationCheck& check);
std::string json_of(const SimulationCheck& check);

}  // namespace fovea::ep
