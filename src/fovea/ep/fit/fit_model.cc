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

#include "fovea/base/error.h"
#include "fovea/ep/fit/parametrisation.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

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

/// One call of fit_model().
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
    const std::string text = model_text(table);
    if (job_.options.show_model) return {.text = text, .json = Json{{"model", text}}.dump()};
    const ModelSyntax syntax = parse_model(text, is_formula(job_.model) ? "the formula" : job_.model);
    run.begin_phase("compiling");
    const std::map<std::string, double> numbers = numbers_of(job_.options.given);
    for (const auto& [name, value] : numbers)
      if (!mentions(syntax, name))
        throw UsageError(fmt::format("option 'given': the model {} has no '{}'", job_.model, name));
    const ModelData data = {.table = table ? &*table : nullptr, .numbers = numbers};
    const CompiledModel model = compile_to_draw(syntax, data, run.random.child("form"), run.stop);
    ModelReport report = {.draws = draw_model(model, job_.drawing, run)};
    if (report.draws.length == 0 && run.is_cancelled())
      throw CancelledError("interrupted before each chain had a draw");
    if (report.draws.length == 0)
      throw LimitError("the time was over before each chain had a draw: allow more, or lower option 'warm-up'");
    run.begin_phase("writing");
    report.text = text_of(report.draws);
    report.json = json_of(report.draws);
    if (!job_.options.output.empty()) write(job_.options.output, report.json + "\n");
    if (!job_.options.draws_file.empty()) write_draws(report.draws);
    warn(report.draws);
    return report;
  }

 private:
  /// The text of the model; of a formula, also leaves out rows with missing cells.
  std::string model_text(std::optional<io::Table>& table) const {
    if (!is_formula(job_.model)) return io::read_text(io::ByteSource(job_.model), kMostBytes, "a model");
    if (!table) throw UsageError("a formula needs a table: name it after the formula");
    const std::size_t rows = table->row_count();
    table = whole_rows(job_.model, *table);
    if (table->row_count() < rows)
      run_.note_that(fmt::format("{} of {} rows left out: a cell is missing", rows - table->row_count(), rows));
    if (table->row_count() == 0)
      throw InputError({.file = job_.data_file}, "no row in which all columns of the formula have a cell",
                       "Fill in cells, or leave columns out of the formula");
    return model_of_formula(job_.model, job_.options.family, *table);
  }

  static void write(const std::string& path, const std::string& text) {
    io::OutputFile output(path);
    output.write(text);
    output.finish();
  }

  static std::string text_of(const ModelDraws& draws) {
    std::size_t width = 8;
    for (const DrawnQuantity& quantity : draws.quantities) width = std::max(width, quantity.name.size());
    std::string text = fmt::format("{:<{}} {:>11} {:>11} {:>11} {:>11} {:>11} {:>7} {:>7}\n", "variable", width, "mean",
                                   "sd", "5 %", "50 %", "95 %", "R-hat", "ESS");
    for (const DrawnQuantity& q : draws.quantities)
      text += fmt::format("{:<{}} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>7.3f} {:>7.0f}\n", q.name, width,
                          q.mean, q.sd, q.low, q.median, q.high, q.diagnosis.r_hat, q.diagnosis.bulk_effective_samples);
    if (draws.is_exact) return text + "all unknowns were summed out: no draws are needed\n";
    return text + fmt::format("{} chains of {} draws: {}; {} divergent\n", draws.chains, draws.length,
                              draws.is_gaussian ? "of a Gaussian at the mode" : word_of(draws.mixing),
                              draws.divergences);
  }

  std::string json_of(const ModelDraws& draws) const {
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
    const Json report = {{"model", job_.model},
                         {"variables", std::move(quantities)},
                         {"chains", draws.chains},
                         {"draws", draws.length},
                         {"mixing", word_of(draws.mixing)},
                         {"divergences", draws.divergences},
                         {"at_deepest_tree", draws.at_deepest},
                         {"evaluations", draws.evaluations},
                         {"whole", draws.is_whole},
                         {"gaussian", draws.is_gaussian},
                         {"exact", draws.is_exact},
                         {"seconds", seconds_since(run_.started)},
                         {"options", Json::parse(options_json(job_.drawing))}};
    return report.dump();
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

  void warn(const ModelDraws& draws) const {
    if (draws.is_gaussian)
      return run_.warn_of(
          "stopped before each chain had a draw: these figures are those of a Gaussian at the posterior's mode, which "
          "nothing has checked. Allow more time, or lower option 'warm-up'");
    if (draws.is_exact) return;
    if (!draws.is_whole) run_.warn_of(fmt::format("stopped early: chains have {} draws", draws.length));
    if (draws.mixing == mcmc::Mixing::kNotMixed)
      run_.warn_of(
          "the chains disagree (R-hat above 1.01): these figures cannot be trusted. Give more draws and warm-up, or "
          "priors that say more");
    if (draws.mixing == mcmc::Mixing::kCannotTell)
      run_.warn_of("too few effective draws (400 are needed) to tell whether the chains agree: give more draws");
    if (draws.divergences > 0)
      run_.warn_of(
          fmt::format("{} of {} trajectories diverged: draws may miss a narrow part of the posterior. Raise option "
                      "'target-acceptance' towards 1, or give priors that say more",
                      draws.divergences, draws.chains * draws.length));
    if (draws.at_deepest > 0)
      run_.warn_of(fmt::format(
          "{} trajectories reached the deepest tree: raise option 'deepest-tree', or scale columns", draws.at_deepest));
  }

  const ModelJob& job_;
  const Run& run_;
};

}  // namespace

ModelReport fit_model(const ModelJob& job, const Run& run) { return ModelFit(job, run).fit(); }

}  // namespace fovea::ep
