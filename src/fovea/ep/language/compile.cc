// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/ep/density/support.h"
#include "fovea/ep/language/distribution.h"
#include "fovea/ep/language/plates.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

constexpr std::size_t kMostElements = 5'000'000;  // of a variable

const std::map<std::string_view, Unary>& functions() {
  static const std::map<std::string_view, Unary> all = {
      {"neg", Unary::kNegate},        {"exp", Unary::kExp},         {"log", Unary::kLog},
      {"log1p", Unary::kLog1p},       {"expm1", Unary::kExpm1},     {"sqrt", Unary::kSqrt},
      {"square", Unary::kSquare},     {"abs", Unary::kAbs},         {"sin", Unary::kSin},
      {"cos", Unary::kCos},           {"tanh", Unary::kTanh},       {"logistic", Unary::kLogistic},
      {"softplus", Unary::kSoftplus}, {"lgamma", Unary::kLogGamma}, {"normal_cdf", Unary::kNormalCdf}};
  return all;
}

const std::map<std::string_view, Binary>& operators() {
  static const std::map<std::string_view, Binary> all = {{"+", Binary::kAdd},      {"-", Binary::kSubtract},
                                                         {"*", Binary::kMultiply}, {"/", Binary::kDivide},
                                                         {"^", Binary::kPower},    {"add_logs", Binary::kAddLogs}};
  return all;
}

/// A variable, while statements about it are read.
struct Symbol {
  ModelVariable variable;
  std::vector<bool> is_defined = {};  // [element]
  std::vector<Node> parts = {};       // [element], of one number each, of a variable that is computed step by step
  bool is_random = false, is_column = false;
  bool has_node = false;           // else its numbers are still to be made
  std::vector<double> given = {};  // [element] of a variable with a distribution: its number by a formula, else NaN
};

class Compiler {
 public:
  Compiler(const ModelSyntax& syntax, const ModelData& data)
      : syntax_(syntax), data_(data), plates_(syntax.file, data, model_.plates) {}

  CompiledModel compile() {
    for (const Statement& statement : syntax_.statements) read(statement);
    for (Symbol& symbol : symbols_) {
      const auto missing = std::ranges::find(symbol.is_defined, false);
      if (missing != symbol.is_defined.end())
        throw InputError(
            {.file = syntax_.file},
            fmt::format(
                "{} is never defined",
                model_.element_name(symbol.variable, static_cast<std::size_t>(missing - symbol.is_defined.begin()))),
            "Give it a statement of its own, or one for the whole plate");
      if (!symbol.is_column || !model_.program.is_known(symbol.variable.node))
        model_.variables.push_back(symbol.variable);
    }
    return std::move(model_);
  }

 private:
  Program& program() { return model_.program; }

