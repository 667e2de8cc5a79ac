// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/ep/density/vector_density.h"
#include "fovea/ep/language/distribution.h"
#include "fovea/ep/language/distribution_draw.h"
#include "fovea/ep/language/model_reader.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

/// The elements of a context at these places.
Context part_of(const Context& context, const Members& places) {
  Context part = {.plates = context.plates, .size = places.size()};
  for (const Members& members : context.members) {
    Members& of_part = part.members.emplace_back();
    for (const std::uint32_t place : places) of_part.push_back(members[place]);
  }
  return part;
}

class Simulator : private ModelReader {
 public:
  Simulator(const ModelSyntax& syntax, const ModelData& data, const NumbersByName& known,
            const std::set<std::string>& redrawn, Random random)
      : ModelReader(syntax, data), data_(data), known_(known), redrawn_(redrawn), random_(random) {}

  std::vector<SimulatedVariable> simulate() {
    read_all();
    std::vector<SimulatedVariable> variables;
    for (const ModelSymbol& symbol : symbols_.all())
      if (symbol.is_random)
        variables.push_back({.name = symbol.variable.name,
                             .numbers = symbol.given,
                             .element_of_row = elements_of_rows(symbol),
                             .members = members_of_[symbol.variable.name]});
    return variables;
  }

 private:
  Members elements_of_rows(const ModelSymbol& symbol) const {
    if (!symbol.is_column) return {};
    const Plate& plate = plates_[symbol.variable.plates.at(0)];
    return plate.is_rows ? cycle(plate.size(), plate.size()) : members_of(*data_.table, plate.column, plate);
  }

  void read_distribution(const Statement& statement, ModelSymbol& symbol, const Context& context) override {
    const DrawnFrom from = drawn_from(values_.expanded(statement.value), plates_, values_, program());
    if (!std::exchange(symbol.has_node, true)) begin(statement, from, symbol);
    check_values(statement, from, symbol, symbols_.places_of(symbol.variable, context));
    check_whole_groups(statement, from, symbol, context);
    if (from.distribution->is_joint || from.is_ordered) draw_together(statement, from, symbol, context);
    else if (symbol.parts.empty()) draw_each(statement, from, symbol, context);
    else
      for (std::size_t i = 0; i < context.size; ++i) draw_each(statement, from, symbol, element(context, i));
    if (!symbol.category) symbol.variable.node = program().numbers(symbol.given);
  }

  /// At the first statement about a variable: what is known of it.
  void begin(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol) {
    if (symbol.is_column && redrawn_.contains(symbol.variable.name))
      std::ranges::fill(symbol.given, std::numeric_limits<double>::quiet_NaN());
    if (const auto known = known_.find(symbol.variable.name); known != known_.end())
      for (std::size_t i = 0; i < symbol.given.size(); ++i)
        if (const auto number = known->second.find(name_of(symbol, i)); number != known->second.end())
          symbol.given[i] = number->second;
    const bool is_own = std::ranges::any_of(syntax_.statements, [&](const Statement& other) {
      return other.subject.name == symbol.variable.name && mentions(other.value, symbol.variable.name);
    });
    if (is_own) {
      symbol.parts.resize(symbol.variable.size);
      symbol.is_built.resize(symbol.variable.size);
    }
    const bool is_truth = from.distribution->values == find_distribution("bernoulli")->values;
    const bool is_whole = std::ranges::none_of(symbol.given, [](double number) { return std::isnan(number); });
    if (from.distribution->is_categorical()) members_of_[symbol.variable.name] = plates_[*from.plate].members;
    if (is_whole || !(from.distribution->is_categorical() || is_truth)) return;
    Members all(symbol.variable.size);
    std::iota(all.begin(), all.end(), 0U);
    check_values(statement, from, symbol, all);
    // The numbers stay in symbol.given: for expressions, an unknown category stands in their contexts.
    unknown_.add(symbol, is_truth ? plates_.truths() : *from.plate, is_truth ? 0 : 1);
  }

  /// The context in which drawn categories have the members that were drawn.
  Context with_drawn(const Statement& statement, const DrawnFrom& from, Context context) const {
    for (const auto& reference : unknown_.references_in(from.call.arguments, context)) {
      const UnknownCategory& category = *reference.symbol->category;
      Members members;
      for (const std::uint32_t id : reference.categories) {
        const double number = reference.symbol->given[id - category.first];
        if (std::isnan(number))
          plates_.refuse(statement.place,
                         fmt::format("{} is used before it is drawn", name_of(*reference.symbol, id - category.first)),
                         "Statements may use what stands above them");
        members.push_back(static_cast<std::uint32_t>(number - category.first_number));
      }
      context.categories.push_back({.name = reference.text,
                                    .plate = category.plate,
                                    .first_number = category.first_number,
                                    .members = std::move(members)});
    }
    return context;
  }

