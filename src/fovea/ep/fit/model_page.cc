// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "fovea/ep/fit/predict.h"
#include "fovea/mcmc/pareto_smoothing.h"

namespace fovea::ep {
namespace {

using report::Cell;

constexpr std::size_t kMostRows = 20'000, kMostDots = 2'000;

/// Figures of one cell that was observed, and of what the model predicts there.
struct CheckedCell {
  std::size_t row = 0;
  double observed = 0, z = 0;  ///< z: distance from the mean, in standard deviations of the prediction
};

double number_of(std::string_view cell) {
  double value = std::nan("");
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() ? value : std::nan("");
}

/// Cells with a number and a prediction, the farthest from it first.
std::vector<CheckedCell> checked_cells(const io::Table& table, const PredictedColumn& predicted) {
  const std::size_t column = *table.find_column(predicted.name);
  std::vector<CheckedCell> cells;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const double observed = table.is_missing(row, column) ? std::nan("") : number_of(table.cell(row, column));
    if (!std::isfinite(observed) || !std::isfinite(predicted.mean[row])) continue;
    const double distance = std::abs(observed - predicted.mean[row]);
    cells.push_back({row, observed, distance > 0 ? distance / predicted.sd[row] : 0});
  }
  std::ranges::stable_sort(cells, std::greater<>(), &CheckedCell::z);
  return cells;
}

void add_numbers_check(const io::Table& table, const PredictedColumn& predicted, report::Page& page) {
  const std::vector<CheckedCell> cells = checked_cells(table, predicted);
  if (cells.empty()) return;
  const auto inside = std::ranges::count_if(cells, [&](const CheckedCell& cell) {
    return cell.observed >= predicted.low[cell.row] && cell.observed <= predicted.high[cell.row];
  });
  page.add_facts(
      fmt::format("Predictive check of {}", predicted.name),
      {{"cells observed", cells.size()},
       {"share between the 5 % and 95 % quantiles", static_cast<double>(inside) / static_cast<double>(cells.size())},
       {"expected of a model that fits", .9}});
  report::Chart chart = {.title = fmt::format("{} as observed and as predicted", predicted.name),
                         .about = "Where the model fits, dots lie around the line.",
                         .x = "median of the prediction",
                         .y = "observed",
                         .series = {{"cells", {}}},
                         .dots = true,
                         .diagonal = true};
  const std::size_t every = cells.size() / kMostDots + 1;
  for (std::size_t i = 0; i < cells.size(); i += every)
    chart.series[0].points.push_back({predicted.median[cells[i].row], cells[i].observed});
  page.add(chart);
  report::TableOfCells rows = {
      .title = fmt::format("Cells of {}, the most surprising first", predicted.name),
      .columns = {"row", "observed", "sds from the mean", "mean", "sd", "5 %", "50 %", "95 %"}};
  for (std::size_t i = 0; i < std::min(cells.size(), kMostRows); ++i) {
    const std::size_t row = cells[i].row;
    rows.rows.push_back({row + 1, cells[i].observed, cells[i].z, predicted.mean[row], predicted.sd[row],
                         predicted.low[row], predicted.median[row], predicted.high[row]});
  }
  page.add(rows);
}

void add_members_check(const io::Table& table, const PredictedColumn& predicted, report::Page& page) {
  struct CheckedMember {
    std::size_t row;
    std::string observed;
    double probability;
  };
  const std::size_t column = *table.find_column(predicted.name);
  std::vector<CheckedMember> cells;
  double sum = 0;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto member = std::ranges::find(predicted.members, table.cell(row, column));
    if (table.is_missing(row, column) || member == predicted.members.end()) continue;
    const double probability =
        predicted.probabilities[static_cast<std::size_t>(member - predicted.members.begin())][row];
    if (!std::isfinite(probability)) continue;
    cells.push_back({row, *member, probability});
    sum += probability;
  }
  if (cells.empty()) return;
  std::ranges::stable_sort(cells, {}, &CheckedMember::probability);
  page.add_facts(fmt::format("Predictive check of {}", predicted.name),
                 {{"cells observed", cells.size()},
                  {"mean probability of what was observed", sum / static_cast<double>(cells.size())}});
  report::TableOfCells rows = {.title = fmt::format("Cells of {}, the most surprising first", predicted.name),
                               .about = "The probability that the model gives to what was observed.",
                               .columns = {"row", "observed", "probability"}};
  for (std::size_t i = 0; i < std::min(cells.size(), kMostRows); ++i)
    rows.rows.push_back({cells[i].row + 1, cells[i].observed, cells[i].probability});
  page.add(rows);
}

