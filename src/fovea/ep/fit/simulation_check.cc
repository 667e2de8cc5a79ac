// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/simulation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/ep/fit/parametrisation.h"
#include "fovea/ep/fit/shared_progress.h"
#include "fovea/ep/language/simulate.h"

namespace fovea::ep {
namespace {

constexpr double kDoubtfulBelow = .05, kWrongBelow = .001;
constexpr std::size_t kFewestRanked = 9, kMostRanked = 199;  // draws that a number is ranked among

/// Answer of one data set.
struct Ranks {
  std::map<std::string, double> ranks = {};  // by the quantity's name
  bool has_mixed = false;
};

/// One call of check_by_simulation().
class Checker {
 public:
  Checker(const ModelSyntax& syntax, const ModelData& data, const ModelDrawOptions& options, const Run& run)
      : syntax_(syntax), data_(data), options_(options), run_(run) {
    for (const std::string& column : observed_columns(syntax, data)) observed_.insert(column);
    for (const Statement& statement : syntax.statements)
      if (statement.is_random && statement.value.name == "censored")
        throw InputError(
            {.file = syntax.file, .line = statement.place.line, .column = statement.place.column},
            "a model of censored times cannot be checked by simulation: when observation ends is not part of it",
            "Check the model without 'censored', as if all times were seen");
  }

  SimulationCheck check(std::size_t data_sets) {
    read_plates();
    std::vector<std::optional<Ranks>> all(data_sets);
    const SharedProgress progress(run_.progress, "checking", data_sets);
    parallel_for(data_sets, 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !run_.stop.requested(); ++i) {
        all[i] = ranks_of(i);
        progress.count_one();
      }
    });
    SimulationCheck check;
    std::map<std::string, std::vector<double>> ranks;
    std::vector<std::string> names;  // in the order of the model
    for (const std::optional<Ranks>& of_one : all) {
      if (!of_one) continue;
      ++check.data_sets;
      if (!of_one->has_mixed) ++check.not_mixed;
      for (const auto& [name, rank] : of_one->ranks) ranks[name].push_back(rank);
    }
    for (const std::string& name : order_)
      if (const auto found = ranks.find(name); found != ranks.end())
        check.quantities.push_back({.name = name, .test = test_ranks(found->second)});
    judge(check);
    return check;
  }

 private:
  /// Keeps the members of plates, also where simulated columns lack some, and the order of quantities.
  void read_plates() {
    const CompiledModel model = compile_model(syntax_, data_);
    data_.earlier_members = members_of_columns(model.plates);
    for (const ModelVariable& variable : model.variables)
      for (std::size_t i = 0; i < variable.size; ++i) order_.push_back(model.element_name(variable, i));
  }

  std::optional<Ranks> ranks_of(std::size_t i) const {
    const Random random = run_.random.child("data set", i);
    const std::vector<SimulatedVariable> truth = simulate(syntax_, data_, {}, observed_, random.child("truth"));
    std::optional<io::Table> table;
    ModelData data = data_;
    if (data_.table != nullptr) data.table = &table.emplace(with_cells_of(truth));
    Run run = run_.with(random.child("fit"));
    run.threads = 1;
    run.progress = {};
    const CompiledModel model = compile_to_draw(syntax_, data, run.random.child("form"), run.stop);
    const ModelDraws draws = draw_model(model, options_, run);
    if (draws.length == 0 || draws.is_gaussian || !draws.is_whole) return std::nullopt;  // stopped
    Ranks ranks = {.has_mixed = draws.is_exact || draws.mixing == mcmc::Mixing::kMixed};
    Random ties = random.child("ties");
    for (const ModelVariable& variable : model.variables) {
      const auto simulated = std::ranges::find(truth, variable.name, &SimulatedVariable::name);
      const auto drawn = std::ranges::find(draws.variables, variable.name, &DrawnVariable::name);
      if (simulated == truth.end() || drawn == draws.variables.end()) continue;
      for (std::size_t q = 0; q < drawn->size; ++q) {
        const std::size_t element = variable.unknown.empty() ? q : variable.unknown[q];
        if (const auto rank = rank_of(simulated->numbers[element], draws, drawn->first + q, ties))
          ranks.ranks[draws.quantities[drawn->first + q].name] = *rank;
      }
    }
    return ranks;
  }

