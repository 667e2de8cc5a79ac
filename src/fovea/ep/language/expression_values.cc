// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/expression_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/ep/language/distribution.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = ExpressionValues::Members;

const std::map<std::string_view, Unary>& functions() {
  static const std::map<std::string_view, Unary> all = {
      {"neg", Unary::kNegate},        {"exp", Unary::kExp},         {"log", Unary::kLog},
      {"log1p", Unary::kLog1p},       {"expm1", Unary::kExpm1},     {"sqrt", Unary::kSqrt},
      {"square", Unary::kSquare},     {"abs", Unary::kAbs},         {"sin", Unary::kSin},
      {"cos", Unary::kCos},           {"tanh", Unary::kTanh},       {"logistic", Unary::kLogistic},
      {"softplus", Unary::kSoftplus}, {"lgamma", Unary::kLogGamma}, {"normal_cdf", Unary::kNormalCdf},
      {"step", Unary::kStep}};
  return all;
}

const std::map<std::string_view, Binary>& operators() {
  static const std::map<std::string_view, Binary> all = {
      {"+", Binary::kAdd},   {"-", Binary::kSubtract},       {"*", Binary::kMultiply}, {"/", Binary::kDivide},
      {"^", Binary::kPower}, {"add_logs", Binary::kAddLogs}, {"equal", Binary::kEqual}};
  return all;
}

bool is_over_plate(const Expression& call) { return call.name == "sum" || call.name == "log_sum"; }

}  // namespace

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names = {"add_logs", "equal", "sum", "log_sum"};
  for (const auto& [name, function] : functions())
    if (name != "neg") names.push_back(name);
  return names;
}

Expression ExpressionValues::expanded(const Expression& expression) const {
  if (expression.kind == Kind::kName) {
    const ModelSymbol* symbol = find_symbol(symbols_, expression.name);
    if (symbol != nullptr && symbol->formula != nullptr) {
      if (text_of(expression) != text_of(symbol->formula->subject))
        plates_.refuse(expression.place,
                       fmt::format("'{}' depends on whole numbers that are not known, and is defined as '{}'",
                                   text_of(expression), text_of(symbol->formula->subject)),
                       "Use it with the indices of its own line, or write its formula out here");
      return expanded(symbol->formula->value);
    }
  }
  Expression result = expression;
  for (Expression& index : result.indices) index = expanded(index);
  for (Expression& argument : result.arguments) argument = expanded(argument);
  return result;
}

Node ExpressionValues::value_of(const Expression& expression, const Context& context) {
  if (expression.kind == Kind::kNumber) return program_.number(expression.number);
  if (expression.kind == Kind::kName) return value_of_name(expression, context);
  if (is_over_plate(expression)) return value_over_plate(expression, context);
  return value_of_call(expression, context);
}

Node ExpressionValues::value_of_call(const Expression& call, const Context& context) {
  std::vector<Node> arguments;
  for (const Expression& argument : call.arguments) arguments.push_back(value_of(argument, context));
  const auto require = [&](std::size_t count) {
    if (arguments.size() != count)
      plates_.refuse(call.place, fmt::format("{} takes {} arguments, not {}", call.name, count, arguments.size()),
                     "See the list of functions in `fovea fit --help`");
  };
  if (const auto found = functions().find(call.name); found != functions().end()) {
    require(1);
    return program_.apply(found->second, arguments[0]);
  }
  if (const auto found = operators().find(call.name); found != operators().end()) {
    require(2);
    return program_.apply(found->second, arguments[0], arguments[1]);
  }
  plates_.refuse(call.place, fmt::format("'{}' is not a function", call.name),
                 find_distribution(call.name) != nullptr
                     ? "A distribution stands after ~, on a line of its own"
                     : "See `fovea fit --help`." + did_you_mean(call.name, function_names()));
}

/// sum(plate, expression), log_sum(plate, expression).
Node ExpressionValues::value_over_plate(const Expression& call, const Context& context) {
  const auto plate = call.arguments.size() == 2 && call.arguments[0].kind == Kind::kName
                         ? plates_.find(call.arguments[0].name)
                         : std::nullopt;
  if (!plate)
    plates_.refuse(call.place, fmt::format("'{}' does not name a plate", text_of(call)),
                   fmt::format("Write {}(plate, expression)", call.name));
  const std::size_t size = plates_[*plate].size();
  const Node terms = values_of(call.arguments[1], plates_.over(context, *plate, call.place));
  return call.name == "sum" ? program_.sum(terms, size) : program_.log_sum(terms, size);
}

Node ExpressionValues::value_of_name(const Expression& name, const Context& context) {
  if (const ContextCategory* category = context.find_category(name)) {
    std::vector<double> numbers;
    for (const std::uint32_t member : category->members) numbers.push_back(member + category->first_number);
    return program_.numbers(std::move(numbers));
  }
  if (const ModelSymbol* symbol = find_symbol(symbols_, name.name)) return value_of_symbol(name, *symbol, context);
  if (const auto number = data_.numbers.find(name.name); number != data_.numbers.end() && name.indices.empty())
    return program_.number(number->second);
  if (plates_.is_column(name.name)) return value_of_column(name, context);
  if (const auto plate = plates_.find(name.name); plate && name.indices.empty()) {
    std::vector<double> numbers;
    for (const std::uint32_t member : plates_.members_in(name, *plate, context)) numbers.push_back(member + 1.);
    return program_.numbers(std::move(numbers));
  }
  refuse_name(name);
}

