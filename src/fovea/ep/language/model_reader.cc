// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/language/distribution.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

}  // namespace

void ModelReader::read_all() {
  for (const Statement& statement : syntax_.statements) read(statement);
  for (const ModelSymbol& symbol : symbols_.all()) {
    const auto missing = std::ranges::find(symbol.is_defined, false);
    if (missing != symbol.is_defined.end())
      throw InputError({.file = syntax_.file},
                       fmt::format("{} is never defined",
                                   name_of(symbol, static_cast<std::size_t>(missing - symbol.is_defined.begin()))),
                       "Give it a statement of its own, or one for the whole plate");
  }
}

// ---- Formulas

void ModelReader::read_formula(const Statement& statement, ModelSymbol& symbol, const Context& context) {
  const Expression value = values_.expanded(statement.value);
  if (symbol.is_random) return give(statement, symbol, context);
  if (!unknown_.references_in({&value, 1}, context).empty()) return keep_formula(statement, symbol, context);
  const bool is_all = context.size == symbol.variable.size;
  if (is_all && !mentions(value, symbol.variable.name)) {
    symbol.variable.node = values_.values_of(value, context);
    return;
  }
  // Element by element: a formula may use elements that come before.
  symbol.parts.resize(symbol.variable.size);
  symbol.is_built.resize(symbol.variable.size);
  const Members places = symbols_.places_of(symbol.variable, context);
  for (std::size_t i = 0; i < context.size; ++i) {
    symbol.parts[places[i]] = values_.value_of(value, element(context, i));
    symbol.is_built[places[i]] = true;
  }
  if (std::ranges::all_of(symbol.is_defined, [](bool is) { return is; }))
    symbol.variable.node = program().join(symbol.parts);
}

/// A formula of unknown categories: it stands for itself wherever the variable is used.
void ModelReader::keep_formula(const Statement& statement, ModelSymbol& symbol, const Context& context) const {
  if (context.size != symbol.variable.size || mentions(statement.value, symbol.variable.name))
    plates_.refuse(
        statement.place,
        fmt::format("'{}' is computed element by element from whole numbers that are not known", symbol.variable.name),
        "Such a formula needs one line for the whole plate, which does not use the variable itself");
  symbol.formula = &statement;
}

/// Sets elements of a variable with a distribution, such as the effect of the first of several groups.
void ModelReader::give(const Statement& statement, ModelSymbol& symbol, const Context& context) {
  const Node value = values_.values_of(statement.value, context);
  if (symbol.has_node || symbol.is_column || !program().is_known(value))
    plates_.refuse(statement.place, fmt::format("'{}' has both a distribution and a formula", symbol.variable.name),
                   "Elements of a variable with a distribution may be set to known numbers, above its distribution");
  const Members places = symbols_.places_of(symbol.variable, context);
  for (std::size_t i = 0; i < places.size(); ++i) symbol.given[places[i]] = program().known(value)[i];
}

void ModelReader::check_values(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol,
                               const Members& places) const {
  const Distribution& distribution = *from.distribution;
  for (const std::uint32_t place : places) {
    const double value = symbol.given[place];
    if (std::isnan(value) || from.allows(value, from.plate ? plates_[*from.plate].size() : 0)) continue;
    plates_.refuse(statement.place,
                   fmt::format("{} is {}, which {} cannot be", name_of(symbol, place), value, distribution.name),
                   distribution.is_discrete
                       ? fmt::format("Its values are {}", distribution.values)
                       : fmt::format("Its values lie between {} and {}", from.support.low, from.support.high));
  }
}

/// Refuses statements for some members of a plate, of what is of all of them together.
void ModelReader::check_whole_groups(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol,
                                     const Context& context) const {
  if (!from.distribution->is_joint && !from.is_ordered) return;
  const std::vector<std::size_t>& plates = symbol.variable.plates;
  const bool is_whole = !plates.empty() && context.size % plates_[plates.back()].size() == 0 &&
                        (statement.subject.indices.empty() || statement.subject.indices.back().kind == Kind::kName);
  const bool is_same = !from.plate || (is_whole && plates_[*from.plate].size() == plates_[plates.back()].size());
  if (!is_whole || !is_same)
    plates_.refuse(statement.place, fmt::format("{} is of all members of a plate together", statement.value.name),
                   from.plate ? "Write x[item] ~ multi_normal(other, mean[item], covariance[item, other]), with "
                                "other ~ plate(item)"
                              : fmt::format("Write x[plate] ~ {}(...)", statement.value.name));
}

void ModelReader::read(const Statement& statement) {
  if (statement.is_random && statement.value.name == "plate") {
    if (find_symbol(symbols_.all(), statement.subject.name) != nullptr)
      plates_.refuse(statement.place, fmt::format("'{}' is a variable", statement.subject.name),
                     "Give the plate a name of its own");
    return plates_.add(statement);
  }
  ModelSymbol& symbol = symbols_.symbol_of(statement);
  const Context context = symbols_.elements_of(statement, symbol);
  if (context.size == 0) return;
  if (statement.is_random) read_distribution(statement, symbol, context);
  else read_formula(statement, symbol, context);
}

Context ModelReader::element(const Context& context, std::size_t i) {
  Context one = {.plates = context.plates, .size = 1};
  for (const Members& members : context.members) one.members.push_back({members[i]});
  return one;
}

}  // namespace fovea::ep