  /// The table with simulated numbers in the cells of observed columns.
  io::Table with_cells_of(const std::vector<SimulatedVariable>& truth) const {
    const io::Table& table = *data_.table;
    io::Table result(table.name(), table.columns());
    std::vector<std::string> own(table.column_count());
    std::vector<std::string_view> cells(table.column_count());
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      for (std::size_t column = 0; column < cells.size(); ++column) {
        cells[column] = table.cell(row, column);
        const auto simulated = std::ranges::find(truth, table.columns()[column], &SimulatedVariable::name);
        if (simulated == truth.end() || table.is_missing(row, column)) continue;
        const double number = simulated->numbers[simulated->element_of_row.at(row)];
        own[column] = simulated->members.empty() ? fmt::format("{}", number)
                                                 : simulated->members[static_cast<std::size_t>(number) - 1];
        cells[column] = own[column];
      }
      result.add_row(cells, static_cast<std::int64_t>(row) + 2);
    }
    return result;
  }

  /// Among draws that are nearly independent; nothing for what never moves.
  static std::optional<double> rank_of(double truth, const ModelDraws& draws, std::size_t quantity, Random& ties) {
    const DrawnQuantity& of = draws.quantities[quantity];
    if (!(of.sd > 0)) return std::nullopt;
    const std::size_t total = draws.chains * draws.length;
    const double effective =
        std::isfinite(of.diagnosis.bulk_effective_samples) ? of.diagnosis.bulk_effective_samples : 0;
    const std::size_t kept =
        std::min(total, std::clamp(static_cast<std::size_t>(effective / 2), kFewestRanked, kMostRanked));
    std::size_t below = 0;
    for (std::size_t i = 0; i < kept; ++i) below += draws.draws[quantity * total + i * total / kept] < truth ? 1 : 0;
    return (static_cast<double>(below) + ties.threshold(1.)) / static_cast<double>(kept + 1);
  }

  /// Holm's correction: the smallest p-value counts as many times as there are quantities, the next once less.
  static void judge(SimulationCheck& check) {
    std::vector<std::size_t> order(check.quantities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return check.quantities[i].test.p_value; });
    double adjusted = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
      CheckedQuantity& quantity = check.quantities[order[place]];
      adjusted = std::max(adjusted, quantity.test.p_value * static_cast<double>(order.size() - place));
      quantity.verdict = adjusted < kWrongBelow      ? CheckVerdict::kWrong
                         : adjusted < kDoubtfulBelow ? CheckVerdict::kDoubtful
                                                     : CheckVerdict::kOk;
      check.verdict = std::max(check.verdict, quantity.verdict);
    }
  }

  const ModelSyntax& syntax_;
  ModelData data_;
  const ModelDrawOptions& options_;
  const Run& run_;
  std::set<std::string> observed_;
  std::vector<std::string> order_;
};

/// Probability of a standard normal number at least this far from 0.
double two_sided(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

}  // namespace

RankTest test_ranks(std::span<const double> ranks) {
  RankTest test = {.count = ranks.size()};
  if (ranks.empty()) return test;
  const auto count = static_cast<double>(ranks.size());
  double squares = 0;
  for (const double rank : ranks) {
    test.mean += rank / count;
    squares += (rank - .5) * (rank - .5) / count;
  }
  // A uniform number u has the variance 1 / 12, and (u - 1/2)^2 has 1 / 180.
  test.bias_z = (test.mean - .5) * std::sqrt(12 * count);
  test.spread_z = (squares - 1. / 12) * std::sqrt(180 * count);
  test.p_value = std::min(1., 2 * std::min(two_sided(test.bias_z), two_sided(test.spread_z)));
  return test;
}

SimulationCheck check_by_simulation(const ModelSyntax& syntax, const ModelData& data, std::size_t data_sets,
                                    const ModelDrawOptions& options, const Run& run) {
  SimulationCheck check = Checker(syntax, data, options, run).check(data_sets);
  if (check.data_sets == 0 && run.is_cancelled()) throw CancelledError("interrupted before a data set was fitted");
  if (check.data_sets == 0) throw LimitError("the time was over before a data set was fitted: allow more");
  if (check.data_sets < data_sets)
    run.warn_of(fmt::format("stopped early: {} of {} data sets were fitted", check.data_sets, data_sets));
  if (check.not_mixed > 0)
    run.warn_of(
        fmt::format("{} of {} fits had not mixed, or had too few draws to tell", check.not_mixed, check.data_sets));
  return check;
}

std::string table_of(const SimulationCheck& check) {
  std::size_t width = 8;
  for (const CheckedQuantity& quantity : check.quantities) width = std::max(width, quantity.name.size());
  std::string text =
      fmt::format("{:<{}} {:>10} {:>8} {:>8} {:>9}\n", "variable", width, "mean rank", "bias z", "spread z", "verdict");
  for (const CheckedQuantity& quantity : check.quantities)
    text += fmt::format("{:<{}} {:>10.3f} {:>8.2f} {:>8.2f} {:>9}\n", quantity.name, width, quantity.test.mean,
                        quantity.test.bias_z, quantity.test.spread_z, word_of(quantity.verdict));
  return text + fmt::format("{} data sets from the prior: {}\n", check.data_sets, word_of(check.verdict));
}

std::string json_of(const SimulationCheck& check) {
  nlohmann::ordered_json quantities = nlohmann::ordered_json::array();
  for (const CheckedQuantity& quantity : check.quantities)
    quantities.push_back({{"name", quantity.name},
                          {"data_sets", quantity.test.count},
                          {"mean_rank", quantity.test.mean},
                          {"bias_z", quantity.test.bias_z},
                          {"spread_z", quantity.test.spread_z},
                          {"p_value", quantity.test.p_value},
                          {"verdict", word_of(quantity.verdict)}});
  return nlohmann::ordered_json{{"verdict", word_of(check.verdict)},
                                {"data_sets", check.data_sets},
                                {"not_mixed", check.not_mixed},
                                {"variables", std::move(quantities)}}
      .dump();
}

}  // namespace fovea::ep
