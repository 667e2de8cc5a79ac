// SPDX-License-Identifier: Apache-2.0
// fovea synth dnf: a formula of linear inequalities that says of each row what its label says.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/read_table.h"
#include "fovea/synthesis/examples/labelled_rows.h"
#include "fovea/synthesis/formula_search/dnf_search.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SynthDnfOptions {
  int coefficients = 1;
  std::vector<std::string> constants;
  bool octagons = false, equations = false;
  std::string time_limit, budget, output;

  template <class V>
  static void describe(V&& visit) {
    using O = SynthDnfOptions;
    visit(&O::coefficients, OptionInfo{.name = "coefficients",
                                       .description = "Inequalities have all coefficients in -N .. N; 0: only those "
                                                      "of --octagons.",
                                       .min = 0,
                                       .max = 15});
    visit(&O::constants, OptionInfo{.name = "constants",
                                    .description = "What they may be bounded by; default: what the rows suggest.",
                                    .value_name = "N"});
    visit(&O::octagons, OptionInfo{.name = "octagons", .description = "Also try x and +-x +-y on their own."});
    visit(&O::equations,
          OptionInfo{.name = "equations", .description = "With --octagons: also try = and !=, each as one atom."});
    visit(&O::time_limit, OptionInfo{.name = "time-limit",
                                     .description = "Wall clock from process start to exit, as in 10s; without limits "
                                                    "the search ends after 60s.",
                                     .value_name = "TIME"});
    visit(&O::budget, OptionInfo{.name = "budget",
                                 .description = "Work, as in '1e6 transitions': the same answer on every run.",
                                 .value_name = "COUNT"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the formula; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
  }
};

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
    throw UsageError(fmt::format("--constants {}: integers of 64 bits are allowed", text));
  return value;
}

