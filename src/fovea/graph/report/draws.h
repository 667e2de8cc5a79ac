// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/table/delimited_reader.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// The draws of several chains.
struct DrawTable {
  std::vector<std::string> variables = {};
  std::vector<std::vector<std::vector<double>>> draws = {};  ///< [variable][chain][draw]
  std::size_t left_out = 0;                                  ///< draws at the end of chains that others lack
};

/// Reads tables of draws: a column of numbers for each variable, a row for each draw, comments after #. The column
/// `chain` (.chain) numbers the chains, the column `draw` (.iteration or .draw) the draws; a file without the first is
/// one chain, and without the second its rows are in order. Columns without a name (row numbers) are left out, and so
/// are Stan's columns that end in __, except lp__. Throws InputError (file:line) for cells that are not numbers, draws
/// out of order, files of other variables, chains of which one has less than nine tenths of the draws of another, and
/// tables without a row.
DrawTable read_draws(std::vector<io::ByteSource> sources);

/// Diagnostics of one variable.
struct VariableDiagnosis {
  std::string variable = "";
  double mean = 0, standard_deviation = 0;
  mcmc::Diagnosis chains = {};
};

std::vector<VariableDiagnosis> diagnose(const DrawTable& table);

/// Numbers of the rows: those whose chains disagree first, by R-hat, then those that cannot be told.
std::vector<std::size_t> worst_first(const std::vector<VariableDiagnosis>& rows);

/// One row per variable, the worst R-hat first, and a verdict.
std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows);
std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows);

}  // namespace fovea::graph
