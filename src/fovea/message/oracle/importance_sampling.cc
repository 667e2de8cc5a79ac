// SPDX-License-Identifier: Apache-2.0
#include "fovea/message/oracle/importance_sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/infinity.h"

namespace fovea::message {

/// The draws for one message: values of all slots, and their weights.
class ImportanceSampling::Draws {
 public:
  Draws(const ImportanceSampling& oracle, std::span<const Message> incoming, Random& random)
      : factor_(oracle.factor_),
        incoming_(incoming),
        random_(random),
        values_(incoming.size()),
        draws_child_(!factor_.sample || (factor_.log_density && std::holds_alternative<Point>(incoming[0]))) {
    if (!draws_child_ && std::holds_alternative<Point>(incoming[0]))
      refuse("its child is known exactly, which draws of it never meet",
             "Give the factor a log_density, or observe what depends on the child with some noise");
    for (const Message& message : incoming) log_normalizers_.push_back(log_normalizer(message));
  }

  /// From the incoming messages alone, or half and half from `proposals` ([slot]) too. Forgets the draws before.
  void draw(int samples, const std::vector<Message>& proposals) {
    for (auto& slot : values_) slot.clear();
    log_weights_.clear();
    double kernel_to_density = 0;  // of the proposals over the incoming messages
    for (std::size_t slot = first(); slot < proposals.size(); ++slot)
      kernel_to_density += log_normalizers_[slot] - log_normalizer(proposals[slot]);
    std::vector<double> values(incoming_.size());
    for (int i = 0; i < samples; ++i) {
      const bool from_proposal = !proposals.empty() && i % 2 == 0;
      double log_ratio = kernel_to_density;
      for (std::size_t slot = first(); slot < values.size(); ++slot) {
        values[slot] = message::draw(from_proposal ? proposals[slot] : incoming_[slot], random_);
        if (!proposals.empty())
          log_ratio += log_kernel(proposals[slot], values[slot]) - log_kernel(incoming_[slot], values[slot]);
      }
      double log_weight = weigh(values);
      // incoming / ((incoming + proposal) / 2) = 2 / (1 + ratio)
      if (!proposals.empty())
        log_weight += std::numbers::ln2 - std::max(log_ratio, 0.) - std::log1p(std::exp(-std::abs(log_ratio)));
      log_weights_.push_back(log_weight);
      for (std::size_t slot = 0; slot < values.size(); ++slot) values_[slot].push_back(values[slot]);
    }
    normalise();
  }

  /// Of each slot, what the draws suggest; the incoming message where they suggest nothing proper.
  std::vector<Message> suggestions() const {
    std::vector<Message> result(incoming_.begin(), incoming_.end());
    if (largest_ == -kInfinity) return result;
    for (std::size_t slot = first(); slot < result.size(); ++slot) {
      const Message suggestion = matching_moments(result[slot], values_[slot], weights_);
      if (is_proper(suggestion)) result[slot] = suggestion;
    }
    return result;
  }

  Tilted tilted(std::size_t slot) const {
    if (largest_ == -kInfinity)
      refuse(fmt::format("none of {} draws agrees with the incoming messages: zero mass", weights_.size()),
             "Draw more samples, or see which message contradicts the factor");
    double sum = 0, squares = 0;
    for (const double weight : weights_) {
      sum += weight;
      squares += weight * weight;
    }
    const double worth = sum * sum / squares;
    const double log_mass = largest_ + std::log(sum / static_cast<double>(weights_.size()));
    if (std::holds_alternative<Point>(incoming_[slot])) return {.marginal = incoming_[slot], .log_mass = log_mass};
    const bool one_number =
        std::holds_alternative<Bernoulli>(incoming_[slot]) || std::holds_alternative<Poisson>(incoming_[slot]);
    Tilted result = {.marginal = matching_moments(incoming_[slot], values_[slot], weights_), .log_mass = log_mass};
    if (!is_proper(result.marginal) || (!one_number && never_moves(slot)))
      refuse(fmt::format("all draws that count have the one value {} of slot {}", heaviest_value(slot), slot),
             "Draw more samples; if it never moves, use a known value or a family for that variable that fits");
    result.expected_error = (one_number ? .5 : 1) / worth;
    return result;
  }

 private:
  std::size_t first() const { return draws_child_ ? 0 : 1; }

  /// log weight of values drawn from the incoming messages; draws the child where the factor does.
  double weigh(std::vector<double>& values) const {
    const std::span<const double> parents = std::span(values).subspan(1);
    double result = 0;
    try {
      if (draws_child_) result = factor_.log_density(values);
      else values[0] = factor_.sample(parents, random_);
    } catch (const std::exception& error) {
      refuse(fmt::format("its function failed at {}: {}", fmt::join(draws_child_ ? std::span(values) : parents, ", "),
                         error.what()),
             kMend);
    }
    if (std::isnan(values[0]) || std::isnan(result) || result == kInfinity)
      refuse(fmt::format("its function returned {} at {}", draws_child_ ? result : values[0],
                         fmt::join(draws_child_ ? std::span(values) : parents, ", ")),
             kMend);
    return draws_child_ ? result : log_kernel(incoming_[0], values[0]) - log_normalizers_[0];
  }

  void normalise() {
    largest_ = *std::ranges::max_element(log_weights_);
    weights_.resize(log_weights_.size());
    for (std::size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = largest_ == -kInfinity ? 0 : std::exp(log_weights_[i] - largest_);
  }

  bool never_moves(std::size_t slot) const {
    const double value = heaviest_value(slot);
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (weights_[i] > 0 && values_[slot][i] != value) return false;
    return true;
  }

  double heaviest_value(std::size_t slot) const {
    const auto heaviest = std::ranges::max_element(weights_) - weights_.begin();
    return values_[slot][static_cast<std::size_t>(heaviest)];
  }

  [[noreturn]] void refuse(const std::string& problem, std::string_view remedy) const {
    throw InputError({}, fmt::format("factor '{}': {}", factor_.name, problem), remedy);
  }

  static constexpr const char* kMend = "Make it finite wherever the incoming messages have mass";

  const FactorFunctions& factor_;
  std::span<const Message> incoming_;
  Random& random_;
  std::vector<std::vector<double>> values_;  // [slot][draw]
  bool draws_child_;                         // from its incoming message; else from the factor
  std::vector<double> log_normalizers_, log_weights_, weights_;
  double largest_ = -kInfinity;  // log weight
};

ImportanceSampling::ImportanceSampling(FactorFunctions factor, std::size_t parents,
                                       const ImportanceSamplingOptions& options)
    : factor_(std::move(factor)), parents_(parents), options_(options) {
  validate(options);
  if (!factor_.sample && !factor_.log_density)
    throw UsageError(fmt::format("factor '{}' has neither a sampler nor a density", factor_.name));
}

Tilted ImportanceSampling::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  FOVEA_CHECK(incoming.size() == slot_count() && slot < slot_count());
  Draws draws(*this, incoming, random);
  if (!options_.adaptive) {
    draws.draw(options_.samples, {});
    return draws.tilted(slot);
  }
  draws.draw(options_.samples / 10, {});
  const std::vector<Message> proposals = draws.suggestions();
  draws.draw(options_.samples - options_.samples / 10, proposals);
  return draws.tilted(slot);
}

std::optional<double> ImportanceSampling::log_value(std::span<const double> values) const {
  if (!factor_.log_density) return std::nullopt;
  return factor_.log_density(values);
}

}  // namespace fovea::message
