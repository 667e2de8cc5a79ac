// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/random.h"
#include "fovea/synthesis/rule/rule_formula.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

/// A sum of columns that is the larger, the likelier a row is of a class.
struct LinearScore {
  std::vector<RuleSummand> sum = {};
  std::vector<double> bounds = {};  ///< where the class has certain probabilities
  double even = 0;                  ///< the bound where it has one half

  bool operator==(const LinearScore&) const = default;
};

/// Scores that tell one class from the others. Coefficients have two digits.
struct LinearScores {
  /// Logistic regressions with an L1 penalty (the lasso; Tibshirani 1996) over all numbers and categories, by falling
  /// penalty: always this number. Some may have no summands, or one.
  static constexpr std::size_t kLassos = 6;
  std::vector<LinearScore> lassos = {};
  /// The same without a penalty, over pairs of the columns that the others weigh most.
  std::vector<LinearScore> pairs = {};
};

/// `positive`: [row], whether it is of the class. Of many rows, some are looked at.
LinearScores linear_scores(const RuleExamples& examples, const std::vector<bool>& positive, Random random);

/// The comparison that holds where the class is likelier than not. The score has summands.
RuleAtom likelier_than_not(const LinearScore& score);

}  // namespace fovea::synthesis
