// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "fovea/base/words.h"
#include "fovea/io/table/table.h"

namespace fovea::ep {

/// Distribution of the left side of a formula.
enum class ResponseFamily { kNormal, kStudent, kBernoulli, kPoisson, kNegativeBinomial, kOrdered };
constexpr auto words_of(ResponseFamily) {
  using enum ResponseFamily;
  return std::array{Word{kNormal, "normal"},
                    Word{kStudent, "student"},
                    Word{kBernoulli, "bernoulli"},
                    Word{kPoisson, "poisson"},
                    Word{kNegativeBinomial, "negative-binomial"},
                    Word{kOrdered, "ordered"}};
}

/// True for "y ~ x + (1 | g)", which no file is called; models of several statements have line ends or semicolons.
bool is_formula(std::string_view text);

/// The rows in which no column of the formula is missing.
io::Table whole_rows(std::string_view formula, const io::Table& table);

/// Writes the model of a regression formula, in the language of models:
///
///   y ~ x1 + log(x2) + colour + x1:x2 + (1 + x1 | school) - 1
///
/// Terms are columns, formulas of columns, products a:b (a*b is a + b + a:b), groups (terms | column) whose effects
/// vary around 0 with standard deviations of their own, and 0 or - 1 for no intercept. A column of texts has an effect
/// for each value but the first. Numbers are centred; the intercept is reported for columns at 0.
///
/// Priors are weak, on the scale of the data: a weight normal(0, 2.5 sd(y) / sd(x)), the intercept normal(mean(y),
/// 2.5 sd(y)), standard deviations exponential(1 / sd(y)), where sd(y) is 1 for all families but normal and student.
/// Throws InputError for columns that are not there, UsageError for what is not a formula.
std::string model_of_formula(std::string_view formula, ResponseFamily family, const io::Table& table);

}  // namespace fovea::ep
