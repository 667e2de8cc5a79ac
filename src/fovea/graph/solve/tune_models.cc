// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/tune_models.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/graph/format/observed_model.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/map/portfolio_members.h"
#include "fovea/graph/solve/solve.h"

namespace fovea::graph {
namespace {

/// The models in the files, or none if one is not a grid; then, if grids are needed, an InputError.
std::vector<TuningGrid> read_grids(const std::vector<std::string>& paths, bool are_needed) {
  std::vector<TuningGrid> grids;
  for (const std::string& path : paths) {
    std::optional<GridModel> grid = GridModel::detect(read_model(path).graph);
    if (!grid && are_needed)
      throw InputError({.file = path}, "not a grid whose variables are numbered along its rows",
                       "Only grids have strips; option 'learn searchers' is for any model");
    if (!grid) return {};
    grids.push_back({.model = *grid, .plan = grid_annealing_plan(*grid), .source = path});
  }
  return grids;
}

StripRule tune_strips(const std::vector<TuningGrid>& grids, const StripRuleLearnerOptions& options, const Run& run) {
  const StripRule rule = learn_strip_rule(grids, options, run);
  if (run.is_cancelled()) run.warn_of("interrupted: this is the rule of the last generation that was complete");
  return rule;
}

/// The trial of a model, or nothing where nothing can be learned from it, with a word about why.
std::optional<SearchTrial> useful_trial(const std::string& path, double seconds, const Run& run) {
  try {
    SearchTrial trial = search_trial(path, seconds, run);
    if (run.is_cancelled()) return std::nullopt;  // the score is not what it would have become
    if (!trial.searchers.empty()) return trial;
    run.note_that(path + ": solved without a search, so there is nothing to learn");
  } catch (const LimitError&) {
    run.warn_of(fmt::format("{}: no answer within {:g} s, so there is nothing to learn", path, seconds));
  } catch (const InfeasibleError& error) {
    run.warn_of(fmt::format("{}: {}, so there is nothing to learn", path, error.what()));
  } catch (const CancelledError&) {  // said by the caller
  }
  return std::nullopt;
}

SearchPolicy tune_searchers(const std::vector<std::string>& paths, double seconds, const Run& run) {
  const auto start = Stop::Clock::now();
  std::vector<SearchTrial> trials;
  const auto tell = [&](std::size_t done) {
    if (run.progress)
      run.progress({.phase = "searching models",
                    .done = static_cast<double>(done),
                    .total = static_cast<double>(paths.size()),
                    .seconds = seconds_since(start)});
  };
  for (std::size_t i = 0; i < paths.size() && !run.is_cancelled(); ++i) {
    tell(i);
    if (auto trial = useful_trial(paths[i], seconds, run.child(paths[i]))) trials.push_back(std::move(*trial));
  }
  tell(paths.size());
  if (run.is_cancelled()) {
    if (trials.empty()) throw CancelledError("stopped before a model was searched");
    run.warn_of(fmt::format("interrupted: learned from {} of {} models", trials.size(), paths.size()));
  }
  return learn_search_policy(trials);
}

}  // namespace

bool is_model_file(const std::string& path) {
  try {
    model_format_of(path);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

SearchTrial search_trial(const std::string& path, double seconds, const Run& run) {
  ModelSource source{.model = path};
  if (std::filesystem::exists(path + ".evid")) source.evidence = path + ".evid";
  const ObservedModel model = read_observed_model(source, run.warn);
  const SearchPolicy same_for_all = {.adapts = false};
  Run inner = run;
  inner.stop = run.stop.within(seconds);
  inner.progress = {};
  const MapResult result = solve_map(model.file.graph, model.evidence, {.search_policy = &same_for_all}, inner);
  return {.searchers = result.searchers, .best = result.best.score, .is_proved = result.is_exact(), .source = path};
}

ModelPolicy tune_models(const std::vector<std::string>& paths, const SearchTuningOptions& options,
                        const StripRuleLearnerOptions& strips, const Run& run) {
  validate(options);
  if (options.learn != LearnedFromModels::kSearchers) {
    const std::vector<TuningGrid> grids = read_grids(paths, options.learn == LearnedFromModels::kStrips);
    if (!grids.empty()) return tune_strips(grids, strips, run);
  }
  return tune_searchers(paths, options.seconds, run);
}

}  // namespace fovea::graph
