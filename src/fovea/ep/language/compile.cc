// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/ep/density/support.h"
#include "fovea/ep/density/vector_density.h"
#include "fovea/ep/language/distribution.h"
#include "fovea/ep/language/drawn_from.h"
#include "fovea/ep/language/model_reader.h"
#include "fovea/ep/language/unknown_categories.h"

namespace fovea::ep {
namespace {

using Kind = Expression::Kind;
using Members = std::vector<std::uint32_t>;

bool is_known(double number) { return !std::isnan(number); }

class Compiler : private ModelReader {
 public:
  Compiler(const ModelSyntax& syntax, const ModelData& data, const ApartElements& apart)
      : ModelReader(syntax, data), apart_(apart) {}

  CompiledModel compile() {
    read_all();
    model_.file = syntax_.file;
    for (const ModelSymbol& symbol : symbols_.all()) {
      const bool is_data = symbol.is_column && !symbol.category && program().is_known(symbol.variable.node);
      if (!is_data && !symbol.category && symbol.formula == nullptr) model_.variables.push_back(symbol.variable);
    }
    model_.program = std::move(program());
    unknown_.finish(model_, syntax_.file);
    model_.plates = std::move(all_plates_);
    return std::move(model_);
  }

 private:
  // ---- Distributions

  void read_distribution(const Statement& statement, ModelSymbol& symbol, const Context& context) override {
    const DrawnFrom from = drawn_from(values_.expanded(statement.value), plates_, values_, program());
    const Members own = symbols_.places_of(symbol.variable, context);
    model_.has_evidence = model_.has_evidence && from.is_normalised();
    check_values(statement, from, symbol, own);
    check_whole_groups(statement, from, symbol, context);
    if (read_hierarchical(statement, from, symbol, context) || read_process(statement, from, symbol, context)) return;
    if (!std::exchange(symbol.has_node, true)) begin_random(statement, from, symbol);
    else check_again(statement, from, symbol);
    const auto references = references_of(statement, from, symbol, context, own);
    const Context states = unknown_.with_states(context, references);
    const Members places = repeat_each(own, states.size / context.size);
    values_.forbid(&symbol, places);
    Node density = {};
    if (from.distribution->is_categorical()) density = categorical(statement, from, symbol, states, places);
    else if (symbol.category) density = log_density_of(from, values_.value_of(statement.subject, states), states);
    else {
      const bool is_all = references.empty() && context.size == symbol.variable.size;
      const Node x = is_all ? symbol.variable.node : program().gather(symbol.variable.node, places);
      density = log_density_of(from, x, states);
    }
    values_.forbid(nullptr, {});
    if (!from.distribution->is_joint) density = values_.spread(density, states.size);
    if (references.empty()) program().add_density(density);
    else unknown_.add_density(density, references);
    model_.terms.push_back({.place = statement.place, .subject = text_of(statement.subject), .density = density});
  }

  /// Reads x ~ normal(mean, sd) of a mean or an sd that are not known, and all of x. False if the statement is not
  /// such.
  bool read_hierarchical(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol,
                         const Context& context) {
    if (from.distribution->name != "normal" || from.is_bounded || from.is_ordered || from.is_seen) return false;
    if (symbol.has_node || context.size != symbol.variable.size || std::ranges::any_of(symbol.given, is_known) ||
        mentions(from.call, symbol.variable.name) || !unknown_.references_in(from.call.arguments, context).empty())
      return false;
    const Node mean = values_.values_of(from.call.arguments[0], context);
    const Node sd = values_.values_of(from.call.arguments[1], context);
    if (program().is_known(mean) && program().is_known(sd)) return false;
    symbol.has_node = true;
    const auto chosen = apart_.find(symbol.variable.name);
    std::array<Members, 2> elements;  // those that are their own parameters, and those apart
    for (std::uint32_t i = 0; i < context.size; ++i)
      elements[chosen != apart_.end() && chosen->second[i] ? 1 : 0].push_back(i);
    HierarchicalVariable& variable = model_.hierarchical.emplace_back(HierarchicalVariable{symbol.variable.name, {}});
    variable.parameters.resize(context.size);
    std::vector<Node> parts, densities;
    Members places(context.size);
    std::uint32_t place = 0;
    for (const bool is_apart : {false, true}) {
      const Members& own = elements[is_apart ? 1 : 0];
      if (own.empty()) continue;
      const Node mean_of = program().gather(mean, own), sd_of = program().gather(sd, own);
      for (std::size_t i = 0; i < own.size(); ++i) {
        variable.parameters[own[i]] = program().parameter_count() + i;
        places[own[i]] = place++;
      }
      const Node made = program().parameters(own.size());
      parts.push_back(is_apart ? program().apply(Binary::kAdd, mean_of, program().apply(Binary::kMultiply, sd_of, made))
                               : made);
      densities.push_back(is_apart ? normal(program(), made, program().number(0), program().number(1))
                                   : normal(program(), made, mean_of, sd_of));
    }
    symbol.variable.node = program().gather(program().join(parts), std::move(places));
    program().add_density(program().join(densities));
    model_.terms.push_back(
        {.place = statement.place, .subject = text_of(statement.subject), .density = program().join(densities)});
    return true;
  }

