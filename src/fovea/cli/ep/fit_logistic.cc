// SPDX-License-Identifier: Apache-2.0
// fovea fit logistic: Bayesian logistic regression on a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/commands.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/oracle/importance_sampling.h"
#include "fovea/ep/recall/operator_file.h"
#include "fovea/ep/regression/logistic_table.h"
#include "fovea/ep/regression/operator_report.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/read_table.h"

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What computes the messages of rows.
enum class RowOracle { kQuadrature, kSampling };
constexpr auto words_of(RowOracle) {
  return std::array{Word{RowOracle::kQuadrature, "quadrature"}, Word{RowOracle::kSampling, "sampling"}};
}

struct FitLogisticOptions {
  std::string target = "y";
  std::vector<std::string> columns, ignore;
  bool no_intercept = false;
  std::string predict, predictions, time_limit, output, operator_file;
  RowOracle oracle = RowOracle::kQuadrature;
  bool jit = false;

  template <class V>
  static void describe(V&& visit) {
    using O = FitLogisticOptions;
    visit(&O::target, OptionInfo{.name = "target",
                                 .description = "The column to explain: 0 or 1, 1 or 2, false or true, no or yes."});
    visit(&O::columns, OptionInfo{.name = "columns",
                                  .description = "Explain by these columns alone; none given: by all others.",
                                  .value_name = "COLUMN"});
    visit(&O::ignore,
          OptionInfo{.name = "ignore", .description = "Columns to leave out, such as ids.", .value_name = "COLUMN"});
    visit(&O::no_intercept, OptionInfo{.name = "no-intercept", .description = "Without a weight of its own for 1."});
    visit(&O::predict, OptionInfo{.name = "predict",
                                  .description = "A table with the same columns, but for the target: the probability "
                                                 "that it is 1, for each row.",
                                  .value_name = "FILE",
                                  .file = FileRole::kInput});
    visit(&O::predictions, OptionInfo{.name = "predictions",
                                      .description = "Where to write these; - or none is standard output.",
                                      .value_name = "FILE",
                                      .file = FileRole::kOutput});
    visit(&O::time_limit,
          OptionInfo{
              .name = "time-limit", .description = "Wall clock from process start, as in 10s.", .value_name = "TIME"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the posterior as JSON; none: nowhere, but for --json.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::oracle, OptionInfo{.name = "oracle", .description = "What computes the messages of rows"});
    visit(&O::jit, OptionInfo{.name = "jit", .description = "Recall messages where that can be trusted."});
    visit(&O::operator_file, OptionInfo{.name = "operator",
                                        .description = "What was learned of these messages before, if the file is "
                                                       "there; what is learned now is written to it. Implies --jit.",
                                        .value_name = "FILE",
                                        .file = FileRole::kOutput});
  }
};

class FitLogistic : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_,
                    {.name = "DATA",
                     .description = "A table of numbers and the target; - is standard input.",
                     .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(options_);
    binder.options(fitting_, "The model");
    binder.options(recall_, "Recalling messages");
    binder.options(sampling_, "The sampling oracle");
    binder.options(reading_, "Reading tables");
  }

