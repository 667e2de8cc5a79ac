// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/solve_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/report/picture.h"

namespace fovea::graph {
namespace {

using report::Cell;

constexpr std::size_t kMostRows = 100'000, kMostSteps = 1000, kBins = 20;
constexpr double kLeastSeconds = 1e-4;

/// A page of one answer.
class SolvePage {
 public:
  SolvePage(const std::string& model, const SolveReport& answer, std::size_t picture_columns)
      : answer_(answer), picture_columns_(picture_columns), facts_(answer.facts()), page_("A model, solved", model) {}

  report::Page page() && {
    page_.add_note(answer_.brief());
    std::visit([this](const auto& result) { add_answer(result); }, answer_.result);
    add_work();
    return std::move(page_);
  }

 private:
  void add_answer(std::monostate) {}

  void add_answer(const MapResult& map) {
    add_best(map);
    add_pictures(map);
    add_values(map.best.values, {});
    add_diverse(map);
    add_searchers(map);
  }

  void add_answer(const MarginalMapResult& best) {
    add_best(best);
    add_values(best.best.values, answer_.query);
  }

  void add_answer(const PartitionResult& sums) {
    page_.add_facts("Partition function", {{"status", word_of(sums.status)},
                                           {"log Z, natural", sums.log_partition},
                                           {"log10 Z", sums.log_partition / std::numbers::ln10},
                                           {"standard error of log Z", sums.log_partition_error},
                                           {"bound above log Z", sums.log_partition_bound}});
  }

  void add_answer(const MarginalsResult& sums) {
    page_.add_facts("Marginals", {{"status", word_of(sums.status)},
                                  {"variables", answer_.variables},
                                  {"of these, exact", sums.exact_variables},
                                  {"largest standard error", sums.max_standard_error},
                                  {"largest R-hat", sums.max_r_hat},
                                  {"fewest effective draws", sums.min_effective_samples},
                                  {"chains", sums.mixing ? Cell(word_of(*sums.mixing)) : Cell()},
                                  {"variables that never moved", sums.unmoved_variables},
                                  {"log Z, natural", sums.log_partition}});
    add_certainty(sums.marginals);
    report::TableOfCells table = {.title = "Marginals of the variables",
                                  .columns = {"variable", "value", "probability"}};
    std::size_t shown = 0;
    for (; shown < sums.marginals.size() && table.rows.size() < kMostRows; ++shown)
      for (std::size_t value = 0; value < sums.marginals[shown].size(); ++value)
        table.rows.push_back(
            {answer_.names.variable(shown), answer_.names.value(shown, value), sums.marginals[shown][value]});
    table.about = first_of(shown, sums.marginals.size());
    page_.add(table);
  }

  void add_best(const BestResult& best) {
    page_.add_facts("Score", {{"status", word_of(best.status)},
                              {"log score, natural", best.best.score},
                              {"log10 score", best.best.score / std::numbers::ln10},
                              {"no assignment scores more than", best.bound},
                              {"gap", best.gap()}});
    add_steps();
  }

  void add_steps() {
    report::Chart chart = {.title = "Score and bound over time",
                           .about =
                               "The best score found and the bound on all scores meet where the answer is proved. "
                               "Shown from where nine tenths of their way are done.",
                           .x = "seconds",
                           .y = "log score",
                           .log_x = true,
                           .steps = true};
    add_late_steps("score", &SolveStep::score, chart);
    add_late_steps("bound", &SolveStep::bound, chart);
    if (!chart.series.empty()) page_.add(chart);
  }

  /// Adds the steps of a figure from the first one that is a tenth or less of the whole way from its last.
  void add_late_steps(const char* name, double SolveStep::*figure, report::Chart& chart) const {
    std::vector<std::array<double, 2>> points;
    for (const SolveStep& step : answer_.steps)
      if (std::isfinite(step.*figure)) points.push_back({std::max(step.seconds, kLeastSeconds), step.*figure});
    if (points.empty()) return;
    points.push_back({std::max(facts_.seconds, points.back()[0]), points.back()[1]});
    const double last = points.back()[1], way = std::abs(points[0][1] - last);
    const auto begin = std::ranges::find_if(points, [&](const auto& p) { return std::abs(p[1] - last) <= way / 10; });
    points.erase(points.begin(), begin);
    report::Chart::Series& series = chart.series.emplace_back(report::Chart::Series{name, {}});
    const std::size_t every = points.size() / kMostSteps + 1;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (i % every == 0 || i + 1 == points.size()) series.points.push_back(points[i]);
  }

