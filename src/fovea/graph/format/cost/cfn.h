// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Reads a cost function network in toulbar2's format .cfn, a relaxed JSON:
///
///   { problem: { name: n, mustbe: "<bound" },
///     variables: { x: [a, b], y: 3 },                            named or not ([[a, b], 3]), values likewise
///     functions: { f: { scope: [x, y], costs: [c00, c01, ...] },   a table, the last variable fastest
///                  g: { scope: [x, y], defaultcost: c, costs: [a, 0, c1, b, 2, c2] },
///                  h: { scope: [x, y], costs: f } } }            the table of f, which may come later
///
/// Quotes, commas, colons and the names of fields, except `costs`, `defaultcost` and `type`, may be missing; braces and
/// brackets mean the same. Variables and values are given by name or number. "<bound" minimises: log scores are minus
/// the costs; an entry with which no total can be below the bound forbids. ">bound" maximises: log scores are the
/// costs; an entry with which no total can be above the bound forbids. Functions with a `type`, which are read only
/// when minimising, are those of ArithmeticCost and the global ones of global_cost.h, which are written out as tables;
/// functions too large for that, and whole networks as functions, are refused. Anything other than one whole model is
/// an InputError (file:line).
ModelFile read_cfn(io::ByteSource source);

/// Writes the same format, minimising. Costs have the number of decimals needed to read the same scores again, but at
/// most 15 and no more than keep all sums below 10^17 units, since solvers compute with whole multiples of the last
/// decimal. The bound exceeds every possible cost, and a forbidden cost exceeds it by more than all other costs can
/// make up for. Names that the format cannot hold (they begin with a digit, a sign or a dot, or contain /#[]{}:," or
/// white space) are replaced by numbers: those of all variables, or those of all values of that variable. Tables of two
/// or three variables that several factors use are shared.
void write_cfn(const ModelFile& model, io::OutputFile& output);

}  // namespace fovea::graph
