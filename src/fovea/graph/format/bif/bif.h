// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Probabilities of one distribution must sum to 1 within this; they are kept as written.
inline constexpr double kBifSumTolerance = 1e-3;
/// Maximum number of entries that `default` rows may fill in, in all tables of a file together: these take no data in
/// the file.
inline constexpr std::size_t kMaxBifDefaultEntries = std::size_t{1} << 24;

/// Reads a Bayesian network in the interchange format of Cozman ("The Interchange Format for Bayesian Networks", 0.15,
/// 1998):
///
///   network NAME { }
///   variable NAME { type discrete [ 2 ] { VALUE, VALUE }; }
///   probability ( CHILD | PARENT, ... ) { (VALUE, ...) p, p; ... }
///
/// with `table p, ...;` (child slowest, last parent fastest) or `default p, ...;` for all or the remaining rows. Commas
/// may be left out, names may be quoted, // and /* */ start comments, and properties are skipped. Variables are
/// declared before they are used. Factor f is the distribution of the f-th probability block, the child last in its
/// scope. Throws InputError (file:line) for anything other than a whole network without directed cycles.
ModelFile read_bif(io::ByteSource source);

/// Writes the same format; names that are not plain words are quoted, variables without names are called x0, x1, ...,
/// values s0, s1, ... Throws InputError if the model is not a Bayesian network (each variable last in the scope of
/// exactly one factor, no directed cycle, rows that sum to 1), or a name has a line break.
void write_bif(const ModelFile& model, io::OutputFile& output);

/// Reads every factor as an arrow from the other variables of its scope to the last one. Returns a cycle of such arrows
/// (each variable is a parent of the next, the last of the first), or nothing if the graph has no cycle.
std::vector<VariableId> find_directed_cycle(const FactorGraph& graph);

}  // namespace fovea::graph
