// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/polynomial_regression.h"

#include <array>

#include "fovea/base/error.h"
#include "fovea/base/infinity.h"

namespace fovea {

PolynomialRegression::PolynomialRegression(std::span<const RegressionExample* const> examples, int degree, double ridge,
                                           RecursiveLeastSquares::InSample& in_sample)
    : scaling_(examples),
      recipe_(monomials_of(scaling_.size(), degree)),
      regression_(1 + recipe_.size() / 2, examples[0]->target.size(), ridge) {
  std::vector<double> phi(examples.size() * monomials()), y;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    monomials(examples[i]->inputs, std::span(phi).subspan(i * monomials(), monomials()));
    y.insert(y.end(), examples[i]->target.begin(), examples[i]->target.end());
  }
  in_sample = regression_.fit(phi, y);
}

/// Degree by degree, each monomial once: a multiple of one of the degree before by an input not below its last.
std::vector<std::uint32_t> PolynomialRegression::monomials_of(std::size_t inputs, int degree) {
  std::vector<std::uint32_t> recipe, last = {0};
  for (std::size_t begin = 0, end = 1; degree > 0; --degree) {
    std::vector<std::uint32_t> more;
    for (std::size_t multiple = begin; multiple < end; ++multiple)
      for (std::uint32_t input = last[multiple]; input < inputs; ++input) {
        more.push_back(static_cast<std::uint32_t>(multiple));
        more.push_back(input);
      }
    if (end + more.size() / 2 > kMostMonomials && end > 1) break;  // the inputs themselves are always there
    for (std::size_t i = 1; i < more.size(); i += 2) last.push_back(more[i]);
    recipe.insert(recipe.end(), more.begin(), more.end());
    begin = end;
    end = last.size();
  }
  return recipe;
}

std::size_t PolynomialRegression::monomials(std::span<const double> inputs, std::span<double> values) const {
  values[0] = 1;
  std::size_t count = 1;
  for (std::size_t i = 0; i < recipe_.size(); i += 2)
    values[count++] = values[recipe_[i]] * scaling_.scaled(recipe_[i + 1], inputs);
  return count;
}

namespace {

/// Room for a point's monomials, without a call for memory in the cases that matter.
class Scratch {
 public:
  explicit Scratch(std::size_t size) {
    if (size > few_.size()) many_.resize(size);
  }
  std::span<double> values() { return many_.empty() ? std::span<double>(few_) : std::span<double>(many_); }

 private:
  std::array<double, PolynomialRegression::kMostMonomials> few_;
  std::vector<double> many_;
};

}  // namespace

void PolynomialRegression::add(std::span<const double> inputs, std::span<const double> target) {
  FOVEA_CHECK(knows(inputs));
  Scratch scratch(monomials());
  const std::size_t count = monomials(inputs, scratch.values());
  regression_.add(scratch.values().first(count), target);
}

double PolynomialRegression::predict(std::span<const double> inputs, std::span<double> predicted) const {
  Scratch scratch(monomials());
  const std::span<double> values = scratch.values().first(monomials(inputs, scratch.values()));
  regression_.predict(values, predicted);
  return knows(inputs) ? regression_.leverage(values) : kInfinity;
}

}  // namespace fovea