class SynthDnf : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        file_, {.name = "EXAMPLES", .description = "Rows with labels; - is standard input.", .file = FileRole::kInput},
        Binder::Presence::kRequired);
    binder.options(search_, "The search");
    binder.options(options_);
    binder.options(reading_, "Reading tables");
  }

  void run(const Context& context) override {
    const Budget budget = parse_budget(options_.budget, options_.time_limit);
    if (budget.per_item || budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
    if (budget.sweeps < Budget::kUnlimited || budget.factors < Budget::kUnlimited ||
        budget.oracle_calls < Budget::kUnlimited)
      throw UsageError(fmt::format("--budget {}: a search for a formula is counted in transitions", options_.budget));
    const io::Table table = io::read_table(file_, reading_);
    const synthesis::LabelledRows labelled = synthesis::labelled_rows(table);
    if (labelled.examples.contradiction()) refuse(table, labelled);
    search_.seed = context.common.seed;
    synthesis::DnfSearch search(choice(labelled.examples), search_);
    const std::optional<synthesis::Dnf> found =
        search.find(labelled.examples, budget, stop_for(context, budget), context.console.progress());
    context.console.clear_progress();
    const synthesis::Dnf formula =
        synthesis::simplified(synthesis::shortened(found ? *found : search.best(), labelled.examples));
    const std::vector<std::size_t> wrong = wrong_rows(labelled, formula);
    if (context.common.json) write(report(table, labelled, search, formula, wrong, context).dump() + "\n");
    else if (found) write(formula.text(labelled.names) + "\n");
    if (found) return note(context, search);
    fail(context, table, labelled, search, formula, wrong);
  }

 private:
  [[noreturn]] static void refuse(const io::Table& table, const synthesis::LabelledRows& labelled) {
    const auto [good, bad] = *labelled.examples.contradiction();
    const InputLocation first = table.location(labelled.rows[good]), second = table.location(labelled.rows[bad]);
    throw InfeasibleError(fmt::format("{}:{} and {}:{} contradict each other: the row {} is labelled true and false",
                                      first.file, first.line, second.file, second.line,
                                      fmt::join(labelled.examples.row(good), ",")));
  }

  synthesis::AtomChoice choice(const synthesis::ExampleSet& examples) const {
    synthesis::AtomChoice choice = {.variables = examples.variables(),
                                    .coefficient_range = options_.coefficients,
                                    .bounds = {},
                                    .octagons = options_.octagons,
                                    .equations = options_.equations};
    for (const std::string& text : options_.constants) choice.bounds.push_back(constant_of(text));
    if (choice.bounds.empty()) choice.bounds = synthesis::mined_constants(examples);
    return choice;
  }

  Stop stop_for(const Context& context, const Budget& budget) const {
    const bool is_unlimited = options_.time_limit.empty() && options_.budget.empty();
    const double seconds = is_unlimited ? kDefaultSynthSeconds : budget.seconds;
    const double spent = seconds_since(context.started);
    return Stop{.cancel = &context.cancel}.within(seconds - spent);
  }

  static std::vector<std::size_t> wrong_rows(const synthesis::LabelledRows& labelled, const synthesis::Dnf& formula) {
    std::vector<std::size_t> wrong;
    for (std::size_t example = 0; example < labelled.examples.size(); ++example)
      if (labelled.examples.errs(formula, example)) wrong.push_back(labelled.rows[example]);
    return wrong;
  }

  void write(const std::string& text) const {
    io::OutputFile output(options_.output);
    output.write(text);
    output.finish();
  }

  std::string guarantee(const std::optional<mcmc::MixingBound>& bound) const {
    if (search_.stages == synthesis::SearchStages::kPortfolio)
      return "no guarantee: which chain of the portfolio goes on depends on what was found before";
    if (!bound) return "no guarantee: without restarts a chain may stay where it is";
    return fmt::format("the chain's spectral gap is at least {:.3g}, whatever the rows (b = {})", bound->tight_gap(),
                       bound->b);
  }

  void note(const Context& context, const synthesis::DnfSearch& search) const {
    if (context.common.json) return;
    context.console.note(
        fmt::format("{} steps, {} restarts; {}", search.steps(), search.restarts(), guarantee(search.mixing_bound())));
  }

  Json report(const io::Table& table, const synthesis::LabelledRows& labelled, const synthesis::DnfSearch& search,
              const synthesis::Dnf& formula, const std::vector<std::size_t>& wrong, const Context& context) const {
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
                 {"seconds", seconds_since(context.started)},
                 {"mixing_bound", nullptr},
                 {"guarantee", guarantee(bound)},
                 {"options", Json::parse(options_json(search_))}};
    if (bound)
      json["mixing_bound"] = {{"a", bound->a},
                              {"b", bound->b},
                              {"gamma", bound->gamma},
                              {"gap", bound->gap()},
                              {"tight_gap", bound->tight_gap()}};
    return json;
  }

  /// Without a formula: what came nearest, and where it errs.
  [[noreturn]] void fail(const Context& context, const io::Table& table, const synthesis::LabelledRows& labelled,
                         const synthesis::DnfSearch& search, const synthesis::Dnf& formula,
                         const std::vector<std::size_t>& wrong) const {
    std::string lines;
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostRowsNamed); ++i)
      lines += fmt::format("{}{}", i == 0 ? "" : ", ", table.location(wrong[i]).line);
    if (wrong.size() > kMostRowsNamed) lines += ", ...";
    const std::string nearest =
        fmt::format("the best, {}, errs on {} of {} rows: lines {}", formula.text(labelled.names), wrong.size(),
                    labelled.examples.size(), lines);
    if (context.cancel.cancelled()) throw CancelledError("interrupted; " + nearest);
    throw LimitError(
        fmt::format("no formula of {} terms with {} atoms was found in {} steps; {}. Allow more time, "
                    "terms, atoms or coefficients",
                    search_.terms, search_.atoms, search.steps(), nearest));
  }

  std::string file_;
  synthesis::DnfSearchOptions search_;
  SynthDnfOptions options_;
  io::TableReadOptions reading_;
};

}  // namespace

CommandEntry synth_dnf_command() {
  return {.name = "synth dnf",
          .summary = "Find a formula that says of each row of integers what its label says.",
          .description =
              "Reads a table (CSV, TSV, JSON lines, SQLite): integers, and in the last column true, false, 1 or 0. "
              "Writes a disjunction of conjunctions of linear inequalities that holds for just the rows labelled true. "
              "Rows that contradict each other: exit 4. No formula within the limits: exit 5, and what came nearest.",
          .examples =
              "  fovea synth dnf examples.csv --terms 3 --atoms 3\n"
              "  fovea synth dnf examples.csv --terms 2 --stages 2 --temperature .5 --budget '1e7 transitions'\n"
              "  fovea synth dnf examples.csv --octagons --equations --coefficients 0 --time-limit 10s --json\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<SynthDnf>(); }};
}

}  // namespace fovea::cli
