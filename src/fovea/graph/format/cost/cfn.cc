// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/cfn.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/cost/cfn_tokens.h"
#include "fovea/graph/format/cost/cost_network.h"
#include "fovea/graph/format/cost/global_cost_reader.h"
#include "fovea/graph/format/tables/table_pool.h"

namespace fovea::graph {
namespace {

class CfnReader : private GlobalFieldSource {
 public:
  explicit CfnReader(io::ByteSource source) : tokens_(std::move(source)), pool_(builder_) {}

  ModelFile read() {
    tokens_.open("the model");
    read_problem();
    read_variables();
    read_functions();
    tokens_.close("the model");
    tokens_.expect_end();
    model_.format = "cfn";
    model_.graph = builder_.build();
    model_.cost_bound = bound_if_reached(model_.graph, bound_);
    return std::move(model_);
  }

 private:
  using Numbers = std::unordered_map<std::string, std::uint32_t>;

  struct Function {
    std::vector<VariableId> scope = {};
    std::vector<std::uint32_t> cardinalities = {};  // parallel to scope
    std::vector<double> costs = {};                 // empty: those of the function called `shared`
    std::string shared = {};
    InputLocation location = {};
  };

  void read_problem();
  void read_variables();
  void read_variable();
  void read_domain();
  void add_variable(std::size_t cardinality, std::vector<std::string> values);
  std::size_t read_cardinality(std::string_view word) const;
  std::uint32_t read_number(std::string_view word, const Numbers& names, std::size_t count,
                            std::string_view what) const;

  void read_functions();
  void read_function(std::string name);
  void read_scope(Function& function);
  void read_costs(Function& function, std::optional<double> default_cost);
  std::vector<double> read_dense(const Function& function);
  std::vector<double> read_tuples(const Function& function, double default_cost);
  double read_cost(std::string_view what);
  void read_typed(Function function, const std::string& name);
  void read_arithmetic(const std::string& keyword, Function& function);
  void read_global(const std::string& keyword, const Function& function);
  void add_function(Function function, const std::string& name);
  const Function& owner(const Function& function) const;

  bool begin(std::string_view field) override { return tokens_.take_tag(field); }
  std::string word(std::string_view what) override { return std::string(tokens_.word(what)); }
  double integer(std::string_view what) override;
  double cost(std::string_view what) override { return read_cost(what); }
  double value(std::size_t place, std::string_view what) override;
  double place(std::string_view what) override;
  std::optional<std::size_t> begin_rows(bool) override {
    tokens_.open("rows of parameters");
    return std::nullopt;
  }
  bool at_end() override { return tokens_.take_close(); }
  void begin_row(std::size_t columns) override {
    if (columns > 1) tokens_.open("a row of parameters");
  }
  void end_row(std::size_t columns) override {
    if (columns > 1) tokens_.close("a row of parameters");
  }
  void read_rules(GlobalParameters& parameters) override;
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) override {
    tokens_.refuse(problem, remedy);
  }

  void add_factors();

