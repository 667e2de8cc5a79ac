// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/table/delimited_reader.h"
#include "fovea/sample/mixing.h"

namespace fovea {

/// The draws of several chains as a table has them: a column `chain`, a column `draw`, then one of numbers for each
/// variable.
struct DrawTable {
  std::vector<std::string> variables = {};
  std::vector<std::vector<std::vector<double>>> draws = {};  ///< [variable][chain][draw]
};

/// Reads such a table; rows of a chain come in the order of its draws. Throws InputError (file:line) for cells that are
/// no numbers, missing columns, draws out of order, chains of unequal length, and tables without a row.
DrawTable read_draws(ByteSource source);

/// What diagnostics say about one variable.
struct VariableDiagnosis {
  std::string variable = "";
  double mean = 0, standard_deviation = 0;
  double standard_error = 0;                                                 ///< of the mean
  double r_hat = 0, bulk_effective_samples = 0, tail_effective_samples = 0;  ///< NaN where they cannot be told
  Mixing mixing = Mixing::kCannotTell;
};

std::vector<VariableDiagnosis> diagnose(const DrawTable& table);

/// One row a variable, the worst R-hat first, and a verdict.
std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows);
std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows);

}  // namespace fovea
