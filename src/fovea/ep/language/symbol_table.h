// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/ep/language/model_symbol.h"
#include "fovea/ep/language/plates.h"

namespace fovea::ep {

/// The variables of a model, so far.
class SymbolTable {
 public:
  /// All arguments must outlive the object.
  SymbolTable(const ModelSyntax& syntax, const ModelData& data, const ModelPlates& plates)
      : syntax_(syntax), data_(data), plates_(plates) {}

  ModelSymbols& all() { return symbols_; }

  /// The symbol that a statement is about; a new one has the plates that all its statements name.
  ModelSymbol& symbol_of(const Statement& statement);
  /// The elements of a statement, without those that an earlier one defined.
  Context elements_of(const Statement& statement, ModelSymbol& symbol) const;
  /// [element of the context] place of the variable's element.
  std::vector<std::uint32_t> places_of(const ModelVariable& variable, const Context& context) const;

 private:
  std::vector<double> given_by_column(const Statement& statement, const ModelSymbol& symbol) const;
  std::vector<std::size_t> plates_of(const Expression& subject, bool is_column) const;

  const ModelSyntax& syntax_;
  const ModelData& data_;
  const ModelPlates& plates_;
  ModelSymbols symbols_;
};

}  // namespace fovea::ep