  CfnTokens tokens_;
  ModelFile model_;
  FactorGraph::Builder builder_;
  TablePool pool_;
  TableLimit limit_;
  GlobalExpansion expansion_;
  std::vector<VariableId> scope_;       // of the global function being read
  double bound_ = 0;                    // from here on a cost is too high, when minimising
  bool maximises_ = false;              // costs are minus those of the file
  Numbers variable_numbers_;            // by name
  std::vector<Numbers> value_numbers_;  // [variable], by name
  std::vector<Function> functions_;
  Numbers function_numbers_;  // by name; the first of that name
  std::unordered_set<std::string> names_of_several_;
};

void CfnReader::read_problem() {
  tokens_.take_tag("problem");
  tokens_.open("the problem");
  tokens_.take_tag("name");
  model_.names.model = tokens_.word("the name of the problem");
  tokens_.take_tag("mustbe");
  const std::string bound(tokens_.word("the bound of the problem"));
  const char* const last = bound.data() + bound.size();
  const auto [end, error] = std::from_chars(std::min(bound.data() + 1, last), last, bound_);
  if ((bound[0] != '<' && bound[0] != '>') || error != std::errc() || end != last || !std::isfinite(bound_))
    tokens_.refuse(fmt::format("the bound is {}", io::quoted_for_message(bound)),
                   "Write \"<number\" to minimise or \">number\" to maximise");
  maximises_ = bound[0] == '>';
  if (maximises_) bound_ = -bound_;
  tokens_.close("the problem");
}

void CfnReader::read_variables() {
  tokens_.take_tag("variables");
  tokens_.open("the variables");
  while (!tokens_.take_close()) read_variable();
  std::vector<std::string>& names = model_.names.variables;
  if (!names.empty() && names.size() != builder_.variable_count())
    tokens_.refuse("some variables have names and some have none", "Name all or none");
  const auto has_no_names = [](const std::vector<std::string>& values) { return values.empty(); };
  std::vector<std::vector<std::string>>& values = model_.names.values;
  if (std::all_of(values.begin(), values.end(), has_no_names)) values.clear();
}

void CfnReader::read_variable() {
  if (tokens_.take_open()) return read_domain();
  const std::string word(tokens_.word("a variable"));
  if (begins_like_a_number(word)) return add_variable(read_cardinality(word), {});
  const auto number = static_cast<std::uint32_t>(builder_.variable_count());
  if (!variable_numbers_.emplace(word, number).second)
    tokens_.refuse(fmt::format("two variables have the name {}", io::quoted_for_message(word)));
  model_.names.variables.push_back(word);
  if (tokens_.take_open()) return read_domain();
  add_variable(read_cardinality(tokens_.word("the domain of a variable")), {});
}

void CfnReader::read_domain() {
  std::vector<std::string> values;
  while (!tokens_.take_close()) values.emplace_back(tokens_.word("the name of a value"));
  const std::size_t count = values.size();
  add_variable(count, std::move(values));
}

void CfnReader::add_variable(std::size_t cardinality, std::vector<std::string> values) {
  if (cardinality < 1 || cardinality > std::numeric_limits<Value>::max())
    tokens_.refuse(fmt::format("a variable with {} values", cardinality), "Give each variable 1 to 65535 values");
  builder_.add_variable(cardinality);
  Numbers& numbers = value_numbers_.emplace_back();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!numbers.emplace(values[k], static_cast<std::uint32_t>(k)).second)
      tokens_.refuse(fmt::format("a variable has two values named {}", io::quoted_for_message(values[k])));
  model_.names.values.push_back(std::move(values));
}

std::size_t CfnReader::read_cardinality(std::string_view word) const {
  // A minus marks an interval, which is a domain like any other here.
  const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size())
    tokens_.refuse(fmt::format("the number of values is {}", io::quoted_for_message(word)),
                   "Give names of values in brackets, or the number of values");
  return count;
}

std::uint32_t CfnReader::read_number(std::string_view word, const Numbers& names, std::size_t count,
                                     std::string_view what) const {
  std::uint32_t number = 0;
  if (begins_like_a_number(word)) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size() && number < count) return number;
  } else if (const auto found = names.find(std::string(word)); found != names.end()) {
    return found->second;
  }
  tokens_.refuse(fmt::format("{} is {}", what, io::quoted_for_message(word)),
                 fmt::format("Give a name, or a number below {}", count));
}

void CfnReader::read_functions() {
  tokens_.take_tag("functions");
  tokens_.open("the functions");
  while (!tokens_.take_close()) {
    std::string name;
    if (!tokens_.take_open()) {
      name = tokens_.word("the name of a function");
      tokens_.open("a function");
    }
    read_function(std::move(name));
  }
  add_factors();
}

void CfnReader::read_function(std::string name) {
  Function function = {.location = tokens_.location()};
  read_scope(function);
  std::optional<double> default_cost;
  if (tokens_.take_tag("defaultcost")) default_cost = read_cost("the default cost of a function");
  if (tokens_.take_tag("type")) return read_typed(std::move(function), name);
  if (tokens_.take_tag("costs")) read_costs(function, default_cost);
  else
    tokens_.refuse("a function without 'costs' or 'type'", "Give the fields scope, defaultcost, costs in this order");
  tokens_.close("a function");
  add_function(std::move(function), name);
}

void CfnReader::add_function(Function function, const std::string& name) {
  const auto number = static_cast<std::uint32_t>(functions_.size());
  if (!name.empty() && !function_numbers_.emplace(name, number).second) names_of_several_.insert(name);
  functions_.push_back(std::move(function));
}