  /// Draws elements that do not hang on each other.
  void draw_each(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol, const Context& all) {
    const Members places = symbols_.places_of(symbol.variable, all);
    Members unknown;
    for (std::uint32_t i = 0; i < all.size; ++i)
      if (std::isnan(symbol.given[places[i]])) unknown.push_back(i);
    if (!unknown.empty()) {
      const Context context = with_drawn(statement, from, part_of(all, unknown));
      const std::vector<double> numbers = numbers_from(statement, from, context);
      for (std::size_t i = 0; i < unknown.size(); ++i) {
        if (std::isnan(numbers[i])) refuse_draw(statement, from, name_of(symbol, places[unknown[i]]));
        symbol.given[places[unknown[i]]] = numbers[i];
      }
    }
    if (symbol.parts.empty()) return;
    for (const std::uint32_t place : places) {
      symbol.parts[place] = program().number(symbol.given[place]);
      symbol.is_built[place] = true;
    }
  }

  /// [element] a draw.
  std::vector<double> numbers_from(const Statement& statement, const DrawnFrom& from, const Context& context) {
    const std::size_t members = from.plate ? plates_[*from.plate].size() : 1;
    std::vector<std::vector<double>> arguments;
    std::vector<std::size_t> counts;  // of numbers for an element
    for (std::size_t i = 0; i < from.call.arguments.size(); ++i) {
      const bool is_over_plate = from.plate && i >= from.distribution->first_over_plate;
      const Node value = values_.values_of(
          from.call.arguments[i], is_over_plate ? plates_.over(context, *from.plate, statement.place) : context);
      const std::span<const double> known = program().known(value);
      arguments.emplace_back(known.begin(), known.end());
      counts.push_back(is_over_plate ? members : 1);
    }
    std::vector<double> numbers, own;
    for (std::size_t element = 0; element < context.size; ++element) {
      own.clear();
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto first = arguments[i].begin() + static_cast<std::ptrdiff_t>(element * counts[i]);
        own.insert(own.end(), first, first + static_cast<std::ptrdiff_t>(counts[i]));
      }
      numbers.push_back(draw_number(from, own, random_));
    }
    return numbers;
  }

  /// Draws elements that are of all members of a plate together.
  void draw_together(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol, const Context& context) {
    const Members places = symbols_.places_of(symbol.variable, context);
    const auto known = std::ranges::count_if(places, [&](auto place) { return !std::isnan(symbol.given[place]); });
    if (known == static_cast<std::ptrdiff_t>(places.size())) return;
    if (known > 0)
      plates_.refuse(
          statement.place,
          fmt::format("'{}' is drawn for all members of a plate together, and some are known", symbol.variable.name),
          "Leave out the rows with new members, or fit the model to a table that has them, too");
    const std::size_t members = plates_[symbol.variable.plates.back()].size();
    const std::vector<double> numbers = from.is_ordered ? ordered(statement, from, context, members)
                                        : from.distribution->name == "multi_normal" ? process(from, context, members)
                                                                                    : simplexes(from, context, members);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (std::isnan(numbers[i])) refuse_draw(statement, from, name_of(symbol, places[i]));
      symbol.given[places[i]] = numbers[i];
    }
  }

  /// Draws and sorts: where all members have the same distribution, that is the law of rising numbers.
  std::vector<double> ordered(const Statement& statement, const DrawnFrom& from, const Context& context,
                              std::size_t members) {
    for (const Expression& argument : from.call.arguments) {
      const Node value = values_.values_of(argument, context);
      const std::span<const double> numbers = program().known(value);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != numbers[i - i % members])
          plates_.refuse(statement.place, "members of an ordered plate have different distributions",
                         "Ordered numbers can be drawn where all have the same");
    }
    std::vector<double> numbers = numbers_from(statement, from, context);
    for (std::size_t first = 0; first < numbers.size(); first += members) {
      const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, begin + static_cast<std::ptrdiff_t>(members));
    }
    return numbers;
  }

  std::vector<double> process(const DrawnFrom& from, const Context& context, std::size_t members) {
    const Node mean = values_.values_of(from.call.arguments[0], context);
    const Node covariance =
        values_.values_of(from.call.arguments[1], plates_.over(context, *from.plate, from.call.place));
    std::vector<double> noise(context.size);
    for (double& z : noise) z = random_.normal();
    const Node result = coloured(program(), program().numbers(std::move(noise)), mean, covariance, members);
    const std::span<const double> numbers = program().known(result);
    return {numbers.begin(), numbers.end()};
  }

  std::vector<double> simplexes(const DrawnFrom& from, const Context& context, std::size_t members) {
    const Node value = values_.values_of(from.call.arguments[0], context);
    const std::span<const double> concentrations = program().known(value);
    std::vector<double> shares(context.size);
    for (std::size_t first = 0; first < shares.size(); first += members)
      draw_simplex(concentrations.subspan(first, members), random_, std::span(shares).subspan(first, members));
    return shares;
  }

  [[noreturn]] void refuse_draw(const Statement& statement, const DrawnFrom& from, const std::string& name) const {
    plates_.refuse(statement.place, fmt::format("{} cannot be drawn from {}", name, from.distribution->name),
                   from.distribution->name == "flat"
                       ? "flat() has no integral: give a distribution, such as normal(0, 10)"
                       : "Its arguments are out of range, such as a negative standard deviation, or nothing lies "
                         "within its bounds");
  }

  const ModelData& data_;
  const NumbersByName& known_;
  const std::set<std::string>& redrawn_;
  Random random_;
  std::map<std::string, std::vector<std::string>> members_of_;
};

