// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/model/model.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/message/operators/bernoulli_label.h"
#include "fovea/message/operators/compound_gamma.h"
#include "fovea/message/operators/gaussian_arithmetic.h"
#include "fovea/message/operators/logistic.h"
#include "fovea/message/operators/truncation.h"
#include "fovea/message/recall/operator_file.h"

namespace fovea::message {
namespace {

/// A uniform message of its family: a child has no prior but what its factor makes.
Message uniform_of(const Message& like) { return quotient(like, like); }

FactorFunctions functions_of(const std::string& name, const FactorSpec& spec, std::size_t parents) {
  const auto require_arity = [&](const Callable& function, std::size_t expected, const char* what) {
    if (function && function.arity() >= 0 && static_cast<std::size_t>(function.arity()) != expected)
      throw UsageError(fmt::format("factor '{}' with {} parents: its {} takes {} numbers, not {}", name, parents, what,
                                   function.arity(), expected));
  };
  require_arity(spec.sample, parents, "sampler");
  require_arity(spec.log_density, parents + 1, "density");
  FactorFunctions functions = {.name = name};
  if (spec.sample) functions.sample = spec.sample;
  if (spec.log_density)
    functions.log_density = [density = spec.log_density](std::span<const double> values) {
      Random unused;
      return density(values, unused);
    };
  return functions;
}

bool can_be(const Message& family, double value) {
  return std::visit(
      [&]<class F>(const F&) {
        if constexpr (std::is_same_v<F, Gamma>) return value > 0;
        else if constexpr (std::is_same_v<F, Beta>) return value > 0 && value < 1;
        else if constexpr (std::is_same_v<F, Bernoulli>) return value == 0 || value == 1;
        else if constexpr (std::is_same_v<F, Poisson>) return value >= 0 && value == std::floor(value);
        else if constexpr (std::is_same_v<F, Point>) return false;  // known already
        else return true;
      },
      family);
}

}  // namespace

Variable Model::variable(const Message& prior) {
  if (!is_scalar(prior) || !is_proper(prior))
    throw UsageError(
        fmt::format("a variable needs a proper prior of a scalar family; this {} message is none: give "
                    "positive variances, shapes, rates and counts",
                    family_name(prior)));
  variables_.push_back({.base = prior, .has_prior = true, .log_prior = log_normalizer(prior), .marginal = prior});
  return {static_cast<std::uint32_t>(variables_.size() - 1)};
}

Model::Kind& Model::add_kind(std::unique_ptr<Operator> op) {
  Kind& kind = kinds_.emplace_back();
  kind.owned_operator = std::move(op);
  kind.owned_source = std::make_unique<DirectSource>(*kind.owned_operator);
  kind.source = kind.owned_source.get();
  return kind;
}

Variable Model::child_of(Kind& kind, const Message& uniform, const std::vector<Variable>& parents) {
  const Variable child = {static_cast<std::uint32_t>(variables_.size())};
  variables_.push_back({.base = uniform, .has_prior = false, .log_prior = 0, .marginal = uniform});
  Factor factor = {.kind = &kind, .first_edge = static_cast<std::uint32_t>(edges_.size()), .scope = {child.id}};
  for (const Variable parent : parents) factor.scope.push_back(parent.id);
  for (std::uint32_t slot = 0; slot < factor.scope.size(); ++slot) {
    VariableState& variable = variables_[factor.scope[slot]];
    variable.edges.push_back(static_cast<std::uint32_t>(edges_.size()));
    edges_.push_back(
        {.factor = static_cast<std::uint32_t>(factors_.size()), .slot = slot, .message = uniform_of(variable.base)});
  }
  factors_.push_back(std::move(factor));
  return child;
}

void Model::require_family(Variable v, const Message& like, const char* what) const {
  if (v.id >= variables_.size()) throw UsageError(fmt::format("{}: a variable of another model", what));
  const Message& base = variables_[v.id].base;
  if (base.index() != like.index() && !std::holds_alternative<Point>(base))
    throw UsageError(fmt::format("{}: needs a {} variable, not a {} one", what, family_name(like), family_name(base)));
}

Variable Model::linear(std::vector<double> factors, const std::vector<Variable>& parents, double offset,
                       double noise_variance) {
  if (factors.size() != parents.size() || parents.empty())
    throw UsageError(fmt::format("linear: {} factors for {} variables", factors.size(), parents.size()));
  if (!(noise_variance >= 0) || !std::isfinite(noise_variance) || !std::isfinite(offset))
    throw UsageError("linear: the offset must be finite, the noise's variance 0 or more");
  for (const double factor : factors)
    if (factor == 0 || !std::isfinite(factor)) throw UsageError("linear: factors must be finite and not 0");
  for (const Variable v : parents) require_family(v, Gaussian(), "linear");
  return child_of(add_kind(std::make_unique<LinearOperator>(std::move(factors), offset, noise_variance)), Gaussian(),
                  parents);
}

Variable Model::greater_than(Variable gaussian, double threshold) {
  require_family(gaussian, Gaussian(), "greater_than");
  return child_of(add_kind(std::make_unique<GreaterThanOperator>(threshold)), Bernoulli(), {gaussian});
}

Variable Model::bernoulli(Variable beta) {
  require_family(beta, Beta(), "bernoulli");
  return child_of(add_kind(std::make_unique<BernoulliOperator>()), Bernoulli(), {beta});
}

Variable Model::logistic(Variable gaussian) {
  require_family(gaussian, Gaussian(), "logistic");
  return child_of(add_kind(std::make_unique<LogisticOperator>()), Beta(), {gaussian});
}

Variable Model::gamma_of_rate(double shape, Variable gamma) {
  if (!(shape > 0)) throw UsageError("gamma_of_rate: the shape must be positive");
  require_family(gamma, Gamma(), "gamma_of_rate");
  return child_of(add_kind(std::make_unique<GammaRateOperator>(shape)), Gamma::from_shape_rate(1, 0), {gamma});
}

Variable Model::factor(const std::string& name, const FactorSpec& spec, const std::vector<Variable>& parents) {
  for (const Variable v : parents)
    if (v.id >= variables_.size()) throw UsageError(fmt::format("factor '{}': a variable of another model", name));
  const auto found = named_.find(name);
  Kind* kind = found == named_.end() ? nullptr : found->second;
  if (!kind) {
    if (!is_scalar(spec.child)) throw UsageError(fmt::format("factor '{}': its child must be scalar", name));
    FactorFunctions functions = functions_of(name, spec, parents.size());
    if (spec.quadrature) kind = &add_kind(std::make_unique<GridQuadrature>(std::move(functions), parents.size()));
    else kind = &add_kind(std::make_unique<ImportanceSampling>(std::move(functions), parents.size(), spec.oracle));
    kind->child = uniform_of(spec.child);
    if (spec.recall) {
      auto recall = std::make_unique<JustInTime>(*kind->owned_operator, spec.recalling);
      kind->source = kind->recall = recall.get();
      kind->owned_source = std::move(recall);
    }
    named_[name] = kind;
  }
  if (kind->factor().slot_count() != parents.size() + 1)
    throw UsageError(
        fmt::format("factor '{}' has {} parents, not {}", name, kind->factor().slot_count() - 1, parents.size()));
  return child_of(*kind, kind->child, parents);
}

Variable Model::factor(MessageSource& source, const Message& child, const std::vector<Variable>& parents) {
  Kind*& kind = by_source_[&source];
  if (!kind) {
    kind = &kinds_.emplace_back();
    kind->source = &source;
    kind->child = uniform_of(child);
  }
  for (const Variable v : parents)
    if (v.id >= variables_.size()) throw UsageError("factor: a variable of another model");
  if (source.factor().slot_count() != parents.size() + 1)
    throw UsageError(fmt::format("factor '{}' has {} parents, not {}", source.factor().name(),
                                 source.factor().slot_count() - 1, parents.size()));
  return child_of(*kind, kind->child, parents);
}

void Model::observe(Variable v, double value) {
  if (v.id >= variables_.size()) throw UsageError("observe: a variable of another model");
  VariableState& variable = variables_[v.id];
  if (variable.base == Message(Point{value})) return;
  if (!std::isfinite(value) || !can_be(variable.base, value))
    throw UsageError(fmt::format("observe: a {} variable cannot be {}", family_name(variable.base), value));
  if (variable.has_prior) variable.log_prior -= log_kernel(variable.base, value);
  variable.base = variable.marginal = Point{value};
}

void Model::observe(Variable v, const Message& evidence) {
  require_family(v, evidence, "observe");
  VariableState& variable = variables_[v.id];
  if (std::holds_alternative<Point>(variable.base)) throw UsageError("observe: the variable is known already");
  variable.base = product(variable.base, evidence);
  variable.marginal = product(variable.marginal, evidence);
}

Posterior Model::posterior() const {
  Posterior result;
  for (const VariableState& variable : variables_) result.marginals.push_back(variable.marginal);
  for (const auto& [name, kind] : named_)
    if (kind->recall) result.recalled[name] = kind->recall->counts();
  return result;
}

Model::Kind& Model::known_kind(const std::string& name, const std::string& what) const {
  const auto found = named_.find(name);
  if (found == named_.end() || !found->second->recall)
    throw UsageError(fmt::format("{}: the model has no factor '{}' whose messages are recalled", what, name));
  return *found->second;
}

void Model::save_operator(const std::string& name, const std::string& path) const {
  write_operator(learned_operator(*known_kind(name, "save_operator").recall), path);
}

void Model::load_operator(const std::string& name, const std::string& path) {
  teach(*known_kind(name, "load_operator").recall, read_operator(path), path);
}

std::string Posterior::brief() const {
  std::string text = fmt::format("{} after {} iterations, {} messages, {:.3f} s",
                                 has_converged ? "converged" : "not converged", iterations, messages, seconds);
  for (const auto& [name, counts] : recalled)
    text += fmt::format("; '{}': {} of {} messages recalled", name, counts.recalled, counts.messages);
  for (const auto& [name, count] : skipped) text += fmt::format("; '{}': {} updates skipped", name, count);
  return text;
}

}  // namespace fovea::message