void CfnReader::read_scope(Function& function) {
  tokens_.take_tag("scope");
  tokens_.open("the scope of a function");
  while (!tokens_.take_close()) {
    const std::string_view word = tokens_.word("a variable of a function");
    const VariableId v = read_number(word, variable_numbers_, builder_.variable_count(), "a variable of a function");
    constexpr std::size_t kMaxScope = 4096;
    if (function.scope.size() == kMaxScope) tokens_.refuse(fmt::format("a function of over {} variables", kMaxScope));
    if (std::find(function.scope.begin(), function.scope.end(), v) != function.scope.end())
      tokens_.refuse(fmt::format("a function names variable {} twice", v), "Name each variable once");
    function.scope.push_back(v);
    function.cardinalities.push_back(static_cast<std::uint32_t>(builder_.cardinality(v)));
  }
}

void CfnReader::read_costs(Function& function, std::optional<double> default_cost) {
  if (!tokens_.take_open()) {
    function.shared = tokens_.word("the costs of a function");
  } else {
    function.costs = default_cost ? read_tuples(function, *default_cost) : read_dense(function);
  }
}

std::vector<double> CfnReader::read_dense(const Function& function) {
  std::vector<double> table;
  while (!tokens_.take_close()) table.push_back(read_cost("a cost"));
  double entries = 1;
  for (const std::uint32_t cardinality : function.cardinalities) entries *= cardinality;
  if (static_cast<double>(table.size()) != entries)
    tokens_.refuse(
        fmt::format("a function has {} costs, but its variables have {} joint values", table.size(), entries),
        "Give a cost for each, or a defaultcost");
  return table;
}

std::vector<double> CfnReader::read_tuples(const Function& function, double default_cost) {
  SparseTable table(default_cost);
  std::vector<std::uint32_t> values(function.scope.size());
  while (!tokens_.take_close()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = read_number(tokens_.word("a value of a tuple"), value_numbers_[function.scope[i]],
                              function.cardinalities[i], "a value of a tuple");
    table.add(joint_index(values, function.cardinalities), read_cost("a cost"));
  }
  return table.expand(function.cardinalities, limit_, function.location);
}

double CfnReader::read_cost(std::string_view what) {
  const double cost = maximises_ ? -tokens_.cost(what) : tokens_.cost(what);
  if (cost == -kInfinity) tokens_.refuse(fmt::format("{} is infinitely good", what), "Give it a finite number");
  return cost;
}

void CfnReader::read_typed(Function function, const std::string& name) {
  const std::string keyword(tokens_.word("the type of a function"));
  const bool is_arithmetic = ArithmeticCost::parameter_count(keyword) > 0 && function.scope.size() == 2;
  if ((!is_arithmetic && global_fields(keyword) == nullptr) || maximises_)
    tokens_.refuse(
        fmt::format("functions of type {} of {} variables are not supported{}", io::quoted_for_message(keyword),
                    function.scope.size(), maximises_ ? " when maximising" : ""),
        "Write its costs as a table");
  if (!tokens_.take_tag("params")) tokens_.take_tag("parameters");
  tokens_.open("the parameters of a function");
  if (is_arithmetic) read_arithmetic(keyword, function);
  else read_global(keyword, function);
  tokens_.close("a function");
  if (is_arithmetic) add_function(std::move(function), name);
}

void CfnReader::read_arithmetic(const std::string& keyword, Function& function) {
  std::vector<double> parameters;
  while (parameters.size() < ArithmeticCost::parameter_count(keyword))
    parameters.push_back(tokens_.number("a parameter of a function"));
  tokens_.close("the parameters of a function");
  limit_.add(function.cardinalities, 0, function.location);
  function.costs = ArithmeticCost(keyword, parameters).table(function.cardinalities[0], function.cardinalities[1]);
}

