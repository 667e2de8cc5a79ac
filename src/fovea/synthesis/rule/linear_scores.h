// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/synthesis/rule/rule_formula.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

/// Sums of columns that tell one class from the others, as left sides of comparisons: logistic regressions with an L1
/// penalty (the lasso; Tibshirani 1996) of several strengths over all numbers and categories, and without one over
/// pairs of the columns that these weigh most. Coefficients have two digits. `positive`: [row], whether it is of the
/// class. Of many rows, some are looked at. Sums with one summand are left out.
std::vector<std::vector<RuleSummand>> linear_scores(const RuleExamples& examples, const std::vector<bool>& positive,
                                                    std::size_t most_summands, Random random);

}  // namespace fovea::synthesis