  void run(const Context& context) override {
    if (context.common.json && !options_.predict.empty() && is_standard(options_.predictions))
      throw UsageError("--json is a report on standard output: give the predictions a file by --predictions");
    const Budget budget = parse_budget({}, options_.time_limit);
    if (budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
    const io::Table table = io::read_table(file_, reading_);
    const ep::LogisticColumns columns = ep::logistic_columns(
        table, options_.target,
        {.has_intercept = !options_.no_intercept, .columns = options_.columns, .ignored = options_.ignore});
    const ep::LogisticRows rows = ep::logistic_rows(table, columns);
    const ep::LogisticData& data = rows.data;
    tell_of_reading(columns, rows, context);
    const Stop stop = Stop{.cancel = &context.cancel}.within(budget.seconds - seconds_since(context.started));
    const Random random(context.common.seed);
    const std::unique_ptr<ep::Operator> oracle = make_oracle();
    const std::unique_ptr<ep::JustInTime> recall = make_recall(*oracle, random, context.common.threads);
    ep::DirectSource direct(*oracle, random, context.common.threads);
    ep::MessageSource& source = recall ? static_cast<ep::MessageSource&>(*recall) : direct;
    const ep::LogisticRegressionFit fit = ep::fit_logistic(data, fitting_, source, stop, context.console.progress());
    context.console.clear_progress();
    if (recall && !options_.operator_file.empty())
      ep::write_operator(ep::learned_operator(*recall), options_.operator_file);
    Json json = report_json(data, columns, fit, context);
    json["rows_left_out"] = rows.left_out;
    if (recall) json["recall"] = Json::parse(ep::recall_json(*recall));
    const std::string report = json.dump();
    if (!options_.output.empty()) write(options_.output, report + "\n");
    if (!options_.predict.empty()) predict(columns, fit);
    if (context.common.json) context.console.out() << report << '\n';
    else if (options_.predict.empty()) context.console.out() << summary_text(data, columns, fit, recall.get());
    if (!fit.has_converged && !context.cancel.cancelled()) warn(context, fit);
  }

 private:
  /// What was done to the table that its reader may not expect.
  static void tell_of_reading(const ep::LogisticColumns& columns, const ep::LogisticRows& rows,
                              const Context& context) {
    if (rows.left_out > 0)
      context.console.note(
          fmt::format("{} of {} rows left out: a cell is missing", rows.left_out, rows.left_out + rows.data.rows()));
    if (columns.positive == "2") context.console.note("the target is 1 and 2: the probability is that of 2");
    std::string text;
    for (const ep::LogisticTerm& term : columns.terms) {
      if (term.kind == ep::LogisticTerm::Kind::kTruth)
        context.console.note(fmt::format("column '{}': true is 1 and false is 0", term.column));
      if (term.kind == ep::LogisticTerm::Kind::kText && std::exchange(text, term.column) != term.column)
        context.console.note(
            fmt::format("column '{}' holds texts: every value but the first in order has a weight of its own", text));
    }
  }

  static bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

  static void write(const std::string& path, const std::string& text) {
    io::OutputFile output(path);
    output.write(text);
    output.finish();
  }

  std::unique_ptr<ep::Operator> make_oracle() const {
    if (options_.oracle == RowOracle::kQuadrature) return std::make_unique<ep::LogisticOperator>();
    return std::make_unique<ep::ImportanceSampling>(ep::logistic_sampler(), 1, sampling_);
  }

  /// None unless asked for. Then rows settle no further than is worth while.
  std::unique_ptr<ep::JustInTime> make_recall(const ep::Operator& oracle, const Random& random, int threads) {
    if (!options_.jit && options_.operator_file.empty()) return nullptr;
    auto recall = std::make_unique<ep::JustInTime>(oracle, recall_, random.child("recall"), threads);
    if (!options_.operator_file.empty() && std::filesystem::exists(options_.operator_file))
      ep::teach(*recall, ep::read_operator(options_.operator_file), options_.operator_file);
    constexpr double kSettled = 1e-3;  // of what a message may err by: audits move them now and then
    fitting_.max_marginal_kl = std::max(fitting_.max_marginal_kl, kSettled * recall_.max_marginal_kl);
    return recall;
  }

  Json report_json(const ep::LogisticData& data, const ep::LogisticColumns& columns,
                   const ep::LogisticRegressionFit& fit, const Context& context) const {
    const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
    Json weights = Json::array();
    for (std::size_t i = 0; i < mean.size(); ++i)
      weights.push_back(
          {{"name", columns.terms[i].name()}, {"mean", mean[i]}, {"sd", std::sqrt(covariance[i * (mean.size() + 1)])}});
    return {{"target", columns.target},
            {"positive", columns.positive},
            {"rows", data.rows()},
            {"weights", std::move(weights)},
            {"covariance", covariance},
            {"log_evidence", fit.log_evidence},
            {"converged", fit.has_converged},
            {"iterations", fit.iterations},
            {"largest_marginal_kl", fit.largest_marginal_kl},
            {"messages", fit.messages},
            {"skipped", fit.skipped},
            {"seconds", seconds_since(context.started)},
            {"options", Json::parse(options_json(fitting_))}};
  }

  static std::string summary_text(const ep::LogisticData& data, const ep::LogisticColumns& columns,
                                  const ep::LogisticRegressionFit& fit, const ep::JustInTime* recall) {
    const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
    std::size_t width = 6;
    for (const ep::LogisticTerm& term : columns.terms) width = std::max(width, term.name().size());
    std::string text = fmt::format("{:<{}}  {:>10}  {:>10}\n", "weight", width, "mean", "sd");
    for (std::size_t i = 0; i < mean.size(); ++i)
      text += fmt::format("{:<{}}  {:>10.4g}  {:>10.4g}\n", columns.terms[i].name(), width, mean[i],
                          std::sqrt(covariance[i * (mean.size() + 1)]));
    text +=
        fmt::format("log evidence {:.4f} of {} rows, {} iterations\n", fit.log_evidence, data.rows(), fit.iterations);
    if (recall) {
      const ep::RecallCounts counts = recall->counts();
      text += fmt::format("{} of {} messages recalled; {} of {} audits failed\n", counts.recalled, counts.messages,
                          counts.failed_audits, counts.audits);
    }
    return text;
  }

  void predict(const ep::LogisticColumns& columns, const ep::LogisticRegressionFit& fit) const {
    const io::Table table = io::read_table(options_.predict, reading_);
    const std::vector<double> values = ep::logistic_values(table, columns);
    const ep::LogisticPredictor predictor(fit.posterior);
    const std::size_t width = columns.terms.size();
    std::string text = "probability\n";
    for (std::size_t row = 0; row < table.row_count(); ++row)
      fmt::format_to(std::back_inserter(text), "{:.6f}\n", predictor.probability({values.data() + row * width, width}));
    write(options_.predictions, text);
  }

  void warn(const Context& context, const ep::LogisticRegressionFit& fit) const {
    context.console.warn(fmt::format(
        "not converged: after {} iterations some row's marginal still moves by a divergence of {:.2g} (wanted: "
        "{:.2g}). Allow more --iterations or time, or a smaller --prior-variance",
        fit.iterations, fit.largest_marginal_kl, fitting_.max_marginal_kl));
  }

  std::string file_;
  FitLogisticOptions options_;
  ep::LogisticRegressionOptions fitting_;
  ep::JustInTimeOptions recall_;
  ep::ImportanceSamplingOptions sampling_;
  io::TableReadOptions reading_;
};

}  // namespace

CommandEntry fit_logistic_command() {
  return {.name = "fit logistic",
          .summary = "Fit a Bayesian logistic regression.",
          .description =
              "Reads a table (CSV, TSV, JSON lines, SQLite) of numbers with a target of two values and writes the "
              "posterior of the weights: a Gaussian, found by expectation propagation, with the log evidence of the "
              "model. Truth values count as 0 and 1; of texts, every value but the first has a weight of its own; rows "
              "with "
              "missing cells are left out. Weights are about the columns as they are; the prior is the same for all.",
          .examples =
              "  fovea fit logistic data.csv --target y -o posterior.json\n"
              "  fovea fit logistic data.csv --target y --predict new.csv --predictions probabilities.csv\n"
              "  fovea fit logistic data.csv --target y --ignore id,name --prior-variance 1 --json\n"
              "  fovea fit logistic data.csv --target y --oracle sampling --jit --operator logistic.operator\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<FitLogistic>(); }};
}

}  // namespace fovea::cli