  void add_pictures(const MapResult& map) {
    if (picture_columns_ == 0) return;
    page_.add_picture("The answer as a picture", "", png_bytes(label_picture(map.best.values, picture_columns_)));
    if (!map.visits.empty())
      page_.add_picture("Where the visits went", "The darker the red, the more visits, on a logarithmic scale.",
                        png_bytes(heat_picture(map.best.values, map.visits, picture_columns_)));
  }

  /// `query`: the variables that have values; all if empty.
  void add_values(const Assignment& values, const std::vector<VariableId>& query) {
    const std::size_t count = query.empty() ? values.size() : query.size();
    report::TableOfCells table = {.title = "Best assignment",
                                  .about = first_of(std::min(count, kMostRows), count),
                                  .columns = {"variable", "value"}};
    for (std::size_t i = 0; i < std::min(count, kMostRows); ++i) {
      const std::size_t v = query.empty() ? i : query[i];
      table.rows.push_back({answer_.names.variable(v), answer_.names.value(v, values[v])});
    }
    page_.add(table);
  }

  void add_diverse(const MapResult& map) {
    if (map.diverse.empty()) return;
    report::TableOfCells table = {.title = "Different answers",
                                  .columns = {"answer", "log score", "variables unlike the first answer's"}};
    for (const ScoredAssignment& other : map.diverse) {
      std::size_t unlike = 0;
      for (std::size_t v = 0; v < other.values.size(); ++v) unlike += other.values[v] != map.diverse[0].values[v];
      table.rows.push_back({table.rows.size() + 1, other.score, unlike});
    }
    page_.add(table);
  }

  void add_searchers(const MapResult& map) {
    if (map.searchers.empty()) return;
    report::TableOfCells table = {.title = "Searchers",
                                  .about = "Searches that ran side by side; improvements raised the best score.",
                                  .columns = {"searcher", "seconds", "improvements"}};
    for (const SearcherRecord& searcher : map.searchers)
      table.rows.push_back({searcher.name, searcher.seconds, searcher.rises.size()});
    page_.add(table);
  }

  /// Certainty of the marginals: the largest probability of each variable.
  void add_certainty(const std::vector<std::vector<double>>& marginals) {
    std::vector<double> largest;
    for (const std::vector<double>& marginal : marginals)
      if (!marginal.empty()) largest.push_back(*std::ranges::max_element(marginal));
    report::Chart chart = {.title = "Likeliest values",
                           .about = "Variables by the probability of their likeliest value.",
                           .x = "probability of the likeliest value",
                           .y = "variables",
                           .series = {{"variables", {}}},
                           .bars = true};
    chart.series[0].points = report::counts_of_shares(largest, kBins);
    page_.add(chart);
  }

  void add_work() {
    page_.add_facts("Work", {{"task", word_of(answer_.asked.task)},
                             {"method", facts_.method},
                             {"seconds", answer_.seconds},
                             {"of these, reading", answer_.read_seconds},
                             {"time limit", answer_.time_limit.empty() ? "none" : answer_.time_limit},
                             {"threads", answer_.threads},
                             {"transitions", facts_.work.transitions},
                             {"variables", answer_.variables},
                             {"of these, observed", answer_.evidence.size()},
                             {"factors", answer_.factors},
                             {"table entries", answer_.table_entries}});
    report::TableOfCells table = {.title = "Phases", .columns = {"phase", "seconds", "transitions", "outcome"}};
    for (const SolvePhase& phase : facts_.phases)
      table.rows.push_back({phase.name, phase.seconds, phase.work.transitions, phase.outcome});
    page_.add(table);
  }

  static std::string first_of(std::size_t shown, std::size_t all) {
    return shown == all ? "" : fmt::format("The first {} of {} variables.", shown, all);
  }

  const SolveReport& answer_;
  std::size_t picture_columns_;
  SolveFacts facts_;
  report::Page page_;
};

}  // namespace

std::size_t grid_columns(const FactorGraph& graph) {
  const std::optional<GridModel> grid = GridModel::detect(graph);
  return grid ? grid->shape().columns : 0;
}

report::Page solve_page(const std::string& model, const SolveReport& report, std::size_t picture_columns) {
  return SolvePage(model, report, picture_columns).page();
}

}  // namespace fovea::graph
