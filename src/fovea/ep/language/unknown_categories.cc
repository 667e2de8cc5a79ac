// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/unknown_categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;

}  // namespace

void UnknownCategories::add(ModelSymbol& symbol, std::size_t plate, double first_number) {
  symbol.category = {.plate = plate, .first_number = first_number, .first = static_cast<std::uint32_t>(states_.size())};
  for (const double given : symbol.given) {
    if (!std::isnan(given))
      known_.push_back({static_cast<std::uint32_t>(states_.size()), static_cast<std::uint32_t>(given - first_number)});
    states_.push_back(static_cast<std::uint32_t>(states_of(symbol)));
  }
}

std::vector<UnknownCategories::Reference> UnknownCategories::references_in(std::span<const Expression> expressions,
                                                                           const Context& context) const {
  std::vector<Reference> found;
  std::vector<std::size_t> summed;
  for (const Expression& expression : expressions) find_references(expression, context, summed, found);
  return found;
}

void UnknownCategories::find_references(const Expression& expression, const Context& context,
                                        std::vector<std::size_t>& summed, std::vector<Reference>& found) const {
  const ModelSymbol* symbol = expression.kind == Kind::kName ? find_symbol(symbols_, expression.name) : nullptr;
  if (symbol != nullptr && symbol->category) {
    for (const std::size_t plate : summed)
      for (const Expression& index : expression.indices)
        if (mentions(index, plates_[plate].name) ||
            (!plates_[plate].index.empty() && mentions(index, plates_[plate].index)))
          plates_.refuse(expression.place,
                         fmt::format("'{}' is summed over '{}', and it is a whole number that is not known",
                                     text_of(expression), plates_[plate].name),
                         "A sum over such numbers hangs on all of them at once: write a line for each member");
    const std::string text = symbol->element_text(expression);
    if (std::ranges::find(found, text, &Reference::text) != found.end()) return;
    Members categories = values_.places_of(expression, *symbol, context);
    for (std::uint32_t& category : categories) category += symbol->category->first;
    found.push_back({text, symbol, std::move(categories)});
    return;
  }
  const bool is_over_plate = expression.kind == Kind::kCall && expression.arguments.size() == 2 &&
                             (expression.name == "sum" || expression.name == "log_sum");
  const auto plate = is_over_plate ? plates_.find(expression.arguments[0].name) : std::nullopt;
  if (plate) summed.push_back(*plate);
  for (const Expression& index : expression.indices) find_references(index, context, summed, found);
  for (const Expression& argument : expression.arguments) find_references(argument, context, summed, found);
  if (plate) summed.pop_back();
}

Context UnknownCategories::with_states(Context context, const std::vector<Reference>& references) const {
  for (const Reference& reference : references) {
    const std::size_t states = states_of(*reference.symbol);
    context = context.repeated(states);
    context.categories.push_back({.name = reference.text,
                                  .plate = reference.symbol->category->plate,
                                  .first_number = reference.symbol->category->first_number,
                                  .members = cycle(context.size, states)});
  }
  return context;
}

void UnknownCategories::add_density(Node density, const std::vector<Reference>& references) {
  std::size_t size = 1;
  for (const Reference& reference : references) size *= states_of(*reference.symbol);
  for (std::size_t element = 0; element < references[0].categories.size(); ++element) {
    CategoryTable& table = tables_.emplace_back(
        CategoryTable{.input = static_cast<std::uint32_t>(inputs_.size()), .first = element * size});
    for (const Reference& reference : references) table.categories.push_back(reference.categories[element]);
  }
  inputs_.push_back(density);
}

void UnknownCategories::finish(CompiledModel& model, const std::string& file) {
  if (states_.empty()) return;
  for (const auto& [category, state] : known_) {
    std::vector<double> certain(states_[category], -kInfinity);
    certain[state] = 0;
    tables_.push_back({.input = static_cast<std::uint32_t>(inputs_.size()), .categories = {category}});
    inputs_.push_back(model.program.numbers(std::move(certain)));
  }
  const auto sum_out = std::make_shared<SumOut>(states_, tables_);
  if (!sum_out->is_possible())
    throw InputError({.file = file},
                     fmt::format("the unknown whole numbers hang on each other too closely to be summed out: more than "
                                 "{} numbers are needed",
                                 SumOut::kMostNumbers),
                     "Let each depend on few others, or give their plates fewer members");
  model.summed = model.program.apply(sum_out, inputs_, sum_out->result_count());
  model.program.add_density(model.program.gather(model.summed, {0}));
  model.sum_out = sum_out;
  std::size_t first = 0;
  for (const ModelSymbol& symbol : symbols_) {
    if (!symbol.category) continue;
    model.categories.push_back({.variable = symbol.variable, .plate = symbol.category->plate, .first = first});
    first += symbol.variable.size * states_of(symbol);
  }
}

}  // namespace fovea::ep
