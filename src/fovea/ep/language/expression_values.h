// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/language/model_symbol.h"
#include "fovea/ep/language/plates.h"

namespace fovea::ep {

/// Turns expressions of a model into steps of a program.
class ExpressionValues {
 public:
  using Members = std::vector<std::uint32_t>;

  /// All arguments must outlive the object.
  ExpressionValues(const ModelSyntax& syntax, const ModelData& data, const ModelPlates& plates, ModelSymbols& symbols,
                   Program& program)
      : syntax_(syntax), data_(data), plates_(plates), symbols_(symbols), program_(program) {}

  /// Numbers of an expression: one for each element of the context, or one for all.
  Node value_of(const Expression& expression, const Context& context);
  /// One for each element.
  Node values_of(const Expression& expression, const Context& context) {
    return spread(value_of(expression, context), context.size);
  }
  Node spread(Node x, std::size_t size) { return program_.size(x) == size ? x : program_.gather(x, Members(size, 0)); }

  /// [element of the context] the place of the variable's element that a name means there.
  Members places_of(const Expression& name, const ModelSymbol& symbol, const Context& context) const;

  /// The expression with all formulas of unknown categories in their places.
  Expression expanded(const Expression& expression) const;

  /// Refuses, until the next call, that the element of the context stands on these elements of the variable.
  void forbid(const ModelSymbol* symbol, Members places) {
    forbidden_ = symbol;
    forbidden_places_ = std::move(places);
  }

 private:
  Node value_of_call(const Expression& call, const Context& context);
  Node value_over_plate(const Expression& call, const Context& context);
  Node value_of_name(const Expression& name, const Context& context);
  Node value_of_symbol(const Expression& name, const ModelSymbol& symbol, const Context& context);
  Node value_of_parts(const Expression& name, const ModelSymbol& symbol, const Members& places);
  Node value_of_column(const Expression& name, const Context& context);
  void check_use(const Expression& name, const ModelSymbol& symbol, const Members& places) const;
  [[noreturn]] void refuse_name(const Expression& name) const;

  const ModelSyntax& syntax_;
  const ModelData& data_;
  const ModelPlates& plates_;
  ModelSymbols& symbols_;
  Program& program_;
  const ModelSymbol* forbidden_ = nullptr;
  Members forbidden_places_;
};

/// Names of the functions that expressions can use.
std::vector<std::string_view> function_names();

}  // namespace fovea::ep
