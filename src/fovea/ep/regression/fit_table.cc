// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/fit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/recall/operator_file.h"
#include "fovea/ep/regression/logistic_page.h"
#include "fovea/ep/regression/logistic_table.h"
#include "fovea/ep/regression/operator_report.h"
#include "fovea/io/output_file.h"

namespace fovea::ep {
namespace {

using Json = nlohmann::ordered_json;

/// One call of fit_table().
class TableFit {
 public:
  explicit TableFit(LogisticJob job) : job_(std::move(job)) {}

  LogisticReport run(const Run& whole) {
    const Budget budget = parse_budget({}, job_.options.time_limit);
    if (budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
    const Run run = whole.ending_after(budget.seconds);
    if (!job_.options.report_html.empty()) check_can_be_replaced(job_.options.report_html);
    const auto [columns, rows] = read_rows(run);
    run.begin_phase("fitting");
    const LogisticData& data = rows.data;
    const Random& random = run.random;
    const std::unique_ptr<Operator> oracle = make_oracle();
    const std::unique_ptr<JustInTime> recall = make_recall(*oracle, random, run.threads);
    DirectSource direct(*oracle, random, run.threads);
    MessageSource& source = recall ? static_cast<MessageSource&>(*recall) : direct;
    const LogisticRegressionFit fit = fit_logistic(data, job_.fitting, source, run);
    if (recall && !job_.options.operator_file.empty())
      write_operator(learned_operator(*recall), job_.options.operator_file);
    run.begin_phase("writing");
    Json json = report_json(data, columns, fit, run);
    json["rows_left_out"] = rows.left_out;
    if (recall) json["recall"] = Json::parse(recall_json(*recall));
    const std::string report = json.dump();
    if (!job_.options.output.empty()) write(job_.options.output, report + "\n");
    if (!job_.options.report_html.empty())
      logistic_page(job_.file, columns, data, fit, recall.get()).write(job_.options.report_html);
    if (!job_.options.predict.empty()) predict(columns, fit, run.threads);
    if (!fit.has_converged && !run.is_cancelled()) warn(run, fit);
    return {.text = summary_text(data, columns, fit, recall.get()), .json = report};
  }

 private:
  /// Reads the table, which takes more memory than its rows.
  std::pair<LogisticColumns, LogisticRows> read_rows(const Run& run) const {
    run.begin_phase("reading");
    const io::Table table = io::read_table(job_.file, job_.reading, run.threads);
    run.begin_phase("numbers");
    LogisticColumns columns = logistic_columns(
        table, job_.options.target,
        {.has_intercept = !job_.options.no_intercept, .columns = job_.options.columns, .ignored = job_.options.ignore},
        run.threads);
    LogisticRows rows = logistic_rows(table, columns, run.threads);
    tell_of_reading(columns, rows, run);
    return {std::move(columns), std::move(rows)};
  }

  /// Notes what was done to the table that its user may not expect.
  static void tell_of_reading(const LogisticColumns& columns, const LogisticRows& rows, const Run& run) {
    if (rows.left_out > 0)
      run.note_that(
          fmt::format("{} of {} rows left out: a cell is missing", rows.left_out, rows.left_out + rows.data.rows()));
    if (columns.positive == "2") run.note_that("the target is 1 and 2: the probability is that of 2");
    std::string text;
    for (const LogisticTerm& term : columns.terms) {
      if (term.kind == LogisticTerm::Kind::kTruth)
        run.note_that(fmt::format("column '{}': true is 1 and false is 0", term.column));
      if (term.kind == LogisticTerm::Kind::kText && std::exchange(text, term.column) != term.column)
        run.note_that(
            fmt::format("column '{}' holds texts: every value but the first in order has a weight of its own", text));
    }
  }

  static void write(const std::string& path, const std::string& text) {
    io::OutputFile output(path);
    output.write(text);
    output.finish();
  }

  std::unique_ptr<Operator> make_oracle() const {
    if (job_.options.oracle == RowOracle::kQuadrature) return std::make_unique<LogisticOperator>();
    return std::make_unique<ImportanceSampling>(logistic_sampler(), 1, job_.sampling);
  }

  /// Makes the source that recalls messages, if the job asks for one. Convergence of rows is then tested no more
  /// strictly than recalled messages allow.
  std::unique_ptr<JustInTime> make_recall(const Operator& oracle, const Random& random, int threads) {
    if (!job_.options.jit && job_.options.operator_file.empty()) return nullptr;
    auto recall = std::make_unique<JustInTime>(oracle, job_.recall, random.child("recall"), threads);
    if (!job_.options.operator_file.empty() && std::filesystem::exists(job_.options.operator_file))
      teach(*recall, read_operator(job_.options.operator_file), job_.options.operator_file);
    constexpr double kSettled = 1e-3;  // share of the allowed error: audits move rows now and then
    job_.fitting.max_marginal_kl = std::max(job_.fitting.max_marginal_kl, kSettled * job_.recall.max_marginal_kl);
    return recall;
  }

  Json report_json(const LogisticData& data, const LogisticColumns& columns, const LogisticRegressionFit& fit,
                   const Run& run) const {
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
            {"seconds", seconds_since(run.started)},
            {"options", Json::parse(options_json(job_.fitting))}};
  }

