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

/// Reads a UAI evidence file, in either form: "n v x v x ..." (n observed variables, each with its value), or a number
/// of samples followed by that many of these; only the count of numbers distinguishes the two. `sample` is the number
/// of a sample, from 1; 0 means the only one. An empty file holds no evidence. Throws InputError (file:line) for wrong
/// counts, variables or values that the model does not have, and variables observed twice.
Evidence read_evidence(io::ByteSource source, const FactorGraph& graph, std::size_t sample = 0);

/// Parses "smoke=yes,7=1": names or numbers, where a name takes precedence; names with special characters are in double
/// quotes. Throws UsageError, with a suggestion for an unknown name.
Evidence parse_evidence(std::string_view text, const FactorGraph& graph, const ModelNames& names);

/// Reads the text of the option 'evidence': "" means no evidence, a text with a '=' that does not name a file is
/// parsed, and anything else is the path of a UAI evidence file.
Evidence evidence_argument(const std::string& argument, const FactorGraph& graph, const ModelNames& names,
                           std::size_t sample = 0);

/// Reads a UAI query file (marginal MAP): "n v v ...", the variables to maximise over, each once. Throws InputError
/// (file:line).
std::vector<VariableId> read_query(io::ByteSource source, const FactorGraph& graph);

}  // namespace fovea::graph