/// Adds each term as a function without a name.
void CfnReader::read_global(const std::string& keyword, const Function& function) {
  scope_ = function.scope;
  const GlobalParameters parameters = read_global_parameters(keyword, scope_.size(), *this);
  tokens_.close("the parameters of a function");
  // Other functions may have negative costs, so only an infinite cost is known to forbid yet.
  expansion_.expand(keyword, parameters, scope_, function.cardinalities, kInfinity, function.location,
                    [&](std::vector<VariableId> scope, std::vector<double> costs) {
                      Function& part = functions_.emplace_back();
                      for (const VariableId v : scope)
                        part.cardinalities.push_back(static_cast<std::uint32_t>(builder_.cardinality(v)));
                      part.scope = std::move(scope);
                      part.costs = std::move(costs);
                      part.location = function.location;
                    });
}

double CfnReader::integer(std::string_view what) {
  const double number = tokens_.number(what);
  if (number != std::floor(number) || std::abs(number) > 1e15)
    tokens_.refuse(fmt::format("{} is {}; it must be a whole number", what, number), "Round it");
  return number;
}

double CfnReader::value(std::size_t place, std::string_view what) {
  const VariableId v = scope_[place];
  const std::string_view word = tokens_.word(what);
  std::uint32_t number = 0;  // may be a value that only other variables have
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  return read_number(word, value_numbers_[v], builder_.cardinality(v), what);
}

double CfnReader::place(std::string_view what) {
  const VariableId v = read_number(tokens_.word(what), variable_numbers_, builder_.variable_count(), what);
  const auto found = std::find(scope_.begin(), scope_.end(), v);
  if (found == scope_.end())
    tokens_.refuse(fmt::format("{} names variable {}, which is not in the scope", what, v), "Name one that is");
  return static_cast<double>(found - scope_.begin());
}

void CfnReader::read_rules(GlobalParameters& parameters) {
  for (const char* field : {"terminals", "non_terminals"}) {
    tokens_.take_tag(field);
    tokens_.open(field);
    while (!tokens_.take_close()) {
      std::vector<double> row;
      tokens_.open("a rule of a grammar");
      const std::size_t symbols = field == std::string_view("terminals") ? 2 : 3;
      while (!tokens_.take_close())
        row.push_back(row.size() < symbols ? integer("a symbol of a rule") : cost("a cost"));
      if (row.size() < symbols) tokens_.refuse("a rule of a grammar lacks symbols", "Give 2 or 3, and a cost");
      parameters.rows[field].push_back(std::move(row));
    }
  }
}

const CfnReader::Function& CfnReader::owner(const Function& function) const {
  if (!function.costs.empty()) return function;
  if (names_of_several_.contains(function.shared))
    throw InputError(function.location,
                     fmt::format("a function has the costs of {}, but several functions have that name",
                                 io::quoted_for_message(function.shared)),
                     "Give the function with the costs a name of its own");
  const auto found = function_numbers_.find(function.shared);
  const Function* shared = found == function_numbers_.end() ? nullptr : &functions_[found->second];
  if (shared == nullptr || shared->costs.empty())
    throw InputError(function.location,
                     fmt::format("a function has the costs of {}, which {}", io::quoted_for_message(function.shared),
                                 shared == nullptr ? "does not exist" : "has none of its own"),
                     "Name a function with a table");
  if (shared->cardinalities != function.cardinalities)
    throw InputError(function.location,
                     fmt::format("a function has the costs of {}, whose variables have other numbers of values",
                                 io::quoted_for_message(function.shared)),
                     "Share functions between variables of equal domains");
  return *shared;
}

/// Adds all factors. An entry forbids if the total reaches the bound even when all other functions are at their least.
void CfnReader::add_factors() {
  const auto credit_of = [](const Function& function) {
    return -std::min(0.0, *std::min_element(function.costs.begin(), function.costs.end()));
  };
  double credit = 0;
  for (const Function& function : functions_) credit += credit_of(owner(function));
  std::vector<std::optional<TableId>> tables(functions_.size());
  for (const Function& function : functions_) {
    const Function& costs = owner(function);
    std::optional<TableId>& table = tables[static_cast<std::size_t>(&costs - functions_.data())];
    if (!table) {
      std::vector<double> scores = costs.costs;
      const double bound = bound_ + (credit - credit_of(costs));
      for (double& score : scores) score = log_score_of_cost(score, bound);
      table = pool_.add(scores);
    }
    builder_.add_factor(function.scope, *table);
  }
}

}  // namespace

ModelFile read_cfn(io::ByteSource source) { return CfnReader(std::move(source)).read(); }

}  // namespace fovea::graph
