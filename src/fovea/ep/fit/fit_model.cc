// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/fit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/ep/fit/model_page.h"
#include "fovea/ep/fit/parametrisation.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"
#include "fovea/mcmc/pareto_smoothing.h"

namespace fovea::ep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 1 << 24;  // of a model file

std::map<std::string, double> numbers_of(const std::vector<std::string>& given) {
  std::map<std::string, double> numbers;
  for (const std::string& text : given) {
    const std::size_t sign = text.find('=');
    double value = 0;
    const char* end = text.data() + text.size();
    if (sign != std::string::npos && sign > 0) {
      const auto [stop, error] = std::from_chars(text.data() + sign + 1, end, value);
      if (error == std::errc() && stop == end && std::isfinite(value) &&
          numbers.emplace(text.substr(0, sign), value).second)
        continue;
    }
    throw UsageError(fmt::format("option 'given': '{}' is not NAME=NUMBER, with a name of its own", text));
  }
  return numbers;
}

/// NaN and infinities, of what never moves, are null.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// The text of a model. Of a formula, also makes the table of the rows that have all of its cells.
std::string text_of(const ModelProblem& problem, std::optional<io::Table>& whole, const Run& run) {
  if (!is_formula(problem.model)) return problem.model;
  if (problem.table == nullptr) throw UsageError("a formula needs a table");
  whole = whole_rows(problem.model, *problem.table);
  const std::size_t rows = problem.table->row_count();
  if (whole->row_count() < rows)
    run.note_that(fmt::format("{} of {} rows left out: a cell is missing", rows - whole->row_count(), rows));
  if (whole->row_count() == 0)
    throw InputError({.file = problem.table->name()}, "no row in which all columns of the formula have a cell",
                     "Fill in cells, or leave columns out of the formula");
  return model_of_formula(problem.model, problem.family, *whole);
}

/// The statements of a problem, and the data that they are bound to.
struct BoundModel {
  std::optional<io::Table> whole = {};  // of a formula: the rows that have all of its cells
  std::string text = {};
  ModelSyntax syntax = {};
  ModelData data = {};

  BoundModel(const ModelProblem& problem, const Run& run) : text(text_of(problem, whole, run)) {
    syntax = parse_model(text, is_formula(problem.model) ? "the formula" : problem.name);
    run.begin_phase("compiling");
    for (const auto& [name, value] : problem.numbers)
      if (!mentions(syntax, name))
        throw UsageError(
            fmt::format("a number is given for '{}', which the model {} does not name", name, problem.name));
    data = {.table = whole ? &*whole : problem.table, .numbers = problem.numbers};
  }
  BoundModel(const BoundModel&) = delete;
};

void warn_of(const ModelDraws& draws, const Run& run) {
  if (draws.is_gaussian)
    return run.warn_of(
        "stopped before each chain had a draw: these figures are those of a Gaussian at the posterior's mode, which "
        "nothing has checked. Allow more time, or lower option 'warm-up'");
  if (draws.is_exact) return;
  if (!draws.is_whole) run.warn_of(fmt::format("stopped early: chains have {} draws", draws.length));
  if (draws.mixing == mcmc::Mixing::kNotMixed)
    run.warn_of(
        "the chains disagree (R-hat above 1.01): these figures cannot be trusted. Give more draws and warm-up, or "
        "priors that say more");
  if (draws.mixing == mcmc::Mixing::kCannotTell)
    run.warn_of("too few effective draws (400 are needed) to tell whether the chains agree: give more draws");
  if (draws.divergences > 0)
    run.warn_of(
        fmt::format("{} of {} trajectories diverged: draws may miss a narrow part of the posterior. Raise option "
                    "'target-acceptance' towards 1, or give priors that say more",
                    draws.divergences, draws.chains * draws.length));
  if (draws.at_deepest > 0)
    run.warn_of(fmt::format("{} trajectories reached the deepest tree: raise option 'deepest-tree', or scale columns",
                            draws.at_deepest));
}

/// One ModelJob.
class ModelFit {
 public:
  ModelFit(const ModelJob& job, const Run& run) : job_(job), run_(run) {}

