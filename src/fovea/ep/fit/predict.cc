// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/predict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/text.h"
#include "fovea/ep/fit/quantile.h"
#include "fovea/ep/fit/shared_progress.h"
#include "fovea/ep/language/simulate.h"
#include "fovea/io/stream.h"

namespace fovea::ep {
namespace {

constexpr std::size_t kMostPosteriorBytes = std::size_t{1} << 30;  // of a posterior
constexpr std::size_t kMostNumbers = std::size_t{50'000'000};      // of all draws of all cells
constexpr std::size_t kFewestDraws = 100, kMostMembers = 1000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The table with a column, all of whose cells are missing, for each that it lacks.
io::Table with_columns(const io::Table& table, const ModelPosterior& posterior) {
  io::Table wider = table;
  for (const std::string& column : posterior.observed)
    if (!wider.find_column(column)) wider.add_column(column);
  return wider;
}

/// Draws of one column's cells.
struct DrawnCells {
  std::vector<std::size_t> rows = {};           // that are predicted
  std::vector<std::vector<double>> draws = {};  // [draw][predicted row]
  std::vector<std::string> members = {};
};

/// One call of predict().
class Predictor {
 public:
  Predictor(const ModelPosterior& posterior, const io::Table& table, const PredictOptions& options, const Run& run)
      : posterior_(posterior),
        table_(with_columns(table, posterior)),
        run_(run),
        syntax_(parse_model(posterior.model, "the posterior's model")),
        redrawn_(options.columns.begin(), options.columns.end()) {}

  Prediction predict() {
    check();
    find_cells();
    std::size_t cells = 0;
    for (const auto& [column, drawn] : cells_) cells += drawn.rows.size();
    if (cells == 0)
      throw UsageError(
          fmt::format("nothing to predict: no cell of {} is missing. Name columns in option 'columns' to "
                      "predict them in every row",
                      fmt::join(posterior_.observed, ", ")));
    const std::size_t wanted = std::max(kFewestDraws, std::min(ModelPosterior::kMostDraws, kMostNumbers / cells));
    if (cells > kMostNumbers / kFewestDraws)
      throw LimitError(fmt::format("{} cells are to be predicted, and the limit is {}: split the table", cells,
                                   kMostNumbers / kFewestDraws));
    run_.begin_phase("predicting");
    if (!posterior_.has_mixed)
      run_.warn_of(
          "the chains of the fit had not mixed, or had too few draws to tell: these predictions cannot be trusted "
          "either");
    const std::size_t drawn = draw_all(wanted);
    if (drawn == 0 && run_.is_cancelled()) throw CancelledError("interrupted before there was a draw");
    if (drawn == 0) throw LimitError("the time was over before there was a draw");
    if (drawn < wanted) run_.warn_of(fmt::format("stopped early: predictions are of {} draws, not {}", drawn, wanted));
    Prediction prediction = {.draws = drawn};
    for (const auto& [column, of] : cells_)
      if (!of.rows.empty()) prediction.columns.push_back(summary_of(column, of, drawn));
    return prediction;
  }

 private:
  void check() const {
    for (const std::string& column : redrawn_)
      if (std::ranges::find(posterior_.observed, column) == posterior_.observed.end())
        throw UsageError(fmt::format("option 'columns': the model has no distribution of a column '{}'.{}", column,
                                     suggestion(column, posterior_.observed)));
    if (posterior_.observed.empty())
      throw InputError({.file = table_.name()}, "the model was fitted to no column with a distribution",
                       "Predictions are of columns, such as y in y ~ normal(mean, sd)");
    if (!posterior_.summed_out.empty())
      throw InputError({.file = table_.name()},
                       fmt::format("'{}' was summed out in the fit and is not of rows: it has no draws to predict by",
                                   posterior_.summed_out[0]),
                       "Add the rows to the table of the fit, with missing cells");
    if (const Statement* statement = statement_across_rows(syntax_))
      throw InputError(
          {.file = syntax_.file, .line = statement->place.line, .column = statement->place.column},
          fmt::format("by '{}', rows hang on other rows or on their number: they cannot be predicted alone",
                      text_of(statement->subject)),
          "Add the rows to the table of the fit, with missing cells: these are drawn with the rest");
    if (table_.row_count() == 0) throw InputError({.file = table_.name()}, "the table has no rows", "Give it rows");
  }

