// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/graph/format/cost/global_cost.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Reader of the parameters of a global cost function as a format spells them.
class GlobalFieldSource {
 public:
  virtual ~GlobalFieldSource() = default;

  /// Begins a field; false if it is left out.
  virtual bool begin(std::string_view field) = 0;
  virtual std::string word(std::string_view what) = 0;
  virtual double integer(std::string_view what) = 0;
  virtual double cost(std::string_view what) = 0;
  /// Reads a value of the variable at this place of the scope.
  virtual double value(std::size_t place, std::string_view what) = 0;
  /// Reads a variable of the scope, as its place there.
  virtual double place(std::string_view what) = 0;

  /// Begins rows; returns their number if the format counts them, else they end when at_end() is true.
  virtual std::optional<std::size_t> begin_rows(bool is_counted) = 0;
  virtual bool at_end() = 0;
  virtual void begin_row(std::size_t columns) = 0;
  virtual void end_row(std::size_t columns) = 0;

  /// Reads the rules of a grammar as rows of the fields terminals and non_terminals, which the formats spell
  /// differently.
  virtual void read_rules(GlobalParameters& parameters) = 0;
  [[noreturn]] virtual void refuse(std::string_view problem, std::string_view remedy) = 0;
};

/// Reads the parameters of the keyword, whose fields global_fields() lists. `arity` is that of the scope. Throws
/// InputError.
GlobalParameters read_global_parameters(std::string_view keyword, std::size_t arity, GlobalFieldSource& source);

/// Writes terms out as tables, but no more than can be written out in a few seconds.
class GlobalExpansion {
 public:
  /// Calls add(scope, costs) for each term. Throws InputError at `location` for functions that are too large.
  void expand(std::string_view keyword, const GlobalParameters& parameters, std::span<const VariableId> scope,
              std::span<const std::uint32_t> cardinalities, double bound, const InputLocation& location,
              const std::function<void(std::vector<VariableId>, std::vector<double>)>& add);

 private:
  std::vector<double> table_of(const GlobalPart& part, std::span<const std::uint32_t> cardinalities,
                               std::string_view keyword, const InputLocation& location);

  double steps_left_ = 1e9, entries_left_ = 1 << 24;
};

}  // namespace fovea::graph
