// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/model_posterior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/ep/language/simulate.h"

namespace fovea::ep {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Expression::Kind;

bool has_rows(const ModelVariable& variable, const std::vector<Plate>& plates) {
  return std::ranges::any_of(variable.plates, [&](std::size_t plate) { return plates[plate].is_rows; });
}

/// Columns of which the model uses a number for each member of a plate, by the plate's name.
void find_member_columns(const Expression& expression, const ModelData& data, const std::vector<Plate>& plates,
                         ModelPosterior& posterior) {
  for (const Expression& part : expression.indices) find_member_columns(part, data, plates, posterior);
  for (const Expression& part : expression.arguments) find_member_columns(part, data, plates, posterior);
  if (expression.kind != Kind::kName || expression.indices.size() != 1 || data.table == nullptr) return;
  const auto plate = std::ranges::find_if(
      plates, [&](const Plate& of) { return of.is_called(expression.indices[0].name) && !of.column.empty(); });
  if (plate == plates.end() || !data.table->find_column(expression.name)) return;
  auto& columns = posterior.member_numbers[plate->name];
  if (!columns.contains(expression.name)) columns[expression.name] = numbers_of(*data.table, expression.name, *plate);
}

/// Draws of these variables.
void add_draws(const std::set<std::string>& kept, const ModelDraws& draws, ModelPosterior& posterior) {
  std::size_t quantities = 1;
  for (const DrawnVariable& variable : draws.variables)
    if (kept.contains(variable.name)) quantities += variable.size;
  const std::size_t total = draws.chains * draws.length;
  posterior.draws = std::min(total, std::clamp(ModelPosterior::kMostNumbers / quantities, ModelPosterior::kFewestDraws,
                                               ModelPosterior::kMostDraws));
  for (const DrawnVariable& variable : draws.variables) {
    if (!kept.contains(variable.name)) continue;
    for (std::size_t q = variable.first; q < variable.first + variable.size; ++q) {
      std::vector<double>& values = posterior.values[variable.name][draws.quantities[q].name];
      for (std::size_t i = 0; i < posterior.draws; ++i)
        values.push_back(draws.draws[q * total + i * total / posterior.draws]);
    }
  }
}

/// NaN is null.
Json numbers_as_json(const std::vector<double>& numbers) {
  Json array = Json::array();
  for (const double number : numbers) array.push_back(std::isfinite(number) ? Json(number) : Json());
  return array;
}

std::vector<double> numbers_in(const Json& array) {
  std::vector<double> numbers;
  for (const Json& number : array)
    numbers.push_back(number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>());
  return numbers;
}

void check(const ModelPosterior& posterior) {
  if (posterior.draws == 0) throw std::domain_error("it has no draws");
  for (const auto& [variable, elements] : posterior.values)
    for (const auto& [name, draws] : elements)
      if (draws.size() != posterior.draws || !std::ranges::all_of(draws, [](double x) { return std::isfinite(x); }))
        throw std::domain_error(fmt::format("'{}' has not {} finite draws", name, posterior.draws));
}

}  // namespace

ModelPosterior posterior_of(const ModelSyntax& syntax, std::string text, const ModelData& data,
                            const CompiledModel& model, const ModelDraws& draws) {
  ModelPosterior posterior = {.model = std::move(text),
                              .numbers = data.numbers,
                              .observed = observed_columns(syntax, data),
                              .members = members_of_columns(model.plates)};
  posterior.has_mixed = draws.is_exact || (draws.mixing == mcmc::Mixing::kMixed && !draws.is_gaussian);
  std::set<std::string> random;
  for (const Statement& statement : syntax.statements) {
    find_member_columns(statement.value, data, model.plates, posterior);
    if (statement.is_random) random.insert(statement.subject.name);
  }
  for (const ModelCategory& category : model.categories)
    if (!has_rows(category.variable, model.plates)) posterior.summed_out.push_back(category.variable.name);
  std::set<std::string> kept;
  for (const ModelVariable& variable : model.variables)
    if (random.contains(variable.name) && !has_rows(variable, model.plates)) kept.insert(variable.name);
  add_draws(kept, draws, posterior);
  return posterior;
}

std::string text_of(const ModelPosterior& posterior) {
  Json members = Json::object(), member_numbers = Json::object(), values = Json::object();
  for (const auto& [plate, names] : posterior.members) members[plate] = names;
  for (const auto& [plate, columns] : posterior.member_numbers)
    for (const auto& [column, numbers] : columns) member_numbers[plate][column] = numbers_as_json(numbers);
  for (const auto& [variable, elements] : posterior.values)
    for (const auto& [name, draws] : elements) values[variable][name] = draws;
  return Json{{"model", posterior.model},       {"numbers", posterior.numbers},
              {"observed", posterior.observed}, {"summed_out", posterior.summed_out},
              {"members", std::move(members)},  {"member_numbers", std::move(member_numbers)},
              {"mixed", posterior.has_mixed},   {"draws", posterior.draws},
              {"values", std::move(values)}}
      .dump();
}

ModelPosterior parse_posterior(std::string_view text, const std::string& file) {
  try {
    const Json whole = Json::parse(text);
    const Json& json = whole.contains("posterior") ? whole.at("posterior") : whole;
    ModelPosterior posterior = {.model = json.at("model").get<std::string>(),
                                .numbers = json.at("numbers").get<std::map<std::string, double>>(),
                                .observed = json.at("observed").get<std::vector<std::string>>(),
                                .summed_out = json.at("summed_out").get<std::vector<std::string>>(),
                                .has_mixed = json.at("mixed").get<bool>(),
                                .draws = json.at("draws").get<std::size_t>()};
    for (const auto& [plate, names] : json.at("members").items())
      posterior.members[plate] = names.get<std::vector<std::string>>();
    for (const auto& [plate, columns] : json.at("member_numbers").items())
      for (const auto& [column, numbers] : columns.items())
        posterior.member_numbers[plate][column] = numbers_in(numbers);
    for (const auto& [variable, elements] : json.at("values").items())
      for (const auto& [name, draws] : elements.items())
        posterior.values[variable][name] = draws.get<std::vector<double>>();
    check(posterior);
    return posterior;
  } catch (const std::exception& fault) {
    throw InputError({.file = file}, fmt::format("not a posterior of `fovea fit`: {}", fault.what()),
                     "Make one with `fovea fit MODEL DATA -o posterior.json`");
  }
}

}  // namespace fovea::ep
