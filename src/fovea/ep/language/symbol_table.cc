// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/symbol_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "fovea/ep/language/distribution.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ModelSymbol& SymbolTable::symbol_of(const Statement& statement) {
  const Expression& subject = statement.subject;
  if (plates_.find(subject.name) && !plates_.is_column(subject.name))
    plates_.refuse(subject.place, fmt::format("'{}' is a plate", subject.name), "Give the variable another name");
  if (ModelSymbol* known = find_symbol(symbols_, subject.name)) return *known;
  ModelSymbol symbol = {.variable = {.name = subject.name}};
  for (const Statement& other : syntax_.statements)
    symbol.is_random = symbol.is_random || (other.subject.name == subject.name && other.is_random);
  symbol.is_column = symbol.is_random && plates_.is_column(subject.name);
  symbol.variable.plates = plates_of(subject, symbol.is_column);
  for (const std::size_t plate : symbol.variable.plates) {
    symbol.variable.size *= plates_[plate].size();
    if (symbol.variable.size > kMostElements)
      plates_.refuse(subject.place, fmt::format("'{}' has more than {} elements", subject.name, kMostElements),
                     "Use smaller plates, or split the model");
  }
  symbol.is_defined.assign(symbol.variable.size, false);
  if (symbol.is_column) symbol.given = given_by_column(statement, symbol);
  else if (symbol.is_random) symbol.given.assign(symbol.variable.size, kUnknown);
  return symbols_.emplace_back(std::move(symbol));
}

/// [element] number of a column with a distribution; of a member, if it is categorical.
std::vector<double> SymbolTable::given_by_column(const Statement& statement, const ModelSymbol& symbol) const {
  const std::string& column = symbol.variable.name;
  const Distribution* distribution = find_distribution(statement.value.name);
  const std::vector<Expression>& arguments = statement.value.arguments;
  if (distribution == nullptr || !distribution->is_categorical() || arguments.empty())
    return numbers_of(*data_.table, column, plates_[symbol.variable.plates.at(0)]);
  std::vector<double> numbers;
  for (const std::optional<std::uint32_t> member :
       known_members_of(*data_.table, column, plates_[plates_.called(arguments[0])]))
    numbers.push_back(member ? *member + 1. : kUnknown);
  return numbers;
}

/// The plates of all indices of a variable: where one statement has a number, another one names the plate.
std::vector<std::size_t> SymbolTable::plates_of(const Expression& subject, bool is_column) const {
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

Context SymbolTable::elements_of(const Statement& statement, ModelSymbol& symbol) const {
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
      at[i] = static_cast<std::uint32_t>(rest % plates_[plates[i]].size());
      rest /= plates_[plates[i]].size();
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

Members SymbolTable::places_of(const ModelVariable& variable, const Context& context) const {
  Members places(context.size);
  for (std::size_t i = 0; i < variable.plates.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(plates_[variable.plates[i]].size());
    for (std::size_t element = 0; element < context.size; ++element)
      places[element] = places[element] * size + context.members[i][element];
  }
  return places;
}

}  // namespace fovea::ep
