// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea::graph {

// Solution files of the UAI competitions, one kind per task: the word MAP, MAR, PR or MMAP, then the answer. Older
// files have the number of samples, which must be 1, in between; readers accept both, writers leave it out. Every
// reader throws InputError (file:line) for a file that does not fit the model.

/// The distribution of each variable: [variable][value], linear.
using MarginalTable = std::vector<std::vector<double>>;

/// Reads "MAP\nn x0 x1 ...", also a plain list of n values, without the word and n, and the first of several answers.
Assignment read_assignment(io::ByteSource source, const FactorGraph& graph);
void write_assignment(std::span<const Value> values, io::OutputFile& output);
/// Writes several answers, best first: "MAP\nnumber of answers\nn x0 x1 ...\nn x0 x1 ...", as with a number of samples.
void write_assignments(std::span<const ScoredAssignment> answers, io::OutputFile& output);

/// "MAR\nn cardinality p p ... cardinality p p ...".
MarginalTable read_marginals(io::ByteSource source, const FactorGraph& graph);
void write_marginals(const MarginalTable& marginals, io::OutputFile& output);

/// "PR\nlog10 Z" in the file, the natural logarithm here; -inf is legal.
double read_log_partition(io::ByteSource source);
void write_log_partition(double log_z, io::OutputFile& output);

/// "MMAP\nn v x v x ...": the values of the n query variables.
Evidence read_marginal_map(io::ByteSource source, const FactorGraph& graph);
void write_marginal_map(std::span<const Observation> values, io::OutputFile& output);

}  // namespace fovea::graph
