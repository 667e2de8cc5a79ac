// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Reads a weighted constraint network in toulbar2's format:
///
///   name, number of variables, largest domain (not used), number of cost functions, upper bound
///   the size of each domain; -k is an interval of k values
///   for each cost function: number of variables, variables, default cost, number of tuples; for each tuple the values
///   and the cost
///
/// Log scores are minus the costs; a cost at or above the upper bound forbids. A negative number of variables makes a
/// table that later functions share by giving minus its number (1, 2, ...) instead of a number of tuples. A default
/// cost of -1 announces a function by keyword: those of ArithmeticCost, and the global ones of global_cost.h, which are
/// written out as tables; functions too large for that, and whole networks as functions, are refused. Anything other
/// than one whole model is an InputError (file:line).
ModelFile read_wcsp(io::ByteSource source);

/// Writes the same format; tables of two or three variables that several factors use are shared. The format holds whole
/// costs of at least 0: other scores are an InputError (.cfn holds them). The upper bound exceeds every possible cost.
/// Names of variables and values are lost.
void write_wcsp(const ModelFile& model, io::OutputFile& output);

}  // namespace fovea::graph