  void find_cells() {
    for (const std::string& column : posterior_.observed) {
      DrawnCells& cells = cells_[column];
      const std::size_t place = *table_.find_column(column);
      for (std::size_t row = 0; row < table_.row_count(); ++row)
        if (redrawn_.contains(column) || table_.is_missing(row, place)) cells.rows.push_back(row);
    }
  }

  /// Returns the number of draws.
  std::size_t draw_all(std::size_t wanted) {
    for (auto& [column, cells] : cells_) cells.draws.resize(wanted);
    std::vector<char> is_drawn(wanted);
    if (run_.stop.requested()) return 0;
    draw_one(0, wanted);  // faults of the table are found once
    is_drawn[0] = 1;
    const SharedProgress progress(run_.progress, "predicting", wanted);
    parallel_for(wanted, 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = std::max<std::size_t>(begin, 1); i < end && !run_.stop.requested(); ++i) {
        draw_one(i, wanted);
        is_drawn[i] = 1;
        progress.count_one();
      }
    });
    return static_cast<std::size_t>(std::ranges::find(is_drawn, 0) - is_drawn.begin());
  }

  void draw_one(std::size_t i, std::size_t wanted) {
    const std::size_t at = wanted < posterior_.draws ? i * posterior_.draws / wanted : i % posterior_.draws;
    NumbersByName known;
    for (const auto& [variable, elements] : posterior_.values)
      for (const auto& [name, draws] : elements) known[variable][name] = draws[at];
    const ModelData data = {.table = &table_,
                            .numbers = posterior_.numbers,
                            .earlier_members = posterior_.members,
                            .earlier_numbers = posterior_.member_numbers};
    for (const SimulatedVariable& variable :
         simulate(syntax_, data, known, redrawn_, run_.random.child("prediction", i))) {
      const auto cells = cells_.find(variable.name);
      if (cells == cells_.end()) continue;
      if (i == 0) cells->second.members = variable.members;
      for (const std::size_t row : cells->second.rows)
        cells->second.draws[i].push_back(variable.numbers[variable.element_of_row.at(row)]);
    }
  }

  PredictedColumn summary_of(const std::string& column, const DrawnCells& cells, std::size_t drawn) const {
    PredictedColumn result = {.name = column, .members = cells.members};
    if (cells.members.size() > kMostMembers)
      throw LimitError(fmt::format("column '{}' has more than {} members", column, kMostMembers));
    const std::vector<double> none(table_.row_count(), kNone);
    if (!cells.members.empty()) result.probabilities.assign(cells.members.size(), none);
    else
      for (auto* figures : {&result.mean, &result.sd, &result.low, &result.median, &result.high}) *figures = none;
    parallel_for(cells.rows.size(), 64, run_.threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> numbers(drawn);
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t draw = 0; draw < drawn; ++draw) numbers[draw] = cells.draws[draw][i];
        if (cells.members.empty()) set_numbers(numbers, cells.rows[i], result);
        else set_probabilities(numbers, cells.rows[i], result);
      }
    });
    return result;
  }

  static void set_numbers(std::vector<double>& numbers, std::size_t row, PredictedColumn& result) {
    const auto count = static_cast<double>(numbers.size());
    const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.) / count;
    double squares = 0;
    for (const double number : numbers) squares += (number - mean) * (number - mean);
    std::ranges::sort(numbers);
    result.mean[row] = mean;
    result.sd[row] = std::sqrt(squares / std::max(1., count - 1));
    result.low[row] = quantile(numbers, .05);
    result.median[row] = quantile(numbers, .5);
    result.high[row] = quantile(numbers, .95);
  }

  static void set_probabilities(const std::vector<double>& numbers, std::size_t row, PredictedColumn& result) {
    for (std::vector<double>& of_member : result.probabilities) of_member[row] = 0;
    for (const double number : numbers)
      result.probabilities[static_cast<std::size_t>(number) - 1][row] += 1. / static_cast<double>(numbers.size());
  }

  const ModelPosterior& posterior_;
  const io::Table table_;
  const Run& run_;
  const ModelSyntax syntax_;
  const std::set<std::string> redrawn_;
  std::map<std::string, DrawnCells> cells_;
};

