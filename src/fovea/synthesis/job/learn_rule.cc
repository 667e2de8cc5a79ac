// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/learn_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/examples/labelled_rows.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDefaultSynthSeconds = 60;
constexpr std::size_t kMostRowsNamed = 10;

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

/// One call of learn_rule().
class RuleLearning {
 public:
  explicit RuleLearning(RuleJob job) : job_(std::move(job)) {}

  void run(const Run& run) {
    const Budget budget = parse_budget(job_.options.budget, job_.options.time_limit);
    if (budget.per_item || budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
    if (budget.sweeps < Budget::kUnlimited || budget.factors < Budget::kUnlimited ||
        budget.oracle_calls < Budget::kUnlimited)
      throw UsageError(
          fmt::format("option 'budget {}': a search for a formula is counted in transitions", job_.options.budget));
    const io::Table table = io::read_table(job_.file, job_.reading);
    const LabelledRows labelled = labelled_rows(table);
    if (labelled.examples.contradiction()) refuse(table, labelled);
    job_.search.seed = run.random.key();
    DnfSearch search(choice(labelled.examples), job_.search);
    const std::optional<Dnf> found = search.find(labelled.examples, budget, stop_for(run, budget), run.progress);
    const Dnf formula = simplified(shortened(found ? *found : search.best(), labelled.examples));
    const std::vector<std::size_t> wrong = wrong_rows(labelled, formula);
    if (job_.as_json) write(report(table, labelled, search, formula, wrong, run).dump() + "\n");
    else if (found) write(formula.text(labelled.names) + "\n");
    if (found) return note(run, search);
    fail(run, table, labelled, search, formula, wrong);
  }

 private:
  [[noreturn]] static void refuse(const io::Table& table, const LabelledRows& labelled) {
    const auto [good, bad] = *labelled.examples.contradiction();
    const InputLocation first = table.location(labelled.rows[good]), second = table.location(labelled.rows[bad]);
    throw InfeasibleError(fmt::format("{}:{} and {}:{} contradict each other: the row {} is labelled true and false",
                                      first.file, first.line, second.file, second.line,
                                      fmt::join(labelled.examples.row(good), ",")));
  }

  AtomChoice choice(const ExampleSet& examples) const {
    AtomChoice choice = {.variables = examples.variables(),
                         .coefficient_range = job_.options.coefficients,
                         .bounds = {},
                         .octagons = job_.options.octagons,
                         .equations = job_.options.equations};
    for (const std::string& text : job_.options.constants) choice.bounds.push_back(constant_of(text));
    if (choice.bounds.empty()) choice.bounds = mined_constants(examples);
    return choice;
  }

  Stop stop_for(const Run& run, const Budget& budget) const {
    const bool is_unlimited = job_.options.time_limit.empty() && job_.options.budget.empty();
    const double seconds = is_unlimited ? kDefaultSynthSeconds : budget.seconds;
    const double spent = seconds_since(run.started);
    return run.stop.within(seconds - spent);
  }

  static std::vector<std::size_t> wrong_rows(const LabelledRows& labelled, const Dnf& formula) {
    std::vector<std::size_t> wrong;
    for (std::size_t example = 0; example < labelled.examples.size(); ++example)
      if (labelled.examples.errs(formula, example)) wrong.push_back(labelled.rows[example]);
    return wrong;
  }

  void write(const std::string& text) const {
    io::OutputFile output(job_.options.output);
    output.write(text);
    output.finish();
  }

  std::string guarantee(const std::optional<mcmc::MixingBound>& bound) const {
    if (job_.search.stages == SearchStages::kPortfolio)
      return "no guarantee: which chain of the portfolio goes on depends on what was found before";
    if (!bound) return "no guarantee: without restarts a chain may stay where it is";
    return fmt::format("the chain's spectral gap is at least {:.3g}, whatever the rows (b = {})", bound->tight_gap(),
                       bound->b);
  }

  void note(const Run& run, const DnfSearch& search) const {
    if (job_.as_json) return;
    run.note_that(
        fmt::format("{} steps, {} restarts; {}", search.steps(), search.restarts(), guarantee(search.mixing_bound())));
  }

  Json report(const io::Table& table, const LabelledRows& labelled, const DnfSearch& search, const Dnf& formula,
              const std::vector<std::size_t>& wrong, const Run& run) const {
    const std::optional<mcmc::MixingBound> bound = search.mixing_bound();
    Json lines = Json::array();
    for (std::size_t row : wrong) lines.push_back(table.location(row).line);
    Json json = {{"formula", formula.text(labelled.names)},
                 {"smt", formula.smt_text(labelled.names)},
                 {"complete", wrong.empty()},
                 {"examples", labelled.examples.size()},
                 {"errors", wrong.size()},
                 {"error_lines", std::move(lines)},
                 {"transitions", search.steps()},
                 {"restarts", search.restarts()},
                 {"seconds", seconds_since(run.started)},
                 {"mixing_bound", nullptr},
                 {"guarantee", guarantee(bound)},
                 {"options", Json::parse(options_json(job_.search))}};
    if (bound)
      json["mixing_bound"] = {{"a", bound->a},
                              {"b", bound->b},
                              {"gamma", bound->gamma},
                              {"gap", bound->gap()},
                              {"tight_gap", bound->tight_gap()}};
    return json;
  }

  /// Reports that no formula was found, with the best one and the rows that it gets wrong.
  [[noreturn]] void fail(const Run& run, const io::Table& table, const LabelledRows& labelled, const DnfSearch& search,
                         const Dnf& formula, const std::vector<std::size_t>& wrong) const {
    std::string lines;
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostRowsNamed); ++i)
      lines += fmt::format("{}{}", i == 0 ? "" : ", ", table.location(wrong[i]).line);
    if (wrong.size() > kMostRowsNamed) lines += ", ...";
    const std::string nearest =
        fmt::format("the best, {}, errs on {} of {} rows: lines {}", formula.text(labelled.names), wrong.size(),
                    labelled.examples.size(), lines);
    if (run.is_cancelled()) throw CancelledError("interrupted; " + nearest);
    throw LimitError(
        fmt::format("no formula of {} terms with {} atoms was found in {} steps; {}. Allow more time, "
                    "terms, atoms or coefficients",
                    job_.search.terms, job_.search.atoms, search.steps(), nearest));
  }

  RuleJob job_;
};

}  // namespace

void learn_rule(RuleJob job, const Run& run) { RuleLearning(std::move(job)).run(run); }

}  // namespace fovea::synthesis