  static std::string summary_text(const LogisticData& data, const LogisticColumns& columns,
                                  const LogisticRegressionFit& fit, const JustInTime* recall) {
    const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
    std::size_t width = 6;
    for (const LogisticTerm& term : columns.terms) width = std::max(width, term.name().size());
    std::string text = fmt::format("{:<{}}  {:>10}  {:>10}\n", "weight", width, "mean", "sd");
    for (std::size_t i = 0; i < mean.size(); ++i)
      text += fmt::format("{:<{}}  {:>10.4g}  {:>10.4g}\n", columns.terms[i].name(), width, mean[i],
                          std::sqrt(covariance[i * (mean.size() + 1)]));
    const std::string evidence = std::isnan(fit.log_evidence) ? "unknown" : fmt::format("{:.4f}", fit.log_evidence);
    text += fmt::format("log evidence {} of {} rows, {} iterations\n", evidence, data.rows(), fit.iterations);
    if (recall) {
      const RecallCounts counts = recall->counts();
      text += fmt::format("{} of {} messages recalled; {} of {} audits failed\n", counts.recalled, counts.messages,
                          counts.failed_audits, counts.audits);
      if (counts.is_off) text += "recall was given up: the oracle is as fast (option 'jit-always' keeps it)\n";
    }
    return text;
  }

  void predict(const LogisticColumns& columns, const LogisticRegressionFit& fit, int threads) const {
    const io::Table table = io::read_table(job_.options.predict, job_.reading, threads);
    const std::vector<double> values = logistic_values(table, columns, threads);
    const LogisticPredictor predictor(fit.posterior);
    const std::size_t width = columns.terms.size();
    std::vector<double> probabilities(table.row_count());
    constexpr std::size_t kGrain = 1024;
    parallel_for(probabilities.size(), kGrain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        probabilities[row] = predictor.probability({values.data() + row * width, width});
    });
    std::string text = "probability\n";
    for (const double probability : probabilities) fmt::format_to(std::back_inserter(text), "{:.6f}\n", probability);
    write(job_.options.predictions, text);
  }

  void warn(const Run& run, const LogisticRegressionFit& fit) const {
    run.warn_of(fmt::format(
        "not converged: after {} iterations some row's marginal still moves by a divergence of {:.2g} (wanted: "
        "{:.2g}). Raise option 'iterations', allow more time, or lower option 'prior-variance'",
        fit.iterations, fit.largest_marginal_kl, job_.fitting.max_marginal_kl));
  }

  LogisticJob job_;
};

}  // namespace

LogisticReport fit_table(LogisticJob job, const Run& run) { return TableFit(std::move(job)).run(run); }

}  // namespace fovea::ep
