// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/model/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/ep/model/values.h"
#include "fovea/ep/recall/operator_file.h"

namespace fovea::ep {

Variable Model::variable(const Message& prior) {
  if (parameter_count(prior) == 0 || !is_proper(prior) || std::holds_alternative<Point>(prior))
    throw UsageError(
        fmt::format("a variable needs a proper prior; this {} message is not proper: give positive variances, shapes, "
                    "rates and counts",
                    family_name(prior)));
  const auto* labels = std::get_if<Categorical>(&prior);
  if (labels && !std::ranges::all_of(labels->natural, [](double score) { return std::isfinite(score); }))
    throw UsageError("a categorical variable: all probabilities must be positive; leave out impossible labels");
  variables_.push_back({.base = prior, .has_prior = true, .log_prior = log_normalizer(prior), .marginal = prior});
  return {static_cast<std::uint32_t>(variables_.size() - 1)};
}

Variable Model::constant(double value) {
  if (!std::isfinite(value)) throw UsageError(fmt::format("constant: {} is not finite", value));
  variables_.push_back({.base = Point{value}, .has_prior = true, .log_prior = 0, .marginal = Point{value}});
  return {static_cast<std::uint32_t>(variables_.size() - 1)};
}

Variable Model::vector(const std::vector<double>& mean, const std::vector<double>& covariance) {
  const std::size_t size = mean.size();
  if (size == 0 || covariance.size() != size * size)
    throw UsageError(fmt::format("vector: a mean of {} numbers needs a covariance of {}, by rows; this one has {}",
                                 size, size * size, covariance.size()));
  MultivariateGaussian as_precision = MultivariateGaussian::uniform(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      if (covariance[i * size + j] != covariance[j * size + i])
        throw UsageError(fmt::format("vector: the covariance must be symmetric; [{}, {}] is {}, [{}, {}] is {}", i, j,
                                     covariance[i * size + j], j, i, covariance[j * size + i]));
      as_precision.add_precision(i, j, covariance[i * size + j]);
    }
  if (!as_precision.is_proper())
    throw UsageError("vector: the covariance must be positive definite; make its diagonal larger");
  return variable(MultivariateGaussian::from_mean_covariance(mean, covariance));
}

Model::Kind& Model::add_kind(std::unique_ptr<Operator> op) {
  Kind& kind = kinds_.emplace_back();
  kind.owned.oracle = std::move(op);
  kind.owned.source = std::make_unique<DirectSource>(*kind.owned.oracle);
  kind.source = kind.owned.source.get();
  return kind;
}

Variable Model::child_of(Kind& kind, const Message& uniform, const std::vector<Variable>& parents) {
  require_distinct(parents, kind.factor().name());
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

void Model::require_known(Variable v, const char* what) const {
  if (v.id >= variables_.size()) throw UsageError(fmt::format("{}: a variable of another model", what));
}

void Model::require_distinct(const std::vector<Variable>& parents, std::string_view factor) const {
  std::vector<std::uint32_t> unknown;
  for (const Variable v : parents)
    if (!std::holds_alternative<Point>(variables_[v.id].base)) unknown.push_back(v.id);
  std::ranges::sort(unknown);
  if (std::ranges::adjacent_find(unknown) != unknown.end())
    throw UsageError(fmt::format("factor '{}': one variable is its parent twice; name each once", factor));
}

void Model::require_family(Variable v, const Message& like, const char* what) const {
  require_known(v, what);
  const Message& base = variables_[v.id].base;
  if (const auto* known = std::get_if<Point>(&base)) {
    if (!can_be(like, known->value))
      throw UsageError(
          fmt::format("{}: needs a {} variable, which cannot be {}", what, family_name(like), known->value));
  } else if (base.index() != like.index())
    throw UsageError(fmt::format("{}: needs a {} variable, not a {} one", what, family_name(like), family_name(base)));
}

std::vector<bool> Model::predictions() const {
  std::vector<bool> result(variables_.size());
  for (std::size_t v = variables_.size(); v-- > 0;) {
    const VariableState& variable = variables_[v];
    const auto tells = [&](std::uint32_t id) {
      return edges_[id].slot > 0 && !result[factors_[edges_[id].factor].scope[0]];
    };
    result[v] = !variable.has_prior && !std::holds_alternative<Point>(variable.base) &&
                variable.base == uniform_of(variable.base) && std::ranges::none_of(variable.edges, tells);
  }
  return result;
}

Variable Model::factor(const std::string& name, const FactorSpec& spec, const std::vector<Variable>& parents) {
  std::vector<std::size_t> sizes;
  for (const Variable v : parents) {
    require_known(v, "factor");
    const Message& base = variables_[v.id].base;
    const auto* vector = std::get_if<MultivariateGaussian>(&base);
    if (!vector && !is_scalar(base))
      throw UsageError(fmt::format("factor '{}': its parents must be numbers or vectors, but one is a {} variable",
                                   name, family_name(base)));
    sizes.push_back(vector ? vector->dimension() : 1);
  }
  require_distinct(parents, name);  // before the factor is defined: a call that fails leaves nothing behind
  const auto found = named_.find(name);
  Kind* kind = found == named_.end() ? nullptr : found->second;
  if (!kind) {
    if (!is_scalar(spec.child)) throw UsageError(fmt::format("factor '{}': its child must be scalar", name));
    FactorSource made = source_of(name, spec, sizes);
    kind = &kinds_.emplace_back();
    kind->owned = std::move(made);
    kind->source = kind->owned.source.get();
    kind->child = uniform_of(spec.child);
    named_[name] = kind;
  }
  if (kind->factor().slot_count() != parents.size() + 1)
    throw UsageError(
        fmt::format("factor '{}' has {} parents, not {}", name, kind->factor().slot_count() - 1, parents.size()));
  if (kind->owned.sizes != sizes)
    throw UsageError(fmt::format("factor '{}' has parents of {} numbers, not of {}", name,
                                 fmt::join(kind->owned.sizes, ", "), fmt::join(sizes, ", ")));
  return child_of(*kind, kind->child, parents);
}

Variable Model::factor(MessageSource& source, const Message& child, const std::vector<Variable>& parents) {
  Kind*& kind = by_source_[&source];
  if (!kind) {
    kind = &kinds_.emplace_back();
    kind->source = &source;
    kind->child = uniform_of(child);
  }
  for (const Variable v : parents) require_known(v, "factor");
  if (source.factor().slot_count() != parents.size() + 1)
    throw UsageError(fmt::format("factor '{}' has {} parents, not {}", source.factor().name(),
                                 source.factor().slot_count() - 1, parents.size()));
  return child_of(*kind, kind->child, parents);
}

void Model::observe(Variable v, double value) {
  require_known(v, "observe");
  VariableState& variable = variables_[v.id];
  if (variable.base == Message(Point{value})) return;
  if (std::holds_alternative<MultivariateGaussian>(variable.base) || std::holds_alternative<Dirichlet>(variable.base))
    throw UsageError(fmt::format("observe: a {} variable is not a number; observe a child of it, or give a message",
                                 family_name(variable.base)));
  if (!std::isfinite(value) || !can_be(variable.base, value))
    throw UsageError(fmt::format("observe: a {} variable cannot be {}", family_name(variable.base), value));
  if (variable.has_prior) variable.log_prior -= log_kernel(variable.base, value);
  variable.base = variable.marginal = Point{value};
}

void Model::observe(Variable v, const Message& evidence) {
  require_family(v, evidence, "observe");
  VariableState& variable = variables_[v.id];
  if (std::holds_alternative<Point>(variable.base)) throw UsageError("observe: the variable is known already");
  if (parameter_count(evidence) != parameter_count(variable.base))
    throw UsageError(fmt::format("observe: a {} message of {} parameters, the variable has {}", family_name(evidence),
                                 parameter_count(evidence), parameter_count(variable.base)));
  variable.base = product(variable.base, evidence);
  variable.marginal = product(variable.marginal, evidence);
}

Posterior Model::posterior() const {
  Posterior result;
  for (const VariableState& variable : variables_) result.marginals.push_back(variable.marginal);
  for (const auto& [name, kind] : named_)
    if (kind->owned.recall) result.recalled[name] = kind->owned.recall->counts();
    else if (kind->owned.function) result.recalled[name] = kind->owned.function->counts();
  return result;
}

Model::Kind& Model::known_kind(const std::string& name, const std::string& what) const {
  const auto found = named_.find(name);
  if (found == named_.end() || !found->second->owned.recall)
    throw UsageError(fmt::format("{}: the model has no factor '{}' whose messages are recalled", what, name));
  return *found->second;
}

void Model::save_operator(const std::string& name, const std::string& path) const {
  write_operator(learned_operator(*known_kind(name, "save_operator").owned.recall), path);
}

void Model::load_operator(const std::string& name, const std::string& path) {
  teach(*known_kind(name, "load_operator").owned.recall, read_operator(path), path);
}

std::string Posterior::brief() const {
  std::string text = fmt::format("{} after {} iterations, {} messages, {:.3f} s",
                                 has_converged ? "converged" : "not converged", iterations, messages, seconds);
  for (const auto& [name, counts] : recalled)
    text += fmt::format("; '{}': {} of {} {} recalled", name, counts.recalled, counts.messages,
                        counts.is_of_values ? "values" : "messages");
  for (const auto& [name, count] : skipped) text += fmt::format("; '{}': {} updates skipped", name, count);
  return text;
}

}  // namespace fovea::ep