  Symbol* find_symbol(std::string_view name) {
    for (Symbol& symbol : symbols_)
      if (symbol.variable.name == name) return &symbol;
    return nullptr;
  }
  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const Symbol& symbol : symbols_) names.push_back(symbol.variable.name);
    for (const Plate& plate : model_.plates) names.push_back(plate.name);
    for (const auto& [name, value] : data_.numbers) names.push_back(name);
    if (data_.table != nullptr)
      for (const std::string& column : data_.table->columns()) names.push_back(column);
    return names;
  }

  [[noreturn]] void refuse_name(const Expression& name) const {
    const std::vector<std::string> names = known_names();
    bool is_later = false;
    for (const Statement& statement : syntax_.statements)
      is_later = is_later || (statement.subject.name == name.name && statement.place.line > name.place.line);
    plates_.refuse(name.place, fmt::format("'{}' is not known here", name.name),
                   is_later ? std::string("It is defined further down: move that statement up")
                            : "It is neither a variable nor a column nor a number." + suggestion(name.name, names));
  }

  // ---- Statements

  void read(const Statement& statement) {
    if (statement.is_random && statement.value.name == "plate") {
      if (find_symbol(statement.subject.name) != nullptr)
        plates_.refuse(statement.place, fmt::format("'{}' is a variable", statement.subject.name),
                       "Give the plate a name of its own");
      return plates_.add(statement);
    }
    Symbol& symbol = symbol_of(statement);
    const Context context = context_of(statement, symbol);
    if (context.size == 0) return;
    if (statement.is_random) read_distribution(statement, symbol, context);
    else read_formula(statement, symbol, context);
  }

  /// The symbol that a statement is about; a new one has the plates that all its statements name.
  Symbol& symbol_of(const Statement& statement) {
    const Expression& subject = statement.subject;
    if (plates_.find(subject.name) && !plates_.is_column(subject.name))
      plates_.refuse(subject.place, fmt::format("'{}' is a plate", subject.name), "Give the variable another name");
    if (Symbol* known = find_symbol(subject.name)) return *known;
    Symbol symbol = {.variable = {.name = subject.name}};
    for (const Statement& other : syntax_.statements)
      symbol.is_random = symbol.is_random || (other.subject.name == subject.name && other.is_random);
    symbol.is_column = symbol.is_random && plates_.is_column(subject.name);
    symbol.variable.plates = plates_of(subject, symbol.is_column);
    for (const std::size_t plate : symbol.variable.plates) {
      symbol.variable.size *= model_.plates[plate].size();
      if (symbol.variable.size > kMostElements)
        plates_.refuse(subject.place, fmt::format("'{}' has more than {} elements", subject.name, kMostElements),
                       "Use smaller plates, or split the model");
    }
    symbol.is_defined.assign(symbol.variable.size, false);
    if (symbol.is_column)
      symbol.given = numbers_of(*data_.table, subject.name, model_.plates[symbol.variable.plates.at(0)]);
    else if (symbol.is_random) symbol.given.assign(symbol.variable.size, std::numeric_limits<double>::quiet_NaN());
    return symbols_.emplace_back(std::move(symbol));
  }

  /// The plates of all indices of a variable: where one statement has a number, another one names the plate.
  std::vector<std::size_t> plates_of(const Expression& subject, bool is_column) const {
    if (subject.indices.empty() && is_column) return {0};
    std::vector<std::size_t> plates;
    for (std::size_t i = 0; i < subject.indices.size(); ++i) {
      std::optional<std::size_t> plate;
      for (const Statement& other : syntax_.statements)
        if (other.subject.name == subject.name && i < other.subject.indices.size() &&
            other.subject.indices[i].kind == Kind::kName && !plate)
          plate = plates_.find(other.subject.indices[i].name);
      if (!plate)
        plates_.refuse(
            subject.indices[i].place, fmt::format("'{}' is not a plate", text_of(subject.indices[i])),
            "Declare it above: name ~ plate(column), or name ~ plate(10); the rows of the table are the plate row");
      plates.push_back(*plate);
    }
    return plates;
  }

  /// The elements of a statement, without those that an earlier one defined.
  Context context_of(const Statement& statement, Symbol& symbol) {
    const std::vector<Expression>& indices = statement.subject.indices;
    const std::vector<std::size_t>& plates = symbol.variable.plates;
    const bool is_whole_column = indices.empty() && symbol.is_column;
    if (!is_whole_column && indices.size() != plates.size())
      plates_.refuse(statement.place,
                     fmt::format("'{}' has {} indices, not {}", symbol.variable.name, plates.size(), indices.size()),
                     "Give all its statements the same number");
    Context context = {.plates = plates, .members = std::vector<Members>(plates.size()), .size = 0};
    std::vector<std::optional<std::uint32_t>> fixed(plates.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i].kind == Kind::kNumber) fixed[i] = plates_.member_of(indices[i], plates[i]);
    Members at(plates.size());
    for (std::size_t element = 0; element < symbol.variable.size; ++element) {
      std::size_t rest = element;
      bool is_meant = true;
      for (std::size_t i = plates.size(); i-- > 0;) {
        at[i] = static_cast<std::uint32_t>(rest % model_.plates[plates[i]].size());
        rest /= model_.plates[plates[i]].size();
        is_meant = is_meant && (!fixed[i] || *fixed[i] == at[i]);
      }
      if (!is_meant || symbol.is_defined[element]) continue;
      symbol.is_defined[element] = true;
      ++context.size;
      for (std::size_t i = 0; i < plates.size(); ++i) context.members[i].push_back(at[i]);
    }
    if (context.size == 0)
      plates_.refuse(statement.place, fmt::format("'{}' is defined above", text_of(statement.subject)),
                     "Leave one of the two out");
    return context;
  }

  /// [element of the context] place of the variable's element.
  Members own_places(const ModelVariable& variable, const Context& context) const {
    Members places(context.size);
    for (std::size_t i = 0; i < variable.plates.size(); ++i) {
      const auto size = static_cast<std::uint32_t>(model_.plates[variable.plates[i]].size());
      for (std::size_t element = 0; element < context.size; ++element)
        places[element] = places[element] * size + context.members[i][element];
    }
    return places;
  }

  void read_distribution(const Statement& statement, Symbol& symbol, const Context& context) {
    const Expression& call = statement.value;
    const Distribution* distribution = find_distribution(call.name);
    if (distribution == nullptr)
      plates_.refuse(call.place, fmt::format("'{}' is not a distribution", call.name),
                     "Distributions: " + fmt::format("{}.", fmt::join(distribution_names(), ", ")) +
                         did_you_mean(call.name, distribution_names()));
    if (call.arguments.size() != distribution->argument_count())
      plates_.refuse(call.place,
                     fmt::format("{} takes {} arguments, not {}", call.name, distribution->argument_count(),
                                 call.arguments.size()),
                     fmt::format("Write {}({})", call.name, distribution->arguments));
    if (!std::exchange(symbol.has_node, true)) begin_random(statement, *distribution, symbol);
    const Members places = own_places(symbol.variable, context);
    drawn_ = &symbol;
    drawn_places_ = places;
    std::vector<Node> arguments;
    for (const Expression& argument : call.arguments) arguments.push_back(value_of(argument, context));
    drawn_ = nullptr;
    const bool is_all = context.size == symbol.variable.size;
    const Node x = is_all ? symbol.variable.node : program().gather(symbol.variable.node, places);
    Node density = distribution->log_density(program(), x, arguments);
    if (program().size(density) == 1 && context.size > 1) density = spread(density, context.size);
    program().add_density(density);
  }

  /// Makes the numbers of a variable with a distribution: unknown ones, and those that a column has.
  void begin_random(const Statement& statement, const Distribution& distribution, Symbol& symbol) {
    std::vector<double> given;
    Members unknown;
    for (std::uint32_t i = 0; i < symbol.variable.size; ++i)
      if (std::isnan(symbol.given[i])) unknown.push_back(i);
      else given.push_back(symbol.given[i]);
    if (!unknown.empty() && distribution.is_discrete)
      plates_.refuse(statement.place,
                     fmt::format("'{}' has values that are not known, and {} is of whole numbers", symbol.variable.name,
                                 distribution.name),
                     "Leave out the rows whose cells are missing, or sum the variable out by hand with add_logs");
    check_values(statement, distribution, symbol);
    if (unknown.empty()) {
      symbol.variable.node = program().numbers(std::move(given));
      return;
    }
    const Node made = add_unknown(program(), distribution.support, unknown.size());
    if (given.empty()) {
      symbol.variable.node = made;
      return;
    }
    const Node both = program().join({program().numbers(given), made});
    Members places(symbol.variable.size);
    std::uint32_t next_given = 0, next_made = static_cast<std::uint32_t>(given.size());
    for (std::uint32_t i = 0; i < places.size(); ++i)
      places[i] = std::isnan(symbol.given[i]) ? next_made++ : next_given++;
    symbol.variable.node = program().gather(both, std::move(places));
  }

  void check_values(const Statement& statement, const Distribution& distribution, const Symbol& symbol) const {
    const std::vector<double>& values = symbol.given;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      const bool is_whole = values[i] >= 0 && values[i] == std::floor(values[i]);
      const bool fits = distribution.is_discrete
                            ? is_whole && (values[i] <= 1 || distribution.values.find("...") != std::string_view::npos)
                            : values[i] > distribution.support.low && values[i] < distribution.support.high;
      if (fits) continue;
      plates_.refuse(statement.place,
                     fmt::format("{} is {}, which {} cannot be", model_.element_name(symbol.variable, i), values[i],
                                 distribution.name),
                     distribution.is_discrete ? fmt::format("Its values are {}", distribution.values)
                                              : fmt::format("Its values lie between {} and {}",
                                                            distribution.support.low, distribution.support.high));
    }
  }

  void read_formula(const Statement& statement, Symbol& symbol, const Context& context) {
    if (symbol.is_random) return give(statement, symbol, context);
    const bool is_all = context.size == symbol.variable.size;
    if (is_all && !mentions(statement.value, symbol.variable.name)) {
      symbol.variable.node = spread(value_of(statement.value, context), context.size);
      return;
    }
    // Element by element: a formula may use elements that come before.
    symbol.parts.resize(symbol.variable.size);
    const Members places = own_places(symbol.variable, context);
    for (std::size_t i = 0; i < context.size; ++i) {
      Context one = {.plates = context.plates, .members = {}, .size = 1};
      for (const Members& members : context.members) one.members.push_back({members[i]});
      symbol.parts[places[i]] = value_of(statement.value, one);
      built_.insert({symbol.variable.name, places[i]});
    }
    if (std::ranges::all_of(symbol.is_defined, [](bool is) { return is; }))
      symbol.variable.node = program().join(symbol.parts);
  }

  /// Sets elements of a variable with a distribution, such as the effect of the first of several groups.
  void give(const Statement& statement, Symbol& symbol, const Context& context) {
    const Node value = spread(value_of(statement.value, context), context.size);
    if (symbol.has_node || symbol.is_column || !program().is_known(value))
      plates_.refuse(statement.place, fmt::format("'{}' has both a distribution and a formula", symbol.variable.name),
                     "Elements of a variable with a distribution may be set to known numbers, above its distribution");
    const Members places = own_places(symbol.variable, context);
    for (std::size_t i = 0; i < places.size(); ++i) symbol.given[places[i]] = program().known(value)[i];
  }

  Node spread(Node x, std::size_t size) {
    return program().size(x) == size ? x : program().gather(x, Members(size, 0));
  }

  // ---- Expressions

  /// The numbers of an expression: one for each element of the context, or one for all.
  Node value_of(const Expression& expression, const Context& context) {
    if (expression.kind == Kind::kNumber) return program().number(expression.number);
    if (expression.kind == Kind::kName) return value_of_name(expression, context);
    if (expression.name == "sum") return value_of_sum(expression, context);
    std::vector<Node> arguments;
    for (const Expression& argument : expression.arguments) arguments.push_back(value_of(argument, context));
    const auto require = [&](std::size_t count) {
      if (arguments.size() != count)
        plates_.refuse(expression.place,
                       fmt::format("{} takes {} arguments, not {}", expression.name, count, arguments.size()),
                       "See the list of functions in `fovea fit --help`");
    };
    if (const auto found = functions().find(expression.name); found != functions().end()) {
      require(1);
      return program().apply(found->second, arguments[0]);
    }
    if (const auto found = operators().find(expression.name); found != operators().end()) {
      require(2);
      return program().apply(found->second, arguments[0], arguments[1]);
    }
    std::vector<std::string_view> names;
    for (const auto& [name, function] : functions()) names.push_back(name);
    plates_.refuse(expression.place, fmt::format("'{}' is not a function", expression.name),
                   find_distribution(expression.name) != nullptr
                       ? "A distribution stands after ~, on a line of its own"
                       : "See `fovea fit --help`." + did_you_mean(expression.name, names));
  }

  /// sum(plate, expression).
  Node value_of_sum(const Expression& call, const Context& context) {
    const auto plate = call.arguments.size() == 2 && call.arguments[0].kind == Kind::kName
                           ? plates_.find(call.arguments[0].name)
                           : std::nullopt;
    if (!plate)
      plates_.refuse(call.place, fmt::format("'{}' does not name a plate", text_of(call)),
                     "Write sum(plate, expression)");
    const std::size_t size = model_.plates[*plate].size();
    Context wider = {.plates = context.plates, .members = {}, .size = context.size * size};
    wider.plates.push_back(*plate);
    for (const Members& members : context.members) {
      Members& repeated = wider.members.emplace_back();
      for (const std::uint32_t member : members) repeated.insert(repeated.end(), size, member);
    }
    Members& own = wider.members.emplace_back();
    for (std::size_t i = 0; i < wider.size; ++i) own.push_back(static_cast<std::uint32_t>(i % size));
    return program().sum(spread(value_of(call.arguments[1], wider), wider.size), size);
  }

  Node value_of_name(const Expression& name, const Context& context) {
    if (Symbol* symbol = find_symbol(name.name)) return value_of_symbol(name, *symbol, context);
    if (const auto number = data_.numbers.find(name.name); number != data_.numbers.end() && name.indices.empty())
      return program().number(number->second);
    if (plates_.is_column(name.name)) return value_of_column(name, context);
    if (const auto plate = plates_.find(name.name); plate && name.indices.empty()) {
      std::vector<double> numbers;
      for (const std::uint32_t member : plates_.members_in(name, *plate, context)) numbers.push_back(member + 1.);
      return program().numbers(std::move(numbers));
    }
    refuse_name(name);
  }

  Node value_of_symbol(const Expression& name, Symbol& symbol, const Context& context) {
    const ModelVariable& variable = symbol.variable;
    const bool is_whole_column = symbol.is_column && name.indices.empty();
    if (name.indices.size() != variable.plates.size() && !is_whole_column)
      plates_.refuse(name.place,
                     fmt::format("'{}' has {} indices, not {}", name.name, variable.plates.size(), name.indices.size()),
                     "Give one for each of its plates, such as the plate's name");
    Members places(context.size);
    for (std::size_t i = 0; i < variable.plates.size(); ++i) {
      const std::size_t plate = variable.plates[i];
      const Expression rows = {.kind = Kind::kName, .place = name.place, .name = kRows};
      const Members members = plates_.members_in(is_whole_column ? rows : name.indices[i], plate, context);
      for (std::size_t element = 0; element < context.size; ++element)
        places[element] = places[element] * static_cast<std::uint32_t>(model_.plates[plate].size()) + members[element];
    }
    if (symbol.is_random && !symbol.has_node)
      plates_.refuse(name.place, fmt::format("'{}' is used above its distribution", name.name),
                     "Move the statement with its distribution up");
    if (drawn_ == &symbol && drawn_places_.size() == places.size())
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] == drawn_places_[i])
          plates_.refuse(name.place, fmt::format("{} depends on itself", model_.element_name(variable, places[i])),
                         "A distribution may use other elements of its variable, such as x[row - 1]");
    if (!symbol.parts.empty()) {
      std::vector<Node> parts;
      for (const std::uint32_t place : places) {
        if (!built_.contains({variable.name, place}))
          plates_.refuse(name.place,
                         fmt::format("{} is used before it is defined", model_.element_name(variable, place)),
                         "A formula may use elements of its own variable that come before, such as x[row - 1]");
        parts.push_back(symbol.parts[place]);
      }
      return parts.size() == 1 ? parts[0] : program().join(parts);
    }
    if (variable.size == 1) return variable.node;
    bool is_in_order = places.size() == variable.size;
    for (std::size_t i = 0; i < places.size() && is_in_order; ++i) is_in_order = places[i] == i;
    return is_in_order ? variable.node : program().gather(variable.node, std::move(places));
  }

  Node value_of_column(const Expression& name, const Context& context) {
    std::size_t plate = 0;
    if (name.indices.size() > 1)
      plates_.refuse(name.place, fmt::format("column '{}' has one index", name.name),
                     "Write column[row] or column[plate]");
    if (name.indices.size() == 1)
      if (const auto named = plates_.find(name.indices[0].name)) plate = *named;
    const std::vector<double> numbers = numbers_of(*data_.table, name.name, model_.plates[plate]);
    const Expression own = {.kind = Kind::kName, .place = name.place, .name = model_.plates[plate].name};
    const Members members = plates_.members_in(name.indices.empty() ? own : name.indices[0], plate, context);
    std::vector<double> values;
    for (const std::uint32_t member : members) {
      if (std::isnan(numbers[member]))
        plates_.refuse(
            name.place,
            fmt::format("'{}' is missing for {} {}", name.name, model_.plates[plate].name,
                        model_.plates[plate].members[member]),
            "Fill in the cell, leave the row out, or give the column a distribution, by which it is guessed");
      values.push_back(numbers[member]);
    }
    return program().numbers(std::move(values));
  }

  const ModelSyntax& syntax_;
  const ModelData& data_;
  CompiledModel model_;
  ModelPlates plates_;
  std::vector<Symbol> symbols_;
  const Symbol* drawn_ = nullptr;  // whose distribution is read, and its elements
  Members drawn_places_;
  std::set<std::pair<std::string, std::uint32_t>> built_;  // elements that are computed step by step, so far
};

}  // namespace

std::string CompiledModel::element_name(const ModelVariable& variable, std::size_t element) const {
  if (variable.plates.empty()) return variable.name;
  std::string indices;
  for (std::size_t i = variable.plates.size(); i-- > 0;) {
    const Plate& plate = plates[variable.plates[i]];
    indices = plate.members[element % plate.size()] + (indices.empty() ? "" : "," + indices);
    element /= plate.size();
  }
  return fmt::format("{}[{}]", variable.name, indices);
}

CompiledModel compile_model(const ModelSyntax& syntax, const ModelData& data) {
  return Compiler(syntax, data).compile();
}

}  // namespace fovea::ep