  /// Reads x ~ multi_normal(...) of unknown x, whose parameters are z of x = mean + L z: its numbers hang on each other
  /// too closely to be drawn themselves. False if the statement is not such.
  bool read_process(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol, const Context& context) {
    if (from.distribution->name != "multi_normal" || symbol.has_node || std::ranges::any_of(symbol.given, is_known) ||
        context.size != symbol.variable.size || mentions(from.call, symbol.variable.name) ||
        !unknown_.references_in(from.call.arguments, context).empty())
      return false;
    symbol.has_node = true;
    const std::size_t members = plates_[*from.plate].size();
    const Node mean = values_.values_of(from.call.arguments[0], context);
    const Node covariance =
        values_.values_of(from.call.arguments[1], plates_.over(context, *from.plate, from.call.place));
    const Node made = program().parameters(context.size);
    const Node density = normal(program(), made, program().number(0), program().number(1));
    symbol.variable.node = coloured(program(), made, mean, covariance, members);
    program().add_density(density);
    model_.terms.push_back({.place = statement.place, .subject = text_of(statement.subject), .density = density});
    model_.terms.push_back(
        {.place = statement.place, .subject = text_of(statement.subject), .density = symbol.variable.node});
    return true;
  }

  /// The unknown categories that a statement hangs on; its own ones come first.
  std::vector<UnknownCategories::Reference> references_of(const Statement& statement, const DrawnFrom& from,
                                                          const ModelSymbol& symbol, const Context& context,
                                                          const Members& own) const {
    std::vector<Expression> mentioned = from.call.arguments;
    if (from.is_seen) mentioned.push_back(*from.is_seen);
    for (const auto& reference : unknown_.references_in(mentioned, context))
      for (std::size_t i = 0; i < own.size(); ++i)
        if (reference.symbol == &symbol && reference.categories[i] == symbol.category->first + own[i])
          plates_.refuse(statement.value.place, fmt::format("{} depends on itself", name_of(symbol, own[i])),
                         "A distribution may use other elements of its variable, such as z[row - 1]");
    if (symbol.category) mentioned.insert(mentioned.begin(), statement.subject);
    auto references = unknown_.references_in(mentioned, context);
    double size = static_cast<double>(context.size);
    for (const auto& reference : references)
      size *= static_cast<double>(plates_[reference.symbol->category->plate].size());
    if (size > static_cast<double>(kMostElements))
      plates_.refuse(statement.place, fmt::format("this line has more than {} numbers", kMostElements),
                     "Let it hang on fewer unknown whole numbers, or on plates with fewer members");
    if (from.distribution->is_joint && !references.empty())
      plates_.refuse(statement.place,
                     fmt::format("{} hangs on whole numbers that are not known", from.distribution->name),
                     "What is of all members of a plate together cannot");
    return references;
  }

  /// [element] log density of x.
  Node log_density_of(const DrawnFrom& from, Node x, const Context& context) {
    const Distribution& distribution = *from.distribution;
    const bool is_vector = distribution.vector_log_density != nullptr;
    const std::size_t members = from.plate              ? plates_[*from.plate].size()
                                : distribution.is_joint ? plates_[context.plates.back()].size()
                                                        : 1;
    std::vector<Node> arguments;
    for (std::size_t i = 0; i < from.call.arguments.size(); ++i) {
      const bool is_over_plate = from.plate && i >= distribution.first_over_plate;
      const Context of_argument = is_over_plate ? plates_.over(context, *from.plate, from.call.place) : context;
      const Node value = values_.value_of(from.call.arguments[i], of_argument);
      arguments.push_back(is_vector ? values_.spread(value, of_argument.size) : value);
    }
    if (is_vector) return distribution.vector_log_density(program(), x, arguments, members);
    const bool is_known = std::ranges::all_of(arguments, [&](Node argument) { return program().is_known(argument); });
    if (from.is_bounded && !is_known && distribution.name != "normal")
      plates_.refuse(from.call.place, fmt::format("the arguments of {} are not known", distribution.name),
                     "Only normal takes bounds where its arguments are unknown");
    return density_within(program(), from, x, arguments,
                          [&](const Expression& expression) { return values_.value_of(expression, context); });
  }

  /// [element] log probability of the member that each element is, of weights that need not sum to 1.
  Node categorical(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol, const Context& context,
                   const Members& places) {
    Members members;
    if (symbol.category) members = context.find_category(statement.subject)->members;
    else
      for (const std::uint32_t place : places) members.push_back(static_cast<std::uint32_t>(symbol.given[place]) - 1);
    const auto log_weights = [&](const Context& of) {
      const Node weight = values_.values_of(from.call.arguments[0], of);
      return from.distribution->name == "categorical" ? program().apply(Unary::kLog, weight) : weight;
    };
    const Node own = log_weights(context.with(*from.plate, members));
    if (sums_to_one(from)) return own;
    const std::size_t count = plates_[*from.plate].size();
    return program().apply(Binary::kSubtract, own,
                           program().log_sum(log_weights(plates_.over(context, *from.plate, from.call.place)), count));
  }

