// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/global_cost_reader.h"

#include <fmt/format.h>

#include <utility>

namespace fovea::graph {
namespace {

using Kind = GlobalField::Kind;

constexpr std::size_t kMostRows = 1 << 20;

class ParameterReader {
 public:
  ParameterReader(std::size_t arity, GlobalFieldSource& source) : arity_(arity), source_(source) {}

  void read(const GlobalField& field, GlobalParameters& parameters) {
    if (!source_.begin(field.name) && field.kind == Kind::kMayBeMissing) return;
    const std::string name(field.name);
    switch (field.kind) {
      case Kind::kWord:
        parameters.words[name] = source_.word(field.name);
        return;
      case Kind::kInteger:
      case Kind::kMayBeMissing:
        parameters.numbers[name] = source_.integer(field.name);
        return;
      case Kind::kCost:
        parameters.numbers[name] = source_.cost(field.name);
        return;
      case Kind::kRows:
        parameters.rows[name] = rows(field, parameters.word("metric") == "wdec");
        return;
      case Kind::kScopeRows:
        parameters.rows[name] = scope_rows(field);
        return;
      case Kind::kScopeSets:
        parameters.rows[name] = scope_sets(field);
        return;
    }
  }

 private:
  using Rows = std::vector<std::vector<double>>;

  double cell(char column, std::size_t place, std::string_view what) {
    if (column == 'n') return source_.integer(what);
    if (column == 'c') return source_.cost(what);
    if (column == 'x') return source_.place(what);
    return source_.value(place, what);
  }

  std::vector<double> row(std::string_view columns, std::size_t place, std::string_view what) {
    std::vector<double> cells;
    source_.begin_row(columns.size());
    for (const char column : columns) {
      cells.push_back(cell(column, place, what));
      if (column == 'x') place = static_cast<std::size_t>(cells.back());
    }
    source_.end_row(columns.size());
    return cells;
  }

  Rows rows(const GlobalField& field, bool has_weights) {
    const std::string columns = std::string(field.columns) + (has_weights && field.name == "bounds" ? "cc" : "");
    Rows rows;
    const std::optional<std::size_t> count = source_.begin_rows(true);
    while (count ? rows.size() < *count : !source_.at_end()) {
      if (rows.size() == kMostRows) source_.refuse(fmt::format("more than {} rows of {}", kMostRows, field.name), "");
      rows.push_back(row(columns, 0, field.name));
    }
    return rows;
  }

  Rows scope_rows(const GlobalField& field) {
    Rows rows;
    const bool is_open = !source_.begin_rows(false);
    for (std::size_t place = 0; place < arity_; ++place) rows.push_back(row(field.columns, place, field.name));
    if (is_open && !source_.at_end())
      source_.refuse(fmt::format("there are more {} than variables", field.name), "Give one for each variable");
    return rows;
  }

  Rows scope_sets(const GlobalField& field) {
    Rows sets;
    const bool is_open = !source_.begin_rows(false);
    for (std::size_t place = 0; place < arity_; ++place) {
      std::vector<double>& set = sets.emplace_back();
      const std::optional<std::size_t> count = source_.begin_rows(true);
      for (std::size_t n = 0; count ? n < *count : !source_.at_end(); ++n) {
        const std::vector<double> cells = row(field.columns, place, field.name);
        set.insert(set.end(), cells.begin(), cells.end());
      }
    }
    if (is_open && !source_.at_end())
      source_.refuse(fmt::format("there are more {} than variables", field.name), "Give a list for each variable");
    return sets;
  }

  std::size_t arity_;
  GlobalFieldSource& source_;
};

}  // namespace

GlobalParameters read_global_parameters(std::string_view keyword, std::size_t arity, GlobalFieldSource& source) {
  GlobalParameters parameters;
  ParameterReader reader(arity, source);
  for (const GlobalField& field : *global_fields(keyword)) reader.read(field, parameters);
  if (keyword.starts_with("sgrammar")) source.read_rules(parameters);
  return parameters;
}

void GlobalExpansion::expand(std::string_view keyword, const GlobalParameters& parameters,
                             std::span<const VariableId> scope, std::span<const std::uint32_t> cardinalities,
                             double bound, const InputLocation& location,
                             const std::function<void(std::vector<VariableId>, std::vector<double>)>& add) {
  std::vector<GlobalPart> parts;
  try {
    parts = global_parts(keyword, parameters, cardinalities, bound);
  } catch (const UsageError& error) {
    throw InputError(location, fmt::format("the cost function '{}': {}", keyword, error.what()), "Correct it");
  }
  for (const GlobalPart& part : parts) {
    std::vector<VariableId> variables;
    std::vector<std::uint32_t> sizes;
    for (const std::size_t place : part.places) {
      variables.push_back(scope[place]);
      sizes.push_back(cardinalities[place]);
    }
    add(std::move(variables), table_of(part, sizes, keyword, location));
  }
}

std::vector<double> GlobalExpansion::table_of(const GlobalPart& part, std::span<const std::uint32_t> cardinalities,
                                              std::string_view keyword, const InputLocation& location) {
  double entries = 1;
  for (const std::uint32_t cardinality : cardinalities) entries *= cardinality;
  entries_left_ -= entries;
  steps_left_ -= entries * part.steps;
  if (!(entries_left_ >= 0 && steps_left_ >= 0))
    throw InputError(location,
                     fmt::format("the cost function '{}' of {} variables has {:.3g} joint values, too many "
                                 "to write out",
                                 keyword, cardinalities.size(), entries),
                     "Split it into functions of fewer variables");
  std::vector<double> costs;
  costs.reserve(static_cast<std::size_t>(entries));
  std::vector<std::uint32_t> values(cardinalities.size());
  for (double entry = 0; entry < entries; ++entry) {
    costs.push_back(part.cost(values));
    for (std::size_t i = values.size(); i-- > 0 && ++values[i] == cardinalities[i];) values[i] = 0;
  }
  return costs;
}

}  // namespace fovea::graph