void write(const PredictJob& job, const io::Table& table, const Prediction& prediction, const Run& run) {
  const std::vector<AddedColumn> added = added_columns(prediction);
  std::vector<std::string> names = table.columns();
  for (const AddedColumn& column : added) names.push_back(column.name);
  const std::string& path = job.options.output;
  const auto writer = io::make_table_writer(path.empty() ? "-" : path, names, job.writing);
  const auto make = [&](std::size_t row, io::TableWriter::Row& made) {
    std::vector<std::size_t> ends;
    made.own.clear();
    for (const AddedColumn& column : added) {
      const double figure = (*column.figures)[row];
      if (!std::isnan(figure)) fmt::format_to(std::back_inserter(made.own), "{:.6g}", figure);
      ends.push_back(made.own.size());
    }
    for (std::size_t i = 0; i < table.column_count(); ++i) {
      made.cells.push_back(table.cell(row, i));
      made.json.push_back(table.json(row, i));
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      made.cells.push_back(std::string_view(made.own).substr(begin, end - begin));
      made.json.push_back(made.cells.back());  // a number is written alike there
      begin = end;
    }
  };
  writer->add_rows(table.row_count(), make, run.threads);
  writer->finish();
}

}  // namespace

std::vector<AddedColumn> added_columns(const Prediction& prediction) {
  std::vector<AddedColumn> added;
  for (const PredictedColumn& column : prediction.columns) {
    if (column.members.empty())
      for (const auto& [suffix, figures] : {std::pair{"mean", &column.mean},
                                            {"sd", &column.sd},
                                            {"quantile_5", &column.low},
                                            {"median", &column.median},
                                            {"quantile_95", &column.high}})
        added.push_back({fmt::format("{}_{}", column.name, suffix), figures});
    for (std::size_t i = 0; i < column.members.size(); ++i)
      added.push_back({fmt::format("{}={}", column.name, column.members[i]), &column.probabilities[i]});
  }
  return added;
}

Prediction predict(const ModelPosterior& posterior, const io::Table& table, const PredictOptions& options,
                   const Run& run) {
  return Predictor(posterior, table, options, run).predict();
}

PredictReport predict(const PredictJob& job, const Run& whole_run) {
  const Budget budget = parse_budget({}, job.options.time_limit);
  if (budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
  const Run run = whole_run.ending_after(budget.seconds);
  run.begin_phase("reading");
  const ModelPosterior posterior = parse_posterior(
      io::read_text(io::ByteSource(job.posterior_file), kMostPosteriorBytes, "a posterior"), job.posterior_file);
  const io::Table table = io::read_table(job.data_file, job.reading, run.threads);
  PredictReport report = {.prediction = predict(posterior, table, job.predicting, run)};
  run.begin_phase("writing");
  write(job, table, report.prediction, run);
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const PredictedColumn& column : report.prediction.columns) {
    const std::vector<double>& figures = column.members.empty() ? column.mean : column.probabilities[0];
    columns.push_back({{"column", column.name},
                       {"rows", std::ranges::count_if(figures, [](double figure) { return !std::isnan(figure); })},
                       {"members", column.members}});
  }
  report.json =
      nlohmann::ordered_json{{"posterior", job.posterior_file},  {"table", job.data_file},
                             {"rows", table.row_count()},        {"predicted", std::move(columns)},
                             {"draws", report.prediction.draws}, {"seconds", seconds_since(whole_run.started)}}
          .dump();
  return report;
}

}  // namespace fovea::ep