bool is_rows(const Expression& expression) {
  return expression.kind == Kind::kName && expression.name == kRows && expression.indices.empty();
}

/// Indices of variables that are rows of the table, by the statements about each.
class RowIndices {
 public:
  explicit RowIndices(const ModelSyntax& syntax) {
    for (const Statement& statement : syntax.statements) {
      std::vector<bool>& are_rows = are_rows_[statement.subject.name];
      const std::vector<Expression>& indices = statement.subject.indices;
      are_rows.resize(std::max(are_rows.size(), indices.size()));
      for (std::size_t i = 0; i < indices.size(); ++i) are_rows[i] = are_rows[i] || is_rows(indices[i]);
    }
  }

  /// True for `x[1]` and `x[row - 1]` where x is of rows. Columns are, without a statement that says another plate.
  bool name_one(const Expression& name) const {
    const auto known = are_rows_.find(name.name);
    for (std::size_t i = 0; i < name.indices.size(); ++i) {
      const Expression& index = name.indices[i];
      const bool is_of_rows = known == are_rows_.end() || i >= known->second.size() || known->second[i];
      if (index.kind == Kind::kCall ? mentions(index, kRows) : index.kind == Kind::kNumber && is_of_rows) return true;
    }
    return false;
  }

  /// True if an element of another row stands in the expression, or the number of a row, which is another one in
  /// another table.
  bool look_across(const Expression& expression) const {
    const bool is_over_rows = expression.kind == Kind::kCall && !expression.arguments.empty() &&
                              (expression.name == "sum" || expression.name == "log_sum") &&
                              is_rows(expression.arguments[0]);
    if (is_rows(expression) || is_over_rows || (expression.kind == Kind::kName && name_one(expression))) return true;
    const auto looks = [&](const Expression& part) { return look_across(part); };
    return std::ranges::any_of(expression.indices, [&](const Expression& i) { return !is_rows(i) && looks(i); }) ||
           std::ranges::any_of(expression.arguments, looks);
  }

 private:
  std::map<std::string, std::vector<bool>> are_rows_;  // [index]
};

/// True for all rows together: ordered(...), dirichlet(...), multi_normal(...).
bool is_of_all_rows(const Statement& statement) {
  const Distribution* distribution = find_distribution(statement.value.name);
  const bool is_together = statement.value.name == "ordered" || (distribution != nullptr && distribution->is_joint);
  const std::vector<Expression>& indices = statement.subject.indices;
  return statement.is_random && is_together && (indices.empty() || is_rows(indices.back()));
}

}  // namespace

std::vector<SimulatedVariable> simulate(const ModelSyntax& syntax, const ModelData& data, const NumbersByName& known,
                                        const std::set<std::string>& redrawn, Random random) {
  return Simulator(syntax, data, known, redrawn, random).simulate();
}

std::vector<std::string> observed_columns(const ModelSyntax& syntax, const ModelData& data) {
  std::vector<std::string> columns;
  for (const Statement& statement : syntax.statements) {
    const std::string& name = statement.subject.name;
    const bool is_column = data.table != nullptr && data.table->find_column(name).has_value();
    if (!statement.is_random || statement.value.name == "plate" || !is_column) continue;
    if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  }
  return columns;
}

const Statement* statement_across_rows(const ModelSyntax& syntax) {
  const RowIndices rows(syntax);
  for (const Statement& statement : syntax.statements)
    if (rows.name_one(statement.subject) || is_of_all_rows(statement) || rows.look_across(statement.value))
      return &statement;
  return nullptr;
}

}  // namespace fovea::ep