void add_predictive_checks(const ModelProblem& problem, const FittedModel& fitted, const Run& run, report::Page& page) {
  if (problem.table == nullptr || fitted.posterior.observed.empty()) return;
  try {
    std::optional<io::Table> whole;
    if (is_formula(problem.model)) whole = whole_rows(problem.model, *problem.table);
    const io::Table& table = whole ? *whole : *problem.table;
    const Prediction prediction = predict(fitted.posterior, table, {.columns = fitted.posterior.observed}, run);
    for (const PredictedColumn& column : prediction.columns)
      if (column.members.empty()) add_numbers_check(table, column, page);
      else add_members_check(table, column, page);
  } catch (const std::runtime_error& error) {  // of a model that cannot predict rows, or stopped
    page.add_note(fmt::format("No predictive check: {}", error.what()));
  }
}

void add_trust(const ModelDraws& draws, report::Page& page) {
  std::vector<std::pair<std::string, Cell>> rows = {{"chains", draws.chains},
                                                    {"draws of each", draws.length},
                                                    {"chains have", word_of(draws.mixing)},
                                                    {"divergent trajectories", draws.divergences},
                                                    {"trajectories at the deepest tree", draws.at_deepest},
                                                    {"evaluations of the density", draws.evaluations}};
  if (draws.log_evidence && draws.log_evidence->shape <= mcmc::kLargestTrustedShape) {
    rows.emplace_back("log evidence", draws.log_evidence->value);
    rows.emplace_back("its standard error", draws.log_evidence->standard_error);
  }
  page.add_facts("Draws", rows);
  if (draws.is_exact) return page.add_note("All unknowns were summed out: the figures are exact.");
  if (draws.is_gaussian)
    return page.add_note("Stopped before each chain had a draw: a Gaussian at the mode, which nothing has checked.",
                         true);
  if (!draws.is_whole) page.add_note("Stopped early.", true);
  if (draws.mixing == mcmc::Mixing::kNotMixed)
    page.add_note("The chains disagree: these figures cannot be trusted.", true);
  if (draws.mixing == mcmc::Mixing::kCannotTell)
    page.add_note("Too few effective draws to tell whether the chains agree.", true);
  if (draws.divergences > 0)
    page.add_note("Trajectories diverged: draws may miss a narrow part of the posterior.", true);
}

void add_quantities(const ModelDraws& draws, report::Page& page) {
  report::ChainDraws shown = {.title = "Posterior",
                              .about = "The numbers whose chains agree least are first.",
                              .columns = {"mean", "sd", "5 %", "50 %", "95 %", "R-hat", "bulk ESS", "tail ESS"}};
  std::vector<std::size_t> order(draws.quantities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t q) {
    const double r_hat = draws.quantities[q].diagnosis.r_hat;
    return r_hat > mcmc::kMixedRHat ? r_hat : 0;
  });
  for (const std::size_t at : order) {
    const DrawnQuantity& q = draws.quantities[at];
    report::ChainDraws::Quantity& quantity = shown.quantities.emplace_back(
        report::ChainDraws::Quantity{q.name,
                                     {q.mean, q.sd, q.low, q.median, q.high, q.diagnosis.r_hat,
                                      q.diagnosis.bulk_effective_samples, q.diagnosis.tail_effective_samples},
                                     {}});
    if (!draws.is_exact)
      for (std::size_t chain = 0; chain < draws.chains; ++chain) quantity.chains.push_back(draws.chain(at, chain));
  }
  page.add(shown);
}

}  // namespace

report::Page model_page(const ModelProblem& problem, const FittedModel& fitted, const Run& run) {
  report::Page page("A model, fitted", problem.name);
  add_trust(fitted.draws, page);
  add_quantities(fitted.draws, page);
  add_predictive_checks(problem, fitted, run, page);
  return page;
}

report::Page check_page(const std::string& model, const SimulationCheck& check) {
  report::Page page("A model, checked by simulation", model);
  page.add_facts("Check", {{"verdict", word_of(check.verdict)},
                           {"data sets", check.data_sets},
                           {"fits whose chains disagreed, or had too few draws", check.not_mixed}});
  report::TableOfCells table = {
      .title = "Numbers of the model",
      .about =
          "Ranks of the true numbers among the draws are uniform if posteriors are right. Bias and spread are in "
          "standard errors: a spread above 0 means that posteriors are too narrow.",
      .columns = {"number", "verdict", "ranks", "mean rank", "bias", "spread", "p value"}};
  for (const CheckedQuantity& q : check.quantities)
    table.rows.push_back(
        {q.name, word_of(q.verdict), q.test.count, q.test.mean, q.test.bias_z, q.test.spread_z, q.test.p_value});
  page.add(table);
  return page;
}

}  // namespace fovea::ep
