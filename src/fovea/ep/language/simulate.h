// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/ep/language/model_data.h"
#include "fovea/ep/language/model_symbol.h"
#include "fovea/ep/language/syntax.h"

namespace fovea::ep {

/// Numbers of variables, by the names of variables and elements: {"theta", {{"theta[Eton]", 2.5}}}.
using NumbersByName = std::map<std::string, std::map<std::string, double>>;

/// A variable with a distribution, and its numbers.
struct SimulatedVariable {
  std::string name = "";
  std::vector<double> numbers = {};                ///< [element]
  std::vector<std::uint32_t> element_of_row = {};  ///< [row] of a column of the table; else empty
  std::vector<std::string> members = {};           ///< by number less 1, of a column that names members; else empty
};

/// Draws all variables of a model that are not known from their distributions, from the top: ancestral sampling. Known
/// are cells of columns, but of those in `redrawn`, and the elements in `known`. Of a censored number the time itself
/// is drawn.
///
/// Throws InputError for faulty models, and for what cannot be drawn: of flat(), of arguments that the distribution
/// does not have, and of members of a plate together of which only some are known.
std::vector<SimulatedVariable> simulate(const ModelSyntax& syntax, const ModelData& data, const NumbersByName& known,
                                        const std::set<std::string>& redrawn, Random random);

/// Columns of the table that have a distribution, in the order of the model.
std::vector<std::string> observed_columns(const ModelSyntax& syntax, const ModelData& data);

/// The statement in which rows of the table hang on other rows, such as x[row] ~ normal(x[row - 1], 1), or on their own
/// number, as in a + b * row; null if rows are independent given variables that are not of rows.
const Statement* statement_across_rows(const ModelSyntax& syntax);

}  // namespace fovea::ep
