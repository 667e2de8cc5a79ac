// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Limits on what a UAI file may announce; more is refused before anything is stored. Memory grows with the data only.
struct UaiLimits {
  static constexpr std::uint64_t kVariables = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kFactors = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kScope = 4096;
};

/// Reads a model in the format of the UAI competitions (Markov or Bayesian network):
///
///   MARKOV or BAYES
///   number of variables, their cardinalities
///   number of factors; for each the size of its scope and its variables
///   for each factor the number of table entries and the entries, the last variable fastest
///
/// Entries are linear in the file, natural logarithms in the graph; 0 becomes -inf. Anything other than one whole model
/// is an InputError (file:line): negative or infinite entries, wrong counts, variables out of range or repeated in a
/// scope, cardinalities outside 1 to 65535, anything after the last table. Equal tables are stored once.
ModelFile read_uai(io::ByteSource source);

/// Writes the same format. A table whose largest entry is beyond the range of double is divided by that entry, and
/// factors of empty scope compensate for this. Throws InputError if those would have to exceed e^±1e6.
void write_uai(const ModelFile& model, io::OutputFile& output);

}  // namespace fovea::graph
