// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/density/support.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

/// A variable of a model: unknown numbers, or numbers computed from them.
struct ModelVariable {
  std::string name;
  std::vector<std::size_t> plates = {};  ///< by which it is indexed, the first changes slowest
  std::size_t size = 1;                  ///< number of elements, by rows
  Node node = {};                        ///< [element]
  /// Elements that are unknown, where others are given; empty: all.
  std::vector<std::uint32_t> unknown = {};
};

/// "theta[Eton]", "x[3]".
std::string element_name(const ModelVariable& variable, std::size_t element, const std::vector<Plate>& plates);

/// Data of a variable that is made of unknown members of a plate.
struct UnknownCategory {
  std::size_t plate = 0;
  double first_number = 1;  ///< of the first member, in formulas
  std::uint32_t first = 0;  ///< number of the first element, among all categories of the model
};

/// A variable, while statements about it are read.
struct ModelSymbol {
  ModelVariable variable;
  std::vector<bool> is_defined = {};  ///< [element]
  bool is_random = false, is_column = false;
  bool has_node = false;           ///< else its numbers are still to be made
  std::vector<double> given = {};  ///< [element] of a variable with a distribution: its number if that is known, or NaN

  std::vector<Node> parts = {};     ///< [element], of one number each, of a variable that is computed step by step
  std::vector<bool> is_built = {};  ///< [element] of these

  std::optional<UnknownCategory> category = {};
  const Statement* formula = nullptr;  ///< of unknown categories, which stands in its place wherever it is used
  Support support = {};                ///< of its unknown numbers
  bool is_simplex = false;             ///< they sum to 1 along the last plate

  /// As the categories of a Context are called: a column without an index is that of all rows.
  std::string element_text(const Expression& name) const;
};

using ModelSymbols = std::deque<ModelSymbol>;

/// Null if no variable has this name so far.
ModelSymbol* find_symbol(ModelSymbols& symbols, std::string_view name);

}  // namespace fovea::ep
