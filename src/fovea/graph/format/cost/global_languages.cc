// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/format/cost/global_cost.h"

namespace fovea::graph {
namespace {

using Values = std::span<const std::uint32_t>;

constexpr double kMostStates = 4096;

std::size_t state_of(double number, std::string_view what, double count = kMostStates) {
  if (number < 0 || number >= std::min(count, kMostStates))
    throw UsageError(fmt::format("{} is {}; it must be from 0 to {}", what, number, std::min(count, kMostStates) - 1));
  return static_cast<std::size_t>(number);
}

struct Transition {
  std::size_t from, to;
  double value, cost;
};

/// Costs of words: the least over all paths.
class Automaton {
 public:
  Automaton(std::string_view keyword, const GlobalParameters& parameters)
      : is_weighted_(keyword == "wregular"),
        is_edit_(parameters.word("metric") == "edit"),
        change_cost_(parameters.number("cost")),
        most_(parameters.number("nb_states") > 0 ? parameters.number("nb_states") : kMostStates) {
    for (const std::vector<double>& row : parameters.list("transitions"))
      transitions_.push_back({add_state(row[0]), add_state(row[2]), row[1], is_weighted_ ? row[3] : 0});
    for (const std::vector<double>& row : parameters.list("starts"))
      starts_.emplace_back(add_state(row[0]), is_weighted_ ? row[1] : 0);
    for (const std::vector<double>& row : parameters.list("ends"))
      ends_.emplace_back(add_state(row[0]), is_weighted_ ? row[1] : 0);
  }

  double operator()(Values values) const {
    std::vector<double> costs(states_, kInfinity), next(states_);
    for (const auto& [state, cost] : starts_) costs[state] = std::min(costs[state], cost);
    insert(costs);
    for (const std::uint32_t value : values) {
      std::ranges::fill(next, kInfinity);
      if (is_edit_)  // the value is left out
        for (std::size_t s = 0; s < states_; ++s) next[s] = costs[s] + change_cost_;
      for (const Transition& way : transitions_)
        next[way.to] = std::min(next[way.to], costs[way.from] + cost_of(way, value));
      std::swap(costs, next);
      insert(costs);
    }
    double least = kInfinity;
    for (const auto& [state, cost] : ends_) least = std::min(least, costs[state] + cost);
    return least;
  }

 private:
  std::size_t add_state(double number) {
    const std::size_t state = state_of(number, "a state", most_);
    states_ = std::max(states_, state + 1);
    return state;
  }
  double cost_of(const Transition& way, std::uint32_t value) const {
    if (static_cast<double>(value) == way.value) return way.cost;
    return is_weighted_ ? kInfinity : change_cost_;
  }
  /// Inserts values in between, as many as needed.
  void insert(std::vector<double>& costs) const {
    if (!is_edit_) return;
    for (bool has_changed = true; std::exchange(has_changed, false);)
      for (const Transition& way : transitions_)
        if (costs[way.from] + change_cost_ < costs[way.to]) {
          costs[way.to] = costs[way.from] + change_cost_;
          has_changed = true;
        }
  }

  bool is_weighted_, is_edit_;
  double change_cost_, most_;  // of states
  std::size_t states_ = 0;
  std::vector<Transition> transitions_;
  std::vector<std::pair<std::size_t, double>> starts_, ends_;
};

struct Terminal {
  std::size_t symbol;
  double value, cost;
};
struct Rule {
  std::size_t symbol, left, right;
  double cost;
};

class Grammar {
 public:
  explicit Grammar(const GlobalParameters& parameters)
      : symbols_(state_of(parameters.number("nb_symbols"), "the number of symbols")),
        start_(symbol_of(parameters.number("start"))),
        is_weighted_(parameters.word("metric") == "weight"),
        change_cost_(parameters.number("cost")) {
    for (const std::vector<double>& row : parameters.list("terminals"))
      terminals_.push_back({symbol_of(row[0]), row[1], is_weighted_ && row.size() > 2 ? row[2] : 0});
    for (const std::vector<double>& row : parameters.list("non_terminals"))
      rules_.push_back(
          {symbol_of(row[0]), symbol_of(row[1]), symbol_of(row[2]), is_weighted_ && row.size() > 3 ? row[3] : 0});
  }

  /// The algorithm of Cocke, Younger and Kasami; spans[(begin * n + length - 1) * symbols + symbol].
  double operator()(Values values) const {
    const std::size_t n = values.size();
    std::vector<double> spans(n * n * symbols_, kInfinity);
    const auto span_at = [&](std::size_t begin, std::size_t length) {
      return &spans[(begin * n + length - 1) * symbols_];
    };
    for (std::size_t i = 0; i < n; ++i)
      for (const Terminal& terminal : terminals_) {
        double& cost = span_at(i, 1)[terminal.symbol];
        cost = std::min(cost, cost_of(terminal, values[i]));
      }
    for (std::size_t length = 2; length <= n; ++length)
      for (std::size_t begin = 0; begin + length <= n; ++begin)
        for (std::size_t cut = 1; cut < length; ++cut) {
          double *whole = span_at(begin, length), *left = span_at(begin, cut),
                 *right = span_at(begin + cut, length - cut);
          for (const Rule& rule : rules_)
            whole[rule.symbol] = std::min(whole[rule.symbol], left[rule.left] + right[rule.right] + rule.cost);
        }
    return span_at(0, n)[start_];
  }

 private:
  std::size_t symbol_of(double number) const {
    if (number < 0 || number >= static_cast<double>(symbols_))
      throw UsageError(fmt::format("a symbol is {}; there are {} symbols", number, symbols_));
    return static_cast<std::size_t>(number);
  }
  double cost_of(const Terminal& terminal, std::uint32_t value) const {
    if (static_cast<double>(value) == terminal.value) return terminal.cost;
    return is_weighted_ ? kInfinity : change_cost_;
  }

  std::size_t symbols_, start_;
  bool is_weighted_;
  double change_cost_;
  std::vector<Terminal> terminals_;
  std::vector<Rule> rules_;
};

}  // namespace

std::function<double(Values)> automaton_cost(std::string_view keyword, const GlobalParameters& parameters) {
  return Automaton(keyword, parameters);
}

double automaton_steps(const GlobalParameters& parameters) {
  const double transitions = static_cast<double>(parameters.list("transitions").size() + 1);
  return parameters.word("metric") == "edit" ? transitions * transitions : transitions;
}

std::function<double(Values)> grammar_cost(const GlobalParameters& parameters) { return Grammar(parameters); }

double grammar_steps(const GlobalParameters& parameters, std::size_t arity) {
  const auto n = static_cast<double>(arity);
  return static_cast<double>(parameters.list("terminals").size() + 1) +
         n * n * static_cast<double>(parameters.list("non_terminals").size() + 1) + n * parameters.number("nb_symbols");
}

}  // namespace fovea::graph