  ModelReport fit() {
    const Budget budget = parse_budget({}, job_.options.time_limit);
    if (budget.seconds_per_item) throw UsageError("a model is one item: leave out '/item'");
    const Run run = run_.ending_after(budget.seconds);
    run.begin_phase("reading");
    std::optional<io::Table> table;
    if (!job_.data_file.empty()) table = io::read_table(job_.data_file, job_.reading, run.threads);
    const bool is_text = is_formula(job_.model);
    const ModelProblem problem = {
        .model = is_text ? job_.model : io::read_text(io::ByteSource(job_.model), kMostBytes, "a model"),
        .name = job_.model,
        .table = table ? &*table : nullptr,
        .numbers = numbers_of(job_.options.given),
        .family = job_.options.family};
    if (job_.options.show_model) {
      if (!job_.options.report_html.empty())
        throw UsageError("option 'show-model' fits nothing that option 'report-html' could show");
      std::optional<io::Table> whole;
      const std::string text = text_of(problem, whole, run);
      return {.text = text, .json = Json{{"model", text}}.dump()};
    }
    if (job_.options.check) return check(problem, run);
    if (!job_.options.report_html.empty()) check_can_be_replaced(job_.options.report_html);
    FittedModel fitted = fit_model(problem, job_.drawing, run);
    run.begin_phase("writing");
    if (!job_.options.report_html.empty()) model_page(problem, fitted, run_).write(job_.options.report_html);
    ModelReport report = {.draws = std::move(fitted.draws)};
    report.text = table_of(report.draws);
    report.json = json_of(report.draws).dump();
    if (!job_.options.output.empty())
      write(job_.options.output,
            fmt::format("{},\"posterior\":{}}}\n", std::string_view(report.json).substr(0, report.json.size() - 1),
                        text_of(fitted.posterior)));
    if (!job_.options.draws_file.empty()) write_draws(report.draws);
    return report;
  }

 private:
  ModelReport check(const ModelProblem& problem, const Run& run) const {
    if (!job_.options.draws_file.empty())
      throw UsageError("option 'draws-file': a check has no draws of a posterior; leave one of the two out");
    const SimulationCheck check = check_model(problem, *job_.options.check, job_.drawing, run);
    ModelReport report = {.text = ep::table_of(check), .json = ep::json_of(check)};
    if (!job_.options.output.empty()) write(job_.options.output, report.json + "\n");
    if (!job_.options.report_html.empty()) check_page(problem.name, check).write(job_.options.report_html);
    return report;
  }

  static void write(const std::string& path, const std::string& text) {
    io::OutputFile output(path);
    output.write(text);
    output.finish();
  }

  static std::string table_of(const ModelDraws& draws) {
    std::size_t width = 8;
    for (const DrawnQuantity& quantity : draws.quantities) width = std::max(width, quantity.name.size());
    std::string text = fmt::format("{:<{}} {:>11} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7}\n", "variable", width, "mean",
                                   "sd", "5 %", "50 %", "95 %", "R-hat", "ESS");
    if (draws.is_exact) {
      for (const DrawnQuantity& q : draws.quantities)
        text += fmt::format("{:<{}} {:>11.5g} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7}\n", q.name, width, q.mean, "-",
                            "-", "-", "-", "-", "-");
      return text + "all unknowns were summed out: no draws are needed\n" + evidence_line(draws);
    }
    for (const DrawnQuantity& q : draws.quantities)
      text += fmt::format("{:<{}} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>7.3f} {:>7.0f}\n", q.name, width,
                          q.mean, q.sd, q.low, q.median, q.high, q.diagnosis.r_hat, q.diagnosis.bulk_effective_samples);
    text += fmt::format("{} chains of {} draws: {}; {} divergent\n", draws.chains, draws.length,
                        draws.is_gaussian ? "of a Gaussian at the mode" : word_of(draws.mixing), draws.divergences);
    return text + evidence_line(draws);
  }

