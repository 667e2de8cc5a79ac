// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/learn_rule.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDefaultSynthSeconds = 60;

std::int64_t constant_of(const std::string& text) {
  std::size_t used = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used == 0 || used != text.size())
    throw UsageError(fmt::format("option 'constants {}': integers of 64 bits are allowed", text));
  return value;
}

AtomChoice choice_of(const RuleOptions& options, const ExampleSet& examples) {
  AtomChoice choice = {.variables = examples.variables(),
                       .coefficient_range = options.coefficients,
                       .bounds = {},
                       .octagons = options.octagons,
                       .equations = options.equations};
  for (const std::string& text : options.constants) choice.bounds.push_back(constant_of(text));
  if (choice.bounds.empty()) choice.bounds = mined_constants(examples);
  return choice;
}

Stop stop_for(const RuleOptions& options, const Budget& limits, const Run& run) {
  const bool is_unlimited = options.time_limit.empty() && options.budget.empty();
  const double seconds = is_unlimited ? kDefaultSynthSeconds : limits.seconds;
  const double spent = seconds_since(run.started);
  return run.stop.within(seconds - spent);
}

std::string guarantee_of(SearchStages stages, const std::optional<mcmc::MixingBound>& bound) {
  if (stages == SearchStages::kPortfolio)
    return "no guarantee: which chain of the portfolio goes on depends on what was found before";
  if (!bound) return "no guarantee: without restarts a chain may stay where it is";
  return fmt::format("the chain's spectral gap is at least {:.3g}, whatever the rows (b = {})", bound->tight_gap(),
                     bound->b);
}

std::vector<std::size_t> wrong_rows(const LabelledRows& labelled, const Dnf& formula) {
  std::vector<std::size_t> wrong;
  for (std::size_t example = 0; example < labelled.examples.size(); ++example)
    if (labelled.examples.errs(formula, example)) wrong.push_back(labelled.rows[example]);
  return wrong;
}

}  // namespace

Budget RuleOptions::limits() const {
  const Budget limits = parse_budget(budget, time_limit);
  if (limits.per_item || limits.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
  if (limits.sweeps < Budget::kUnlimited || limits.factors < Budget::kUnlimited ||
      limits.oracle_calls < Budget::kUnlimited)
    throw UsageError(fmt::format("option 'budget {}': a search for a formula is counted in transitions", budget));
  return limits;
}

std::string LearnedRule::brief() const { return fmt::format("{} steps, {} restarts; {}", steps, restarts, guarantee); }

std::string LearnedRule::json() const {
  Json report = {
      {"formula", text()},       {"smt", formula.smt_text(names)}, {"complete", wrong_rows.empty()},
      {"examples", examples},    {"errors", wrong_rows.size()},    {"error_lines", wrong_lines},
      {"transitions", steps},    {"restarts", restarts},           {"seconds", seconds},
      {"mixing_bound", nullptr}, {"guarantee", guarantee},         {"options", Json::parse(options_json(search))}};
  if (mixing_bound)
    report["mixing_bound"] = {{"a", mixing_bound->a},
                              {"b", mixing_bound->b},
                              {"gamma", mixing_bound->gamma},
                              {"gap", mixing_bound->gap()},
                              {"tight_gap", mixing_bound->tight_gap()}};
  return report.dump();
}

LearnedRule learn_rule(const LabelledRows& rows, RuleJob job, const Run& run) {
  const Budget limits = job.options.limits();
  if (rows.examples.contradiction()) {
    const auto [good, bad] = *rows.examples.contradiction();
    throw InfeasibleError(fmt::format("rows {} and {} contradict each other: the row {} is labelled true and false",
                                      rows.rows[good] + 1, rows.rows[bad] + 1,
                                      fmt::join(rows.examples.row(good), ",")));
  }
  job.search.seed = run.random.key();
  DnfSearch search(choice_of(job.options, rows.examples), job.search);
  const std::optional<Dnf> found = search.find(rows.examples, limits, stop_for(job.options, limits, run), run.progress);
  LearnedRule rule = {.is_found = found.has_value(),
                      .formula = simplified(shortened(found ? *found : search.best(), rows.examples)),
                      .names = rows.names,
                      .examples = rows.examples.size(),
                      .steps = search.steps(),
                      .restarts = search.restarts(),
                      .mixing_bound = search.mixing_bound(),
                      .search = job.search};
  rule.wrong_rows = wrong_rows(rows, rule.formula);
  for (const std::size_t row : rule.wrong_rows) rule.wrong_lines.push_back(row + 1);
  rule.guarantee = guarantee_of(job.search.stages, rule.mixing_bound);
  rule.seconds = seconds_since(run.started);
  return rule;
}

}  // namespace fovea::synthesis
