// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/diverse_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/map/map_solver.h"

namespace fovea::graph {
namespace {

/// Highest count of the counter after variable v. It counts 0, 1, ... up to `least`, which stands for more too.
std::size_t most_differences(VariableId v, std::size_t least) { return std::min<std::size_t>(v + 1, least); }

/// Table of (count before v, y_v, count after it) in which only the right count is possible.
std::vector<double> counting_table(std::size_t before, std::size_t cardinality, std::size_t behind, Value answer) {
  std::vector<double> table((before + 1) * cardinality * (behind + 1), kImpossible);
  for (std::size_t count = 0; count <= before; ++count)
    for (std::size_t value = 0; value < cardinality; ++value) {
      const std::size_t next = std::min(behind, count + (value != answer));
      table[(count * cardinality + value) * (behind + 1) + next] = 0;
    }
  return table;
}

std::size_t counting_entries(const FactorGraph& graph, std::size_t least) {
  std::size_t entries = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    entries +=
        (1 + (v == 0 ? 0 : most_differences(v - 1, least))) * graph.cardinality(v) * (1 + most_differences(v, least));
  return entries;
}

void add_counts(const FactorGraph& graph, const Assignment& answer, std::size_t least, FactorGraph::Builder& builder) {
  std::vector<VariableId> scope;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    const std::size_t before = v == 0 ? 0 : most_differences(v - 1, least), behind = most_differences(v, least);
    const VariableId count = builder.add_variable(behind + 1);
    if (v == 0) scope = {v, count};
    else scope = {count - 1, v, count};
    builder.add_factor(scope, counting_table(before, graph.cardinality(v), behind, answer[v]));
  }
  const auto last = static_cast<VariableId>(builder.variable_count() - 1);
  std::vector<double> enough(builder.cardinality(last), kImpossible);
  if (enough.size() == least + 1) enough.back() = 0;  // else there are too few variables
  builder.add_factor(std::array{last}, enough);
}

}  // namespace

std::optional<FactorGraph> with_distance(const FactorGraph& graph, std::span<const ScoredAssignment> answers,
                                         std::size_t least, std::size_t max_entries) {
  least = std::min(least, graph.variable_count() + 1);
  if (counting_entries(graph, least) * answers.size() > max_entries) return std::nullopt;
  FactorGraph::Builder builder(graph);
  for (const ScoredAssignment& answer : answers) add_counts(graph, answer.values, least, builder);
  return builder.build();
}

Assignment with_counts(const Assignment& values, std::span<const ScoredAssignment> answers, std::size_t least) {
  Assignment all = values;
  for (const ScoredAssignment& answer : answers) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      count = std::min(least, count + (values[v] != answer.values[v]));
      all.push_back(static_cast<Value>(count));
    }
  }
  return all;
}

namespace {

using Answers = std::vector<ScoredAssignment>;

constexpr int kSteps = 12;                                  // of the search for the penalty of one answer
constexpr double kProofSeconds = .5;                        // for an answer with its proof, before penalties are tried
constexpr double kLongestSeconds = 10;                      // for the proof of an answer
constexpr std::size_t kMostEntries = std::size_t{1} << 22;  // of the tables that count differences

std::size_t distance(const Assignment& a, const Assignment& b) {
  std::size_t differing = 0;
  for (std::size_t v = 0; v < a.size(); ++v) differing += a[v] != b[v];
  return differing;
}

bool is_far_from(const Assignment& values, const Answers& answers, std::size_t least) {
  return std::ranges::all_of(answers,
                             [&](const ScoredAssignment& other) { return distance(values, other.values) >= least; });
}

/// The model minus `penalty` for every variable and answer that agree.
FactorGraph penalised(const FactorGraph& graph, const Answers& answers, double penalty) {
  FactorGraph::Builder builder(graph);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    std::vector<double> scores(graph.cardinality(v), 0);
    for (const ScoredAssignment& answer : answers) scores[answer.values[v]] -= penalty;
    builder.add_factor(std::span(&v, 1), scores);
  }
  return builder.build();
}

/// Penalty to begin with: a sixteenth of the mean difference between the values of a variable, all else fixed.
double first_penalty(const FactorGraph& graph, const Assignment& values) {
  double sum = 0;
  std::size_t count = 0;
  std::vector<double> scores(graph.max_cardinality());
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    graph.conditional_scores(v, values, scores);
    for (std::size_t k = 0; k < graph.cardinality(v); ++k) {
      const double loss = scores[values[v]] - scores[k];
      if (k == values[v] || !(loss < std::numeric_limits<double>::infinity())) continue;
      sum += std::abs(loss);
      ++count;
    }
  }
  return count == 0 ? 1 : std::max(sum / static_cast<double>(count) / 16, 1e-6);
}

