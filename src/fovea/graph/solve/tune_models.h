// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_rule_learner.h"
#include "fovea/graph/task/search_policy.h"

namespace fovea::graph {

/// Choice of what is learned from models.
enum class LearnedFromModels { kAuto, kStrips, kSearchers };
constexpr auto words_of(LearnedFromModels) {
  using enum LearnedFromModels;
  return std::array{Word{kAuto, "auto"}, Word{kStrips, "strips"}, Word{kSearchers, "searchers"}};
}

struct SearchTuningOptions {
  LearnedFromModels learn = LearnedFromModels::kAuto;
  double seconds = 10;

  static void describe(auto&& visit) {
    using O = SearchTuningOptions;
    visit(&O::learn, option("learn",
                            "From models: which strips of a grid are worth a visit, or which searchers of 'solve' are "
                            "worth their time. auto: strips if all models are grids, numbered along their rows."));
    visit(&O::seconds, number_in(.1, 1e6, "seconds-per-model",
                                 "Time for which each model is searched to learn about searchers, which all have the "
                                 "same share of it."));
  }
};

using ModelPolicy = std::variant<StripRule, SearchPolicy>;

/// Learns where a search for the best assignment should spend its time, from models in files.
///
/// Strips: from grids, each with equal weight, under the annealing plans of solve_map. If stopped early, returns the
/// rule of the last complete generation.
/// Searchers: each model is searched with the same time for all searchers (search_trial, learn_search_policy). If
/// stopped early, learns from the models searched so far.
///
/// Throws InputError for a file that is not a model, or not a grid where strips were asked for; UsageError if no model
/// needs a search; CancelledError if it was stopped before one was searched.
ModelPolicy tune_models(const std::vector<std::string>& paths, const SearchTuningOptions& options,
                        const StripRuleLearnerOptions& strips, const Run& run);

/// Searches a model for some seconds, with the same time for all searchers. Its evidence is the file of its name with
/// ".evid" after it, if there is one.
SearchTrial search_trial(const std::string& path, double seconds, const Run& run);

/// True if the name of the file is that of a discrete model.
bool is_model_file(const std::string& path);

}  // namespace fovea::graph
