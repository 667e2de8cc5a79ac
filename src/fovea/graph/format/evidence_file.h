// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/graph/format/tables/model_file.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

/// Reads a UAI evidence file, in either form: "n v x v x ..." (n observed variables, each with its value), or any
/// number of these behind how many there are; only the number of numbers tells one from the other. `sample`: which of
/// them, from 1; 0: the only one. An empty file is no evidence. Throws InputError (file:line) for wrong counts,
/// variables or values that the model does not have, and variables that are observed twice.
Evidence read_evidence(io::ByteSource source, const FactorGraph& graph, std::size_t sample = 0);

/// Reads "smoke=yes,7=1": names or numbers, a name counting first; names with signs in double quotes. Throws
/// UsageError, with a suggestion for a name that is not known.
Evidence parse_evidence(std::string_view text, const FactorGraph& graph, const ModelNames& names);

/// What --evidence takes: "" is none, what holds a '=' and is no file is parsed, anything else is the path of a UAI
/// evidence file.
Evidence evidence_argument(const std::string& argument, const FactorGraph& graph, const ModelNames& names,
                           std::size_t sample = 0);

/// Reads a UAI query file (marginal MAP): "n v v ...", the variables to maximise over, each once. Throws InputError
/// (file:line).
std::vector<VariableId> read_query(io::ByteSource source, const FactorGraph& graph);

}  // namespace fovea::graph