  /// A line of what can be trusted; else "".
  static std::string evidence_line(const ModelDraws& draws) {
    if (!draws.log_evidence || !(draws.log_evidence->shape <= mcmc::kLargestTrustedShape)) return "";
    if (draws.is_exact) return fmt::format("log evidence {:.4f}\n", draws.log_evidence->value);
    return fmt::format("log evidence {:.2f} (standard error {:.2f})\n", draws.log_evidence->value,
                       draws.log_evidence->standard_error);
  }

  static Json evidence_of(const ModelDraws& draws) {
    if (!draws.log_evidence) return {};
    const LogEvidence& evidence = *draws.log_evidence;
    return {{"value", number_or_null(evidence.value)},
            {"standard_error", evidence.standard_error},
            {"tail_shape", number_or_null(evidence.shape)}};
  }

  Json json_of(const ModelDraws& draws) const {
    Json quantities = Json::array();
    for (const DrawnQuantity& q : draws.quantities)
      quantities.push_back({{"name", q.name},
                            {"mean", q.mean},
                            {"sd", q.sd},
                            {"quantile_5", q.low},
                            {"median", q.median},
                            {"quantile_95", q.high},
                            {"standard_error", number_or_null(q.diagnosis.standard_error)},
                            {"r_hat", number_or_null(q.diagnosis.r_hat)},
                            {"bulk_effective_samples", number_or_null(q.diagnosis.bulk_effective_samples)},
                            {"tail_effective_samples", number_or_null(q.diagnosis.tail_effective_samples)}});
    return {{"model", job_.model},
            {"variables", std::move(quantities)},
            {"chains", draws.chains},
            {"draws", draws.length},
            {"mixing", word_of(draws.mixing)},
            {"divergences", draws.divergences},
            {"at_deepest_tree", draws.at_deepest},
            {"evaluations", draws.evaluations},
            {"whole", draws.is_whole},
            {"log_evidence", evidence_of(draws)},
            {"gaussian", draws.is_gaussian},
            {"exact", draws.is_exact},
            {"seconds", seconds_since(run_.started)},
            {"options", Json::parse(options_json(job_.drawing))}};
  }

  void write_draws(const ModelDraws& draws) const {
    io::OutputFile output(job_.options.draws_file);
    std::string line = "chain,draw";
    for (const DrawnQuantity& quantity : draws.quantities)
      line += quantity.name.find(',') == std::string::npos ? "," + quantity.name : ",\"" + quantity.name + "\"";
    output.write(line + "\n");
    for (std::size_t chain = 0; chain < draws.chains; ++chain)
      for (std::size_t draw = 0; draw < draws.length; ++draw) {
        line = fmt::format("{},{}", chain + 1, draw + 1);
        for (std::size_t q = 0; q < draws.quantities.size(); ++q)
          fmt::format_to(std::back_inserter(line), ",{}", draws.chain(q, chain)[draw]);
        output.write(line + "\n");
      }
    output.finish();
  }

  const ModelJob& job_;
  const Run& run_;
};

}  // namespace

FittedModel fit_model(const ModelProblem& problem, const ModelDrawOptions& options, const Run& run) {
  BoundModel bound(problem, run);
  const CompiledModel model = compile_to_draw(bound.syntax, bound.data, run.random.child("form"), run.stop);
  FittedModel fitted = {.draws = draw_model(model, options, run)};
  if (fitted.draws.length == 0 && run.is_cancelled()) throw CancelledError("interrupted before there was a draw");
  if (fitted.draws.length == 0)
    throw LimitError("the time was over before there was a draw: allow more, or lower option 'warm-up'");
  warn_of(fitted.draws, run);
  fitted.posterior = posterior_of(bound.syntax, std::move(bound.text), bound.data, model, fitted.draws);
  return fitted;
}

SimulationCheck check_model(const ModelProblem& problem, int data_sets, const ModelDrawOptions& options,
                            const Run& run) {
  const BoundModel bound(problem, run);
  return check_by_simulation(bound.syntax, bound.data, static_cast<std::size_t>(data_sets), options, run);
}

ModelReport fit_model(const ModelJob& job, const Run& run) { return ModelFit(job, run).fit(); }

}  // namespace fovea::ep
