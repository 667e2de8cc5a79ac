// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "fovea/base/error.h"
#include "fovea/ep/model/inference_run.h"

namespace fovea::ep {

/// One run of variational message passing (Winn and Bishop 2005). The marginals q of all variables, treated as
/// independent, maximise the lower bound of log p(observations)
///
///   L(q) = sum_f E_q[log f] + sum_v (E_q[log prior_v] - E_q[log q_v]).
///
/// With all others fixed, the best q_v is its prior times exp(E_q[log f]) of all its factors: these are the messages,
/// each of v's family if its factor is conjugate. So no update of one variable makes L smaller. Predictions are summed
/// out of L, and are made at the end from the marginals of their parents.
class VariationalInference : private InferenceRun {
 public:
  VariationalInference(Model& model, const InferenceOptions& options) : InferenceRun(model, options) {}

  Posterior run() {
    start_children();
    while (goes_on()) finish_iteration(update_in_turns(), false);
    for (const Model::Factor& factor : model_.factors_)
      if (is_of_prediction(factor)) predict(factor);
    if (options_.evidence) result_.log_evidence = bound();
    return take_result();
  }

 private:
  std::vector<Message> marginals_of(const Model::Factor& factor) const {
    std::vector<Message> marginals;
    for (const std::uint32_t v : factor.scope) marginals.push_back(model_.variables_[v].marginal);
    return marginals;
  }

  Variational variational(const Model::Factor& factor, std::size_t slot) {
    std::optional<Variational> result = factor.kind->factor().variational(slot, marginals_of(factor));
    if (!result)
      throw UsageError(
          fmt::format("infer: factor '{}' has no variational form as it stands; use expectation propagation "
                      "(Algorithm::kExpectationPropagation), or give it noise where it can have some",
                      factor.kind->factor().name()));
    ++result_.messages;
    return *std::move(result);
  }

  /// Starts children without a marginal from the messages of their own factors, in the order in which they were made.
  void start_children() {
    for (const Model::Factor& factor : model_.factors_) {
      if (is_of_prediction(factor)) continue;
      const Variational told = variational(factor, 0);
      Model::VariableState& child = model_.variables_[factor.scope[0]];
      if (is_proper(child.marginal)) continue;
      model_.edges_[factor.first_edge].message = told.message;
      child.marginal = product(child.base, told.message);
    }
  }

  /// Updates all variables, children first and then in reverse order, so that labels start from what is known of their
  /// groups, not groups from labels of which nothing is known. Returns the largest change.
  double update_in_turns() {
    const std::size_t count = model_.variables_.size();
    double largest = 0;
    for (std::size_t i = 0; i < count && !options_.stop.requested(); ++i)
      largest = std::max(largest, update(result_.iterations % 2 == 0 ? count - 1 - i : i));
    return largest;
  }

  /// Maximises the bound over one variable's marginal and returns its change.
  double update(std::size_t v) {
    if (is_known(static_cast<std::uint32_t>(v)) || is_prediction_[v]) return 0;
    Model::VariableState& variable = model_.variables_[v];
    Message marginal = variable.base;
    for (const EdgeId id : variable.edges) {
      Model::Edge& edge = model_.edges_[id];
      const Model::Factor& factor = model_.factors_[edge.factor];
      if (is_of_prediction(factor)) continue;
      Message message = variational(factor, edge.slot).message;
      if (options_.damping > 0)
        message = product(power(edge.message, options_.damping), power(message, 1 - options_.damping));
      edge.message = message;
      marginal = product(marginal, message);
    }
    if (!is_proper(marginal))
      throw InputError({}, fmt::format("variational inference: a {} variable has no moments", family_name(marginal)),
                       "See whether observations and priors are of sizes that doubles can hold");
    const double change = divergence(marginal, variable.marginal);
    variable.marginal = std::move(marginal);
    return change;
  }

  void predict(const Model::Factor& factor) {
    Model::VariableState& child = model_.variables_[factor.scope[0]];
    std::vector<Message> incoming = marginals_of(factor);
    incoming[0] = child.base;
    const std::size_t first = factor.kind->factor().takes_improper(0) ? 1 : 0;
    if (!std::ranges::all_of(std::span(incoming).subspan(first), is_proper)) return skip(factor);
    Tilted tilted;
    factor.kind->source->compute(0, factor.first_edge, incoming, {&tilted, 1});
    ++result_.messages;
    if (tilted.is_stand_in || !is_proper(tilted.marginal)) return skip(factor);
    child.marginal = model_.edges_[factor.first_edge].message = tilted.marginal;
  }

  double bound() {
    double sum = 0;
    for (std::size_t v = 0; v < model_.variables_.size(); ++v) {
      if (is_prediction_[v]) continue;
      const Model::VariableState& variable = model_.variables_[v];
      sum += expected_exponent(quotient(variable.base, variable.marginal), variable.marginal) +
             log_normalizer(variable.marginal) - variable.log_prior;
    }
    for (const Model::Factor& factor : model_.factors_)
      if (!is_of_prediction(factor)) sum += variational(factor, 0).expected_log;
    return sum;
  }
};

Posterior infer_variational(Model& model, const InferenceOptions& options) {
  if (options.schedule != MessageSchedule::kSerial)
    throw UsageError("infer: variational message passing is serial; leave the schedule out");
  return VariationalInference(model, options).run();
}

}  // namespace fovea::ep
