// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/model/inference_run.h"

namespace fovea::ep {

/// One run of expectation propagation on a model.
class Inference : private InferenceRun {
 public:
  Inference(Model& model, const InferenceOptions& options) : InferenceRun(model, options) {}

  Posterior run() {
    if (options_.schedule == MessageSchedule::kResidual) run_residual();
    else
      while (goes_on()) {
        largest_ = 0;
        is_waiting_ = false;
        if (options_.schedule == MessageSchedule::kSerial) update_in_turns();
        else update_all();
        finish_iteration(largest_, is_waiting_);
      }
    if (options_.evidence) result_.log_evidence = log_evidence();
    return take_result();
  }

 private:
  Model::VariableState& variable_of(const Model::Edge& edge) {
    return model_.variables_[model_.factors_[edge.factor].scope[edge.slot]];
  }

  /// True if the edge needs no message.
  bool is_settled(const Model::Edge& edge) const {
    const Model::Factor& factor = model_.factors_[edge.factor];
    return is_known(factor.scope[edge.slot]) || (edge.slot > 0 && is_of_prediction(factor));
  }

  /// Appends to `incoming` what each variable of a factor knows from all sources but this factor. Returns false if the
  /// message to `slot` cannot be computed from it.
  bool gather(const Model::Factor& factor, std::size_t slot, std::vector<Message>& incoming) const {
    bool is_complete = true;
    for (std::size_t i = 0; i < factor.scope.size(); ++i) {
      incoming.push_back(
          quotient(model_.variables_[factor.scope[i]].marginal, model_.edges_[factor.first_edge + i].message));
      if (!is_proper(incoming.back()) && !(i == slot && factor.kind->factor().takes_improper(slot)))
        is_complete = false;
    }
    return is_complete;
  }

  /// Applies a factor's new message and returns the change of the variable's marginal; nothing if that is not proper
  /// yet.
  std::optional<double> apply(EdgeId id, const Message& incoming, const Tilted& tilted) {
    Model::Edge& edge = model_.edges_[id];
    const Model::Factor& factor = model_.factors_[edge.factor];
    Model::VariableState& variable = variable_of(edge);
    ++result_.messages;
    if (!is_proper(tilted.marginal)) {
      if (!is_proper(incoming)) return std::nullopt;
      throw InputError(
          {},
          fmt::format("factor '{}': its message to slot {} has no moments", factor.kind->factor().name(), edge.slot),
          "See whether its observations contradict the priors, or a variable's family fits it");
    }
    Message message = quotient(tilted.marginal, incoming), marginal = tilted.marginal;
    if (options_.damping > 0 && !std::holds_alternative<Point>(message)) {
      message = product(power(edge.message, options_.damping), power(message, 1 - options_.damping));
      marginal = product(incoming, message);
    }
    if (!is_proper(marginal)) {
      skip(factor);
      return 0;
    }
    const double change = is_proper(variable.marginal) ? divergence(marginal, variable.marginal) : kInfinity;
    edge.message = std::move(message);
    variable.marginal = std::move(marginal);
    return change;
  }

  /// Computes one message and returns its change; nothing if other messages must come first.
  std::optional<double> update(EdgeId id) {
    const Model::Edge& edge = model_.edges_[id];
    const Model::Factor& factor = model_.factors_[edge.factor];
    incoming_.clear();
    if (!gather(factor, edge.slot, incoming_)) return std::nullopt;
    Tilted tilted;
    factor.kind->source->compute(edge.slot, id, incoming_, {&tilted, 1});
    return apply(id, incoming_[edge.slot], tilted);
  }

  void note(std::optional<double> change, const Model::Factor& factor) {
    if (change) largest_ = std::max(largest_, *change);
    else {
      is_waiting_ = is_waiting_ || result_.iterations == 0;
      if (result_.iterations > 0) skip(factor);
    }
  }

  void update_in_turns() {
    const auto count = static_cast<EdgeId>(model_.edges_.size());
    for (EdgeId i = 0; i < count && !options_.stop.requested(); ++i) {
      const EdgeId id = result_.iterations % 2 == 0 ? i : count - 1 - i;
      const Model::Edge& edge = model_.edges_[id];
      if (!is_settled(edge)) note(update(id), model_.factors_[edge.factor]);
    }
  }

