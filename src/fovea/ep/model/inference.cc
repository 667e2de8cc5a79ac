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
  Inference(Model& model, const InferenceOptions& options)
      : InferenceRun(model, options), damping_(options.damping), stands_in_(model.edges_.size()) {}

  Posterior run() {
    if (options_.schedule == MessageSchedule::kResidual) run_residual();
    else
      while (goes_on()) {
        begin_iteration();
        if (options_.schedule == MessageSchedule::kSerial) update_in_turns();
        else update_all();
        end_iteration();
      }
    if (!are_products()) result_.has_converged = false;
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

  /// The message that a projection makes of the incoming one; nothing if it has no moments, for now or at all.
  std::optional<Message> message_of(const Model::Edge& edge, const Message& incoming, const Tilted& tilted) {
    ++result_.messages;
    if (tilted.is_stand_in && is_of_prediction(model_.factors_[edge.factor])) return std::nullopt;
    if (!is_proper(tilted.marginal)) return std::nullopt;
    return quotient(tilted.marginal, incoming);
  }

  /// The message that is `share` of the way from `before` to `after`, by natural parameters.
  static Message between(const Message& before, const Message& after, double share) {
    if (share == 1 || std::holds_alternative<Point>(after)) return after;
    return product(power(before, 1 - share), power(after, share));
  }

  /// The change of a marginal, as far as it is more than the error of estimates.
  static double change_of(const Message& before, const Message& after, double expected_error) {
    if (!is_proper(before)) return kInfinity;
    const double change = divergence(after, before);
    return change > expected_error ? change : 0;
  }

  /// Computes one message and returns the change of its variable's marginal; nothing if other messages must come first.
  std::optional<double> update(EdgeId id) {
    Model::Edge& edge = model_.edges_[id];
    const Model::Factor& factor = model_.factors_[edge.factor];
    incoming_.clear();
    if (!gather(factor, edge.slot, incoming_)) return std::nullopt;
    Tilted tilted;
    factor.kind->source->compute(edge.slot, id, incoming_, {&tilted, 1});
    const Message& incoming = incoming_[edge.slot];
    const std::optional<Message> told = message_of(edge, incoming, tilted);
    if (!told) return std::nullopt;
    const Message message = between(edge.message, *told, 1 - damping_);
    Message marginal = damping_ > 0 ? product(incoming, message) : tilted.marginal;
    if (!is_proper(marginal)) return std::nullopt;
    Model::VariableState& variable = variable_of(edge);
    const double change = change_of(variable.marginal, marginal, tilted.expected_error);
    edge.message = message;
    variable.marginal = std::move(marginal);
    stands_in_[id] = tilted.is_stand_in;
    return change;
  }

  void note(std::optional<double> change, EdgeId id) {
    if (change) largest_ = std::max(largest_, *change);
    if (change && !stands_in_[id]) return;
    if (result_.iterations == 0) is_waiting_ = true;
    else note_skipped(id);
  }

  void note_skipped(EdgeId id) {
    const Model::Factor& factor = model_.factors_[model_.edges_[id].factor];
    skip(factor);
    is_waiting_ =
        is_waiting_ || !is_of_prediction(factor);  // nothing depends on a prediction, which may have no moments
  }

  void begin_iteration() {
    largest_ = 0;
    is_waiting_ = false;
  }

  void end_iteration() {
    const double step = 1 - damping_;  // a KL falls with its square
    finish_iteration(largest_ / (step * step), is_waiting_);
    stalled_ = is_waiting_ && largest_ <= options_.max_marginal_kl ? stalled_ + 1 : 0;
    adapt_damping(result_.largest_marginal_kl);
  }

  /// Keeps more of the old messages once changes have grown for some iterations. Turns go forwards and backwards, so
  /// each is compared with the one before the last.
  void adapt_damping(double change) {
    constexpr int kGrowing = 4;
    constexpr double kMost = .95;
    const bool grows = change >= before_last_ && change < kInfinity && change > options_.max_marginal_kl;
    growing_ = grows ? growing_ + 1 : 0;
    before_last_ = std::exchange(last_, change);
    if (growing_ < kGrowing) return;
    damping_ = std::max(damping_, std::min(kMost, .5 * (1 + damping_)));
    growing_ = 0;
  }

  bool goes_on() const { return InferenceRun::goes_on() && stalled_ < 2; }

  /// Sets each marginal to the product of its messages, which updates leave it at, except for rounding. False if one is
  /// not proper, or was another.
  bool are_products() {
    constexpr double kRounding = 1e-6;  // as a KL
    bool are = true;
    for (std::uint32_t v = 0; v < model_.variables_.size(); ++v) {
      Model::VariableState& variable = model_.variables_[v];
      if (is_known(v) || std::holds_alternative<Point>(variable.marginal)) continue;
      Message marginal = variable.base;
      for (const EdgeId id : variable.edges) marginal = product(marginal, model_.edges_[id].message);
      const bool is_same = is_proper(marginal)
                               ? is_proper(variable.marginal) && divergence(marginal, variable.marginal) <= kRounding
                               : !is_proper(variable.marginal);
      if (is_same && (is_proper(marginal) || is_prediction_[v])) variable.marginal = std::move(marginal);
      else are = false;
    }
    return are;
  }

  void update_in_turns() {
    const auto count = static_cast<EdgeId>(model_.edges_.size());
    for (EdgeId i = 0; i < count && !options_.stop.requested(); ++i) {
      const EdgeId id = result_.iterations % 2 == 0 ? i : count - 1 - i;
      const Model::Edge& edge = model_.edges_[id];
      if (!is_settled(edge)) note(update(id), id);
    }
  }

  struct Update {
    EdgeId id;
    Message message;
    bool is_stand_in;
    double expected_error;
  };

  /// Computes all messages from the previous ones; those of one kind of factor to one slot are computed together.
  void update_all() {
    std::map<std::pair<const Model::Kind*, std::uint32_t>, std::vector<EdgeId>> batches;
    for (EdgeId id = 0; id < model_.edges_.size(); ++id) {
      const Model::Edge& edge = model_.edges_[id];
      if (!is_settled(edge)) batches[{model_.factors_[edge.factor].kind, edge.slot}].push_back(id);
    }
    std::vector<Update> updates;
    for (const auto& [key, ids] : batches) compute(*key.first, key.second, ids, updates);
    const auto variable = [&](const Update& update) {
      return model_.factors_[model_.edges_[update.id].factor].scope[model_.edges_[update.id].slot];
    };
    std::ranges::stable_sort(updates, {}, variable);
    for (std::size_t begin = 0, end = 0; begin < updates.size(); begin = end) {
      while (end < updates.size() && variable(updates[end]) == variable(updates[begin])) ++end;
      apply(std::span(updates).subspan(begin, end - begin));
    }
  }

  /// Appends the messages of one kind of factor to one slot.
  void compute(const Model::Kind& kind, std::uint32_t slot, std::span<const EdgeId> ids, std::vector<Update>& updates) {
    std::vector<Message> incoming;
    std::vector<EdgeId> complete;
    for (const EdgeId id : ids) {
      const std::size_t before = incoming.size();
      if (gather(model_.factors_[model_.edges_[id].factor], slot, incoming)) complete.push_back(id);
      else {
        incoming.resize(before);
        note(std::nullopt, id);
      }
    }
    if (complete.empty()) return;
    std::vector<Tilted> tilted(complete.size());
    kind.source->compute(slot, complete[0], incoming, tilted);
    for (std::size_t i = 0; i < complete.size(); ++i) {
      const EdgeId id = complete[i];
      if (auto message = message_of(model_.edges_[id], incoming[i * kind.factor().slot_count() + slot], tilted[i]))
        updates.push_back({id, *std::move(message), tilted[i].is_stand_in, tilted[i].expected_error});
      else note(std::nullopt, id);
    }
  }

  /// Gives a variable its new messages, all at once. If their product is not proper, it moves a part of the way.
  void apply(std::span<const Update> updates) {
    constexpr double kShortest = 1e-3;
    Model::VariableState& variable = variable_of(model_.edges_[updates.front().id]);
    const Message before = variable.marginal;
    std::vector<Message> messages;
    double expected_error = 0;
    for (const Update& update : updates) expected_error = std::max(expected_error, update.expected_error);
    for (double part = 1; part > kShortest; part /= 2) {
      const double share = part * (1 - damping_);
      Message marginal = before;
      messages.clear();
      for (const Update& update : updates) {
        const Message& old = model_.edges_[update.id].message;
        messages.push_back(between(old, update.message, share));
        marginal = product(quotient(marginal, old), messages.back());
      }
      if (is_proper(before) && !is_proper(marginal)) continue;
      for (std::size_t i = 0; i < updates.size(); ++i) {
        model_.edges_[updates[i].id].message = std::move(messages[i]);
        stands_in_[updates[i].id] = updates[i].is_stand_in;
      }
      variable.marginal = std::move(marginal);
      const double change =
          is_proper(variable.marginal) ? change_of(before, variable.marginal, expected_error) : kInfinity;
      for (const Update& update : updates) note(change, update.id);
      return;
    }
    for (const Update& update : updates) note(std::nullopt, update.id);
  }

  /// Updates next the message whose inputs have changed most since it was computed (the cheap form of residual
  /// propagation: Elidan, McGraw and Koller 2006; Sutton and McCallum 2007).
  void run_residual() {
    std::vector<double> pending(model_.edges_.size(), kInfinity);
    std::vector<bool> waits(model_.edges_.size());
    std::priority_queue<std::pair<double, std::int64_t>> queue;  // ties: the edge made first
    for (EdgeId id = 0; id < pending.size(); ++id)
      if (is_settled(model_.edges_[id])) pending[id] = 0;
      else queue.emplace(pending[id], -std::int64_t{id});
    const auto budget = static_cast<std::uint64_t>(options_.iterations) * model_.edges_.size();
    while (!queue.empty() && result_.messages < budget && !options_.stop.requested()) {
      const auto [priority, negative] = queue.top();
      const auto id = static_cast<EdgeId>(-negative);
      queue.pop();
      if (priority != pending[id]) continue;  // its priority has grown since
      if (priority <= options_.max_marginal_kl) break;
      const std::optional<double> change = update(id);
      waits[id] = !change || stands_in_[id];
      pending[id] = 0;  // until an input changes
      if (!change) continue;
      if (*change < kInfinity) pending[id] = *change * damping_ / (1 - damping_);  // what damping withheld
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
      if (result_.messages % std::max<std::size_t>(1, model_.edges_.size()) == 0) finish_iteration(*change, true);
    }
    begin_iteration();
    for (EdgeId id = 0; id < pending.size(); ++id) {
      largest_ = std::max(largest_, pending[id]);
      if (waits[id]) note_skipped(id);
    }
    finish_iteration(largest_, is_waiting_);
  }

  /// log Z = sum_f log mass_f - sum_{f, v} (A(marginal_v) - A(incoming_fv)) + sum_v (A(marginal_v) - A(prior_v)), where
  /// A is the log normalizer, 0 for an improper message (Minka 2001, section 3.2, for any factors). Predictions
  /// contribute a factor of 1. Nothing if the messages leave no number.
  std::optional<double> log_evidence() {
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
    return std::isfinite(sum) ? std::optional(sum) : std::nullopt;
  }

  double damping_;
  std::vector<bool> stands_in_;  // [edge] the message is a stand-in
  std::vector<Message> incoming_;
  double largest_ = 0;                                 // change of a marginal in this iteration
  bool is_waiting_ = false;                            // some messages could not be computed yet
  int stalled_ = 0;                                    // iterations in which messages waited and nothing changed
  double last_ = kInfinity, before_last_ = kInfinity;  // largest changes of the last two iterations
  int growing_ = 0;
};

Posterior Model::infer(const InferenceOptions& options) {
  if (!(options.damping >= 0 && options.damping < 1)) throw UsageError("infer: damping must be in [0, 1)");
  if (options.iterations < 1) throw UsageError("infer: iterations must be 1 or more");
  if (!(options.max_marginal_kl >= 0)) throw UsageError("infer: max_marginal_kl must be 0 or more");
  if (options.algorithm == Algorithm::kVariational) return infer_variational(*this, options);
  return Inference(*this, options).run();
}

}  // namespace fovea::ep
