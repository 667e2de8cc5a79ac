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
  std::size_t left_out = 0;                                  ///< draws at the end of chains, which others lack
};

/// Reads tables of draws: a column of numbers for each variable, a row for each draw, comments behind #. Chains are
/// told by a column `chain` (.chain), draws by `draw` (.iteration or .draw); a file without the first is a chain, and
/// without the second its rows are in order. Left out are columns without a name (a row's number) and, of Stan's
/// columns that end in __, all but lp__. Throws InputError (file:line) for cells that are no numbers, draws out of
/// order, files of other variables, chains of which one has less than nine tenths of the draws of another, and tables
/// without a row.
DrawTable read_draws(std::vector<io::ByteSource> sources);

/// What diagnostics say about one variable.
struct VariableDiagnosis {
  std::string variable = "";
  double mean = 0, standard_deviation = 0;
  double standard_error = 0;                                                 ///< of the mean
  double r_hat = 0, bulk_effective_samples = 0, tail_effective_samples = 0;  ///< NaN where they cannot be told
  mcmc::Mixing mixing = mcmc::Mixing::kCannotTell;
};

std::vector<VariableDiagnosis> diagnose(const DrawTable& table);

/// One row a variable, the worst R-hat first, and a verdict.
std::string diagnosis_text(const std::vector<VariableDiagnosis>& rows);
std::string diagnosis_json(const std::vector<VariableDiagnosis>& rows);

}  // namespace fovea::graph