  /// Computes all messages from the previous ones; those of one kind of factor to one slot are computed together.
  void update_all() {
    std::map<std::pair<const Model::Kind*, std::uint32_t>, std::vector<EdgeId>> batches;
    for (EdgeId id = 0; id < model_.edges_.size(); ++id) {
      const Model::Edge& edge = model_.edges_[id];
      const Model::Factor& factor = model_.factors_[edge.factor];
      if (!is_settled(edge)) batches[{factor.kind, edge.slot}].push_back(id);
    }
    struct Update {
      EdgeId id;
      Message incoming;
      Tilted tilted;
    };
    std::vector<Update> updates;
    for (const auto& [key, ids] : batches) {
      const auto& [kind, slot] = key;
      std::vector<Message> incoming;
      std::vector<EdgeId> complete;
      for (const EdgeId id : ids) {
        const Model::Factor& factor = model_.factors_[model_.edges_[id].factor];
        const std::size_t before = incoming.size();
        if (gather(factor, slot, incoming)) complete.push_back(id);
        else {
          incoming.resize(before);
          note(std::nullopt, factor);
        }
      }
      std::vector<Tilted> tilted(complete.size());
      if (!complete.empty()) kind->source->compute(slot, complete[0], incoming, tilted);
      for (std::size_t i = 0; i < complete.size(); ++i)
        updates.push_back({.id = complete[i],
                           .incoming = incoming[i * kind->factor().slot_count() + slot],
                           .tilted = std::move(tilted[i])});
    }
    for (const Update& update : updates) {
      // Other messages have changed the variable meanwhile: its marginal is their present product with the new message.
      const Model::Edge& edge = model_.edges_[update.id];
      const Message now = quotient(variable_of(edge).marginal, edge.message);
      Tilted moved = update.tilted;
      if (!std::holds_alternative<Point>(moved.marginal) && is_proper(now) && is_proper(update.incoming)) {
        moved.marginal = product(quotient(update.tilted.marginal, update.incoming), now);
        if (!is_proper(moved.marginal)) {
          skip(model_.factors_[edge.factor]);
          continue;
        }
      }
      note(apply(update.id, is_proper(now) ? now : update.incoming, moved), model_.factors_[edge.factor]);
    }
  }

  /// Updates next the message whose inputs have changed most since it was computed (the cheap form of residual
  /// propagation: Elidan, McGraw and Koller 2006; Sutton and McCallum 2007).
  void run_residual() {
    std::vector<double> pending(model_.edges_.size(), kInfinity);
    std::priority_queue<std::pair<double, std::int64_t>> queue;  // ties: the edge made first
    for (EdgeId id = 0; id < pending.size(); ++id)
      if (is_settled(model_.edges_[id])) pending[id] = 0;
      else queue.emplace(pending[id], -std::int64_t{id});
    const auto budget = static_cast<std::uint64_t>(options_.iterations) * model_.edges_.size();
    std::uint64_t waited = 0;  // edges tried in vain since the last message
    while (!queue.empty() && result_.messages < budget && waited <= queue.size() && !options_.stop.requested()) {
      const auto [priority, negative] = queue.top();
      const auto id = static_cast<EdgeId>(-negative);
      queue.pop();
      if (priority != pending[id]) continue;  // its priority has grown since
      if (priority <= options_.max_marginal_kl) break;
      const std::optional<double> change = update(id);
      if (!change) {
        pending[id] = 0;  // until an input changes
        ++waited;
        continue;
      }
      waited = 0;
      pending[id] =
          *change < kInfinity ? *change * options_.damping / (1 - options_.damping) : 0;  // what damping withheld
      if (pending[id] > 0) queue.emplace(pending[id], -std::int64_t{id});
      if (!(*change > 0)) continue;
      for (const EdgeId other : variable_of(model_.edges_[id]).edges) {
        if (other == id) continue;
        const Model::Factor& factor = model_.factors_[model_.edges_[other].factor];
        for (EdgeId target = factor.first_edge; target < factor.first_edge + factor.scope.size(); ++target) {
          if (is_settled(model_.edges_[target])) continue;
          pending[target] += *change;
          queue.emplace(pending[target], -std::int64_t{target});
        }
      }
      if (result_.messages % std::max<std::size_t>(1, model_.edges_.size()) == 0) finish_iteration(*change, false);
    }
    double largest = 0;
    for (const double change : pending) largest = std::max(largest, change);
    finish_iteration(largest, false);
  }

  /// log Z = sum_f log mass_f - sum_{f, v} (A(marginal_v) - A(incoming_fv)) + sum_v (A(marginal_v) - A(prior_v)), where
  /// A is the log normalizer, 0 for an improper message (Minka 2001, section 3.2, for any factors). Predictions
  /// contribute a factor of 1.
  double log_evidence() {
    double sum = 0;
    for (std::size_t v = 0; v < model_.variables_.size(); ++v)
      if (!is_prediction_[v]) sum += log_normalizer(model_.variables_[v].marginal) - model_.variables_[v].log_prior;
    for (const Model::Factor& factor : model_.factors_) {
      if (is_of_prediction(factor)) continue;
      std::vector<Message> incoming;
      gather(factor, 0, incoming);
      for (std::size_t i = 0; i < incoming.size(); ++i)
        sum -= log_normalizer(model_.variables_[factor.scope[i]].marginal) - log_normalizer(incoming[i]);
      Tilted tilted;
      factor.kind->source->compute(0, factor.first_edge, incoming, {&tilted, 1});
      ++result_.messages;
      sum += tilted.log_mass;
    }
    return sum;
  }

  std::vector<Message> incoming_;
  double largest_ = 0;
  bool is_waiting_ = false;  // some messages could not be computed yet
};

Posterior Model::infer(const InferenceOptions& options) {
  if (!(options.damping >= 0 && options.damping < 1)) throw UsageError("infer: damping must be in [0, 1)");
  if (options.iterations < 1) throw UsageError("infer: iterations must be 1 or more");
  if (!(options.max_marginal_kl >= 0)) throw UsageError("infer: max_marginal_kl must be 0 or more");
  if (options.algorithm == Algorithm::kVariational) return infer_variational(*this, options);
  return Inference(*this, options).run();
}

}  // namespace fovea::ep