/// One call of find_diverse.
class DiverseSearch {
 public:
  DiverseSearch(const FactorGraph& graph, const ScoredAssignment& best, const MapOptions& options, const Run& run,
                SolveLog& log)
      : graph_(graph),
        inner_options_(options),
        run_(run),
        inner_(run),
        log_(log),
        least_(static_cast<std::size_t>(options.distance)),
        wanted_(static_cast<std::size_t>(options.diverse)),
        penalty_(first_penalty(graph, best.values)) {
    inner_.progress = {};
    found_.answers = {best};
  }

  DiverseAnswers run() {
    while (found_.answers.size() < wanted_ && !is_exhausted_ && !run_.stop.requested()) {
      ScoredAssignment next = best_by_count({}, kProofSeconds);
      if (!is_settled_ && !run_.stop.requested()) {
        const ScoredAssignment candidate = best_by_penalty();
        if (!next.found() || candidate.score > next.score) next = candidate;
        ScoredAssignment proved = best_by_count(next, share_of_time(1));
        if (proved.found() && !(next.score > proved.score)) next = std::move(proved);
      }
      if (is_exhausted_ || !next.found()) break;
      found_.answers.push_back(std::move(next));
    }
    found_.is_complete = is_exhausted_ || found_.answers.size() == wanted_;
    std::ranges::stable_sort(found_.answers, std::ranges::greater(), &ScoredAssignment::score);
    return std::move(found_);
  }

 private:
  /// Seconds: a share of the time that each missing answer may take.
  double share_of_time(double share) const {
    const double left = static_cast<double>(wanted_ - found_.answers.size());
    return std::min(kLongestSeconds, share * run_.stop.seconds_left() / left);
  }

  /// The best that is far enough, or a good one. is_settled_: it was proved to be the best, or no other is far enough.
  ScoredAssignment best_by_count(const ScoredAssignment& start, double seconds) {
    is_settled_ = false;
    const auto counted = with_distance(graph_, found_.answers, least_, kMostEntries);
    if (!counted) return {};
    inner_.stop = run_.within(seconds);
    SolveLog inner_log({});
    ScoredAssignment best;
    try {
      inner_options_.start =
          start.found() ? with_counts(start.values, found_.answers, least_) : Assignment(counted->variable_count(), 0);
      const MapAnswer answer = find_map(*counted, inner_options_, inner_, inner_log);
      best.values.assign(answer.best.values.begin(),
                         answer.best.values.begin() + static_cast<std::ptrdiff_t>(graph_.variable_count()));
      best.score = graph_.log_score(best.values);
      is_settled_ = answer.is_optimal;
    } catch (const InfeasibleError&) {
      is_settled_ = is_exhausted_ = true;
    } catch (const LimitError&) {  // nothing that is far enough was found in time
    } catch (const CancelledError&) {
    }
    log_.spend(inner_log.work());
    return best;
  }

  ScoredAssignment best_by_penalty() {
    ScoredAssignment found;
    double too_small = 0;
    for (int step = 0; step < kSteps && !run_.stop.requested(); ++step) {
      inner_.stop = run_.within(std::min(1.0, share_of_time(.5 / kSteps)));
      SolveLog inner_log({});
      inner_options_.start = found_.answers[0].values;
      const MapAnswer answer = find_map(penalised(graph_, found_.answers, penalty_), inner_options_, inner_, inner_log);
      log_.spend(inner_log.work());
      if (is_far_from(answer.best.values, found_.answers, least_)) {
        const double score = graph_.log_score(answer.best.values);
        if (!found.found() || score > found.score) found = {answer.best.values, score};
        penalty_ = (too_small + penalty_) / 2;
      } else {
        too_small = penalty_;
        penalty_ *= found.found() ? 1.25 : 2;
      }
    }
    return found;
  }

  const FactorGraph& graph_;
  MapOptions inner_options_;
  const Run& run_;
  Run inner_;
  SolveLog& log_;
  std::size_t least_, wanted_;
  double penalty_;
  DiverseAnswers found_;
  bool is_settled_ = false, is_exhausted_ = false;
};

}  // namespace

DiverseAnswers find_diverse(const FactorGraph& graph, const ScoredAssignment& best, const MapOptions& options,
                            const Run& run, SolveLog& log) {
  DiverseAnswers found;
  log.phase("diverse answers", [&] {
    found = DiverseSearch(graph, best, options, run, log).run();
    return fmt::format("{} of {} answers at a distance of at least {}{}", found.answers.size(), options.diverse,
                       options.distance, found.is_complete ? "" : ", stopped");
  });
  return found;
}

}  // namespace fovea::graph