Members ExpressionValues::places_of(const Expression& name, const ModelSymbol& symbol, const Context& context) const {
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
      places[element] = places[element] * static_cast<std::uint32_t>(plates_[plate].size()) + members[element];
  }
  return places;
}

void ExpressionValues::check_use(const Expression& name, const ModelSymbol& symbol, const Members& places) const {
  if (symbol.category)
    plates_.refuse(name.place, fmt::format("'{}' is a whole number that is not known", text_of(name)),
                   "It can stand in a distribution, or in a formula of a whole plate that no line before uses");
  if (symbol.formula != nullptr)
    plates_.refuse(name.place, fmt::format("'{}' depends on whole numbers that are not known", text_of(name)),
                   "It can stand in a distribution, with the indices of its own line");
  if (symbol.is_random && !symbol.has_node)
    plates_.refuse(name.place, fmt::format("'{}' is used above its distribution", name.name),
                   "Move the statement with its distribution up");
  if (forbidden_ != &symbol || forbidden_places_.size() != places.size()) return;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] == forbidden_places_[i])
      plates_.refuse(name.place,
                     fmt::format("{} depends on itself", element_name(symbol.variable, places[i], plates_.all())),
                     "A distribution may use other elements of its variable, such as x[row - 1]");
}

Node ExpressionValues::value_of_symbol(const Expression& name, const ModelSymbol& symbol, const Context& context) {
  const ModelVariable& variable = symbol.variable;
  Members places = places_of(name, symbol, context);
  check_use(name, symbol, places);
  if (!symbol.parts.empty()) return value_of_parts(name, symbol, places);
  if (variable.size == 1) return variable.node;
  const bool is_one = std::ranges::all_of(places, [&](std::uint32_t place) { return place == places[0]; });
  if (is_one && !places.empty()) return program_.gather(variable.node, {places[0]});
  bool is_in_order = places.size() == variable.size;
  for (std::size_t i = 0; i < places.size() && is_in_order; ++i) is_in_order = places[i] == i;
  return is_in_order ? variable.node : program_.gather(variable.node, std::move(places));
}

Node ExpressionValues::value_of_parts(const Expression& name, const ModelSymbol& symbol, const Members& places) {
  std::vector<Node> parts;
  for (const std::uint32_t place : places) {
    if (!symbol.is_built[place])
      plates_.refuse(
          name.place,
          fmt::format("{} is used before it is defined", element_name(symbol.variable, place, plates_.all())),
          "A formula may use elements of its own variable that come before, such as x[row - 1]");
    parts.push_back(symbol.parts[place]);
  }
  return parts.size() == 1 ? parts[0] : program_.join(parts);
}

Node ExpressionValues::value_of_column(const Expression& name, const Context& context) {
  std::size_t plate = 0;
  if (name.indices.size() > 1)
    plates_.refuse(name.place, fmt::format("column '{}' has one index", name.name),
                   "Write column[row] or column[plate]");
  if (name.indices.size() == 1)
    if (const auto named = plates_.find(name.indices[0].name)) plate = *named;
  std::vector<double> numbers = numbers_of(*data_.table, name.name, plates_[plate]);
  if (const auto of_plate = data_.earlier_numbers.find(plates_[plate].name); of_plate != data_.earlier_numbers.end())
    if (const auto earlier = of_plate->second.find(name.name); earlier != of_plate->second.end())
      for (std::size_t i = 0; i < earlier->second.size(); ++i)
        if (std::isnan(numbers[i])) numbers[i] = earlier->second[i];
  const Expression own = {.kind = Kind::kName, .place = name.place, .name = plates_[plate].name};
  const Members members = plates_.members_in(name.indices.empty() ? own : name.indices[0], plate, context);
  std::vector<double> values;
  for (const std::uint32_t member : members) {
    if (std::isnan(numbers[member]))
      plates_.refuse(
          name.place,
          fmt::format("'{}' is missing for {} {}", name.name, plates_[plate].name, plates_[plate].members[member]),
          "Fill in the cell, leave the row out, or give the column a distribution, by which it is guessed");
    values.push_back(numbers[member]);
  }
  return program_.numbers(std::move(values));
}

void ExpressionValues::refuse_name(const Expression& name) const {
  std::vector<std::string> names;
  for (const ModelSymbol& symbol : symbols_) names.push_back(symbol.variable.name);
  for (std::size_t plate = 0; plate < plates_.size(); ++plate) names.push_back(plates_[plate].name);
  for (const auto& [number, value] : data_.numbers) names.push_back(number);
  if (data_.table != nullptr)
    for (const std::string& column : data_.table->columns()) names.push_back(column);
  bool is_later = false;
  for (const Statement& statement : syntax_.statements)
    is_later = is_later || (statement.subject.name == name.name && statement.place.line > name.place.line);
  plates_.refuse(name.place, fmt::format("'{}' is not known here", name.name),
                 is_later ? std::string("It is defined further down: move that statement up")
                          : "It is neither a variable nor a column nor a number." + suggestion(name.name, names));
}

}  // namespace fovea::ep