  /// True for weights that are a simplex over the plate.
  bool sums_to_one(const DrawnFrom& from) {
    const Expression& weight = from.call.arguments[0];
    if (weight.kind != Kind::kName || weight.indices.empty()) return false;
    const ModelSymbol* symbol = find_symbol(symbols_.all(), weight.name);
    return symbol != nullptr && symbol->is_simplex && from.distribution->name == "categorical" &&
           plates_.find(weight.indices.back().name) == from.plate;
  }

  /// Makes the numbers of a variable with a distribution: unknown ones, and those that are given.
  void begin_random(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol) {
    symbol.is_simplex = from.distribution->support.kind == Support::Kind::kSimplex;
    std::vector<double> given;
    Members unknown;
    for (std::uint32_t i = 0; i < symbol.variable.size; ++i)
      if (is_known(symbol.given[i])) given.push_back(symbol.given[i]);
      else unknown.push_back(i);
    if (unknown.empty()) {
      symbol.variable.node = program().numbers(std::move(given));
      return;
    }
    if (from.distribution->is_discrete) return begin_category(statement, from, symbol);
    const bool is_grouped = from.is_ordered || symbol.is_simplex;
    if (is_grouped && (symbol.variable.plates.empty() || !given.empty()))
      plates_.refuse(statement.place,
                     fmt::format("'{}' cannot be {}", symbol.variable.name, from.is_ordered ? "ordered" : "a simplex"),
                     "Such a variable has an index, and all of its numbers are unknown");
    symbol.support = from.support;
    if (from.is_ordered) symbol.support.kind = Support::Kind::kOrdered;
    const Node made = add_unknown(program(), symbol.support, unknown.size(),
                                  is_grouped ? plates_[symbol.variable.plates.back()].size() : 1);
    if (given.empty()) {
      symbol.variable.node = made;
      return;
    }
    const Node both = program().join({program().numbers(given), made});
    Members places(symbol.variable.size);
    std::uint32_t next_given = 0, next_made = static_cast<std::uint32_t>(given.size());
    for (std::uint32_t i = 0; i < places.size(); ++i)
      places[i] = is_known(symbol.given[i]) ? next_given++ : next_made++;
    symbol.variable.node = program().gather(both, std::move(places));
    symbol.variable.unknown = std::move(unknown);
  }

  void begin_category(const Statement& statement, const DrawnFrom& from, ModelSymbol& symbol) {
    const Distribution& distribution = *from.distribution;
    Members all(symbol.variable.size);
    std::iota(all.begin(), all.end(), 0U);
    check_values(statement, from, symbol, all);
    if (symbol.variable.size > UnknownCategories::kMost)
      plates_.refuse(
          statement.place,
          fmt::format("'{}' has more than {} unknown whole numbers", symbol.variable.name, UnknownCategories::kMost),
          "Fit to a part of the rows");
    for (std::uint32_t i = 0; i < symbol.given.size(); ++i)
      if (!is_known(symbol.given[i])) symbol.variable.unknown.push_back(i);
    if (distribution.is_categorical()) return unknown_.add(symbol, *from.plate, 1);
    if (distribution.values == find_distribution("bernoulli")->values) return unknown_.add(symbol, plates_.truths(), 0);
    plates_.refuse(
        statement.place,
        fmt::format("'{}' has values that are not known, and {} has more values than can be summed out",
                    symbol.variable.name, distribution.name),
        "Leave out the rows whose cells are missing, or write n ~ plate(100) and x ~ categorical(n, weight)");
  }

  /// A later statement about a variable, whose numbers were made by the first one.
  void check_again(const Statement& statement, const DrawnFrom& from, const ModelSymbol& symbol) {
    const bool is_data = !symbol.category && program().is_known(symbol.variable.node);
    const bool is_same_kind = (is_data || from.distribution->is_discrete == symbol.category.has_value()) &&
                              (!from.plate || !symbol.category || *from.plate == symbol.category->plate);
    const bool is_same_support = symbol.category || is_data || from.support == symbol.support;
    if (!is_same_kind || !is_same_support || from.is_ordered || symbol.is_simplex)
      plates_.refuse(statement.place, fmt::format("'{}' has other values by a statement above", symbol.variable.name),
                     "All statements about a variable give it values of the same kind, such as positive numbers");
  }

  const ApartElements& apart_;
  CompiledModel model_;
};

}  // namespace

CompiledModel compile_model(const ModelSyntax& syntax, const ModelData& data, const ApartElements& apart) {
  return Compiler(syntax, data, apart).compile();
}

}  // namespace fovea::ep
