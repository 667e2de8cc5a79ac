// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

/// A variable of a model: unknown numbers, or numbers computed from them.
struct ModelVariable {
  std::string name;
  std::vector<std::size_t> plates = {};  ///< by which it is indexed, the first changes slowest
  std::size_t size = 1;                  ///< number of elements, by rows
  Node node = {};                        ///< [element]
};

/// A model with its data: the log density of its unknown numbers given all observations.
struct CompiledModel {
  Program program = {};
  std::vector<Plate> plates = {};
  std::vector<ModelVariable> variables = {};  ///< in the order of the model, without data

  /// "mu", "theta[Eton]", "x[3]".
  std::string element_name(const ModelVariable& variable, std::size_t element) const;
};

/// Binds a model to its data. Statements are read from the top, and a name means
///
///   a plate       name ~ plate(column, ...)     the different cells of columns; also called by the first column's name
///                 name ~ plate(number)          that many members
///                 row                           the rows of the table
///   a variable    name[plate, ...] ~ distribution(...), or name[...] = formula; "name[1] ~ ..." is an element's own
///   a number      given with the data
///   a column      of the table, one number for each row; column[plate] has one for each member
///
/// A column with a distribution is observed; its missing cells are unknown, or leave their rows out where only whole
/// numbers can be. An index is a plate's name, a column that names its members, a number from 1 on, or such with a
/// number added or subtracted. Throws InputError with file, line and column: names that are not known, with the
/// nearest one; indices that are out of range; values that a distribution cannot have.
CompiledModel compile_model(const ModelSyntax& syntax, const ModelData& data);

}  // namespace fovea::ep
