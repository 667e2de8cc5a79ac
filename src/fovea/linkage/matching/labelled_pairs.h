// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/weights/pair_regression.h"

namespace fovea::linkage {

/// A pair of records, and whether somebody said that they are of one entity.
struct LabelledRowPair {
  RowPair rows;
  bool is_match = false;
};

/// Reads a table with the columns first_id, second_id and match (1, yes, true or 0, no, false; a pair without a label
/// is skipped): what --pairs of 'fovea dedupe' writes, with a column added by whoever looked at the pairs. Throws
/// InputError (file:line) for ids that `ids` does not have, a record paired with itself, labels of another kind, and
/// pairs with two different labels.
std::vector<LabelledRowPair> read_labelled_pairs(const std::string& path, const io::IdIndex& ids,
                                                 const io::TableReadOptions& options = {});

/// Corrects `known`, the weights that were learned without labels: logistic regression on these pairs that prefers
/// weights near those (PairRegressionObjective). There are few labels, and those of hand-picked pairs do not show how
/// many of all pairs match. Throws InputError unless there are both matches and others.
PairRegressionFit learn_from_pairs(std::span<const Comparison> comparisons, std::span<const LabelledRowPair> pairs,
                                   const MatchWeights& known);

}  // namespace fovea::linkage
