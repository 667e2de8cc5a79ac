// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/ep/density/sum_out.h"
#include "fovea/ep/language/compile.h"
#include "fovea/ep/language/expression_values.h"

namespace fovea::ep {

/// The unknown members of plates in a model, and the densities that hang on them.
class UnknownCategories {
 public:
  using Members = ExpressionValues::Members;
  static constexpr std::size_t kMost = 200'000;  ///< of a variable: each takes 2 KB

  /// Categories that the elements of a statement hang on.
  struct Reference {
    std::string text = "";  ///< "z[row]"
    const ModelSymbol* symbol = nullptr;
    Members categories = {};  ///< [element of the statement's context]
  };

  /// All arguments must outlive the object.
  UnknownCategories(const ModelPlates& plates, const ExpressionValues& values, ModelSymbols& symbols)
      : plates_(plates), values_(values), symbols_(symbols) {}

  /// Makes a variable one of unknown members; those that are given stay known.
  void add(ModelSymbol& symbol, std::size_t plate, double first_number);

  /// Those that expressions mention, each once.
  std::vector<Reference> references_in(std::span<const Expression> expressions, const Context& context) const;
  /// With an element for each of their states, those of the last one fastest.
  Context with_states(Context context, const std::vector<Reference>& references) const;
  /// Adds log densities: one for each element of a context with states.
  void add_density(Node density, const std::vector<Reference>& references);

  /// Adds the sum over all states to the density of the model, if it has categories.
  void finish(CompiledModel& model, const std::string& file);

 private:
  void find_references(const Expression& expression, const Context& context, std::vector<std::size_t>& summed,
                       std::vector<Reference>& found) const;
  std::size_t states_of(const ModelSymbol& symbol) const { return plates_[symbol.category->plate].size(); }

  const ModelPlates& plates_;
  const ExpressionValues& values_;
  ModelSymbols& symbols_;
  std::vector<std::uint32_t> states_;  // [category]
  struct Known {
    std::uint32_t category, state;
  };
  std::vector<Known> known_;
  std::vector<Node> inputs_;
  std::vector<CategoryTable> tables_;
};

}  // namespace fovea::ep
