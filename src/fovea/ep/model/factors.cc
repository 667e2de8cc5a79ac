// SPDX-License-Identifier: Apache-2.0
// Functions of Model that add hand-written factors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/model/values.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/dot.h"
#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/operators/normal.h"
#include "fovea/ep/operators/observations.h"
#include "fovea/ep/operators/pick.h"
#include "fovea/ep/operators/truncation.h"

namespace fovea::ep {
namespace {

void require_noise(double offset, double noise_variance, const char* what) {
  if (!(noise_variance >= 0) || !std::isfinite(noise_variance) || !std::isfinite(offset))
    throw UsageError(fmt::format("{}: the offset must be finite, the noise's variance 0 or more", what));
}

}  // namespace

Variable Model::linear(std::vector<double> factors, const std::vector<Variable>& parents, double offset,
                       double noise_variance) {
  if (factors.size() != parents.size() || parents.empty())
    throw UsageError(fmt::format("linear: {} factors for {} variables", factors.size(), parents.size()));
  require_noise(offset, noise_variance, "linear");
  for (const double factor : factors)
    if (factor == 0 || !std::isfinite(factor)) throw UsageError("linear: factors must be finite and not 0");
  for (const Variable v : parents) require_family(v, Gaussian(), "linear");
  return child_of(std::make_unique<LinearOperator>(std::move(factors), offset, noise_variance), Gaussian(), parents);
}

Variable Model::dot(const std::vector<double>& x, Variable vector, double offset, double noise_variance) {
  require_family(vector, MultivariateGaussian(), "dot");
  const std::size_t dimension = std::get<MultivariateGaussian>(variables_[vector.id].base).dimension();
  if (x.size() != dimension)
    throw UsageError(fmt::format("dot: {} numbers for a vector of {} dimensions", x.size(), dimension));
  require_noise(offset, noise_variance, "dot");
  if (!std::ranges::all_of(x, [](double value) { return std::isfinite(value); }))
    throw UsageError("dot: all numbers must be finite");
  if (noise_variance == 0 && std::ranges::all_of(x, [](double value) { return value == 0; }))
    throw UsageError("dot: numbers that are all 0, without noise: give one that is not, or a noise variance above 0");
  return child_of(std::make_unique<DotOperator>(x, offset, noise_variance), Gaussian(), {vector});
}

Variable Model::normal(Variable gaussian, Variable gamma) {
  require_family(gaussian, Gaussian(), "normal, the mean");
  require_family(gamma, Gamma(), "normal, the precision");
  return child_of(std::make_unique<NormalOperator>(), Gaussian(), {gaussian, gamma});
}

Variable Model::max(Variable gaussian, Variable other) {
  require_family(gaussian, Gaussian(), "max");
  require_family(other, Gaussian(), "max");
  return child_of(std::make_unique<MaxOperator>(), Gaussian(), {gaussian, other});
}

Variable Model::greater_than(Variable gaussian, double threshold) {
  require_family(gaussian, Gaussian(), "greater_than");
  return child_of(std::make_unique<GreaterThanOperator>(threshold), Bernoulli(), {gaussian});
}

Variable Model::bernoulli(Variable beta) {
  require_family(beta, Beta(), "bernoulli");
  return child_of(std::make_unique<BernoulliOperator>(), Bernoulli(), {beta});
}

Variable Model::categorical(Variable dirichlet) {
  require_family(dirichlet, Dirichlet(), "categorical");
  const std::size_t size = std::get<Dirichlet>(variables_[dirichlet.id].base).natural.size();
  return child_of(std::make_unique<CategoricalOperator>(), Categorical::uniform(size), {dirichlet});
}

Variable Model::poisson(Variable gamma) {
  require_family(gamma, Gamma(), "poisson");
  return child_of(std::make_unique<PoissonOperator>(), Poisson(), {gamma});
}

Variable Model::logistic(Variable gaussian) {
  require_family(gaussian, Gaussian(), "logistic");
  return child_of(std::make_unique<LogisticOperator>(), Beta(), {gaussian});
}

Variable Model::gamma_of_rate(double shape, Variable gamma) {
  if (!(shape > 0)) throw UsageError("gamma_of_rate: the shape must be positive");
  require_family(gamma, Gamma(), "gamma_of_rate");
  return child_of(std::make_unique<GammaRateOperator>(shape), Gamma::from_shape_rate(1, 0), {gamma});
}

void Model::require_selector(Variable v, std::size_t cases, const char* what) const {
  require_known(v, what);
  const Message& base = variables_[v.id].base;
  std::size_t values = 0;  // number of values that the selector can have
  if (std::holds_alternative<Bernoulli>(base)) values = 2;
  else if (const auto* labels = std::get_if<Categorical>(&base)) values = labels->natural.size();
  else if (std::holds_alternative<Point>(base) && can_be(Categorical::uniform(cases), std::get<Point>(base).value))
    values = cases;
  if (values == 0)
    throw UsageError(
        fmt::format("{}: the selector must be a bernoulli or categorical variable, or one of 0 .. {}; this "
                    "one is a {} variable",
                    what, cases - 1, family_name(base)));
  if (values != cases)
    throw UsageError(fmt::format("{}: {} cases for a selector of {} values; give as many", what, cases, values));
}

Variable Model::pick(Variable selector, const std::vector<Variable>& options) {
  if (options.size() < 2) throw UsageError(fmt::format("pick: {} options; give two or more", options.size()));
  require_selector(selector, options.size(), "pick");
  Message like = Gaussian();
  for (const Variable v : options) {
    require_known(v, "pick");
    if (std::holds_alternative<Point>(variables_[v.id].base)) continue;
    like = uniform_of(variables_[v.id].base);
    break;
  }
  for (const Variable v : options) {
    require_family(v, like, "pick");
    const Message& base = variables_[v.id].base;
    if (!std::holds_alternative<Point>(base) && parameter_count(base) != parameter_count(like))
      throw UsageError("pick: the options must have one number of dimensions or labels");
  }
  std::vector<Variable> parents = {selector};
  parents.insert(parents.end(), options.begin(), options.end());
  return child_of(std::make_unique<PickOperator>(like, options.size()), like, parents);
}

Variable Model::pick_normal(Variable selector, const std::vector<Variable>& means,
                            const std::vector<Variable>& precisions) {
  if (means.size() < 2) throw UsageError(fmt::format("pick_normal: {} means; give two or more", means.size()));
  if (precisions.size() != means.size() && precisions.size() != 1)
    throw UsageError(fmt::format("pick_normal: {} precisions for {} means; give one for each, or one for all",
                                 precisions.size(), means.size()));
  require_selector(selector, means.size(), "pick_normal");
  for (const Variable v : means) require_family(v, Gaussian(), "pick_normal, a mean");
  for (const Variable v : precisions) require_family(v, Gamma(), "pick_normal, a precision");
  std::vector<Variable> parents = {selector};
  parents.insert(parents.end(), means.begin(), means.end());
  parents.insert(parents.end(), precisions.begin(), precisions.end());
  return child_of(std::make_unique<PickNormalOperator>(means.size(), precisions.size()), Gaussian(), parents);
}

Variable Model::pick_categorical(Variable selector, const std::vector<Variable>& rows) {
  if (rows.size() < 2) throw UsageError(fmt::format("pick_categorical: {} rows; give two or more", rows.size()));
  require_selector(selector, rows.size(), "pick_categorical");
  for (const Variable v : rows) require_family(v, Dirichlet(), "pick_categorical, a row");
  const std::size_t labels = parameter_count(variables_[rows[0].id].base);
  for (const Variable v : rows)
    if (parameter_count(variables_[v.id].base) != labels)
      throw UsageError("pick_categorical: the rows must have one number of labels");
  std::vector<Variable> parents = {selector};
  parents.insert(parents.end(), rows.begin(), rows.end());
  return child_of(std::make_unique<PickCategoricalOperator>(rows.size()), Categorical::uniform(labels), parents);
}

}  // namespace fovea::ep
