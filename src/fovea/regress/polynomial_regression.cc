// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/polynomial_regression.h"

#include <algorithm>
#include <array>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::regress {

PolynomialRegression::PolynomialRegression(std::span<const RegressionExample* const> examples, std::size_t major_inputs,
                                           int degree, double ridge, RecursiveLeastSquares::InSample& in_sample)
    : scaling_(examples),
      recipe_(products(scaling_, major_inputs, degree)),
      regression_(1 + scaling_.size() + recipe_.size(), examples[0]->target.size(), ridge) {
  std::vector<double> phi(examples.size() * monomials()), y;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    monomials(examples[i]->inputs, std::span(phi).subspan(i * monomials(), monomials()));
    y.insert(y.end(), examples[i]->target.begin(), examples[i]->target.end());
  }
  in_sample = regression_.fit(phi, y);
}

/// The products of the highest degree for which there are not too many. Minor inputs count twice if otherwise only the
/// inputs would remain.
std::vector<PolynomialRegression::Product> PolynomialRegression::products(const InputScaling& scaling,
                                                                          std::size_t major_inputs, int degree) {
  std::vector<int> counts_for(scaling.size(), 1);
  for (int d = degree; d > 1; --d)
    if (auto all = products(counts_for, d)) return *all;
  for (std::size_t k = 0; k < scaling.size(); ++k) counts_for[k] = scaling.input(k) < major_inputs ? 1 : 2;
  if (degree == 1) return {};
  return products(counts_for, 2).value_or(std::vector<Product>());
}

/// Makes each monomial once, as the product of an earlier one and an input that does not come before the last input of
/// that one. Returns nothing if there are too many.
std::optional<std::vector<PolynomialRegression::Product>> PolynomialRegression::products(
    std::span<const int> counts_for, int degree) {
  const std::size_t inputs = counts_for.size();
  std::vector<Product> made = {{.monomial = 0, .input = 1}};
  std::vector<int> degrees = {0};
  for (std::size_t before = 0; before < made.size(); ++before)
    for (std::uint32_t input = made[before].input; input <= inputs; ++input) {
      const int sum = degrees[before] + counts_for[input - 1];
      if (sum > degree) continue;
      if (made.size() == kMostMonomials) return std::nullopt;
      made.push_back({.monomial = static_cast<std::uint32_t>(before), .input = input});
      degrees.push_back(sum);
    }
  made.erase(made.begin(), made.begin() + 1 + static_cast<std::ptrdiff_t>(inputs));
  return made;
}

std::size_t PolynomialRegression::monomials(std::span<const double> inputs, std::span<double> values) const {
  values[0] = 1;
  std::size_t count = 1;
  for (std::size_t k = 0; k < scaling_.size(); ++k) values[count++] = scaling_.scaled(k, inputs);
  for (const Product& product : recipe_) values[count++] = values[product.monomial] * values[product.input];
  return count;
}

namespace {

/// Memory for a point's monomials, without an allocation in the cases that matter.
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
  const std::span<const double> values = scratch.values().first(monomials(inputs, scratch.values()));
  regression_.predict(values, predicted);
  return knows(inputs) ? regression_.leverage(values) : kInfinity;
}

}  // namespace fovea::regress
