// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/importance_sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/ep/family/message_shape.h"
#include "fovea/ep/oracle/grid_quadrature.h"
#include "fovea/ep/quadrature/moment_projection.h"

namespace fovea::ep {
namespace {

/// The mean of y over the mean of a weight w. Both are corrected by linear regressions on controls, whose means are 0.
class ControlledRatio {
 public:
  using Controls = MomentProjection::Controls;
  struct Answer {
    double ratio = 0, variance = 0;  // of the ratio
  };

  void add(const Controls& x, double y, double w) {
    // Terms: the controls, 1, w and y.
    Terms terms;
    terms << x[0], x[1], x[2], x[3], 1, w, y;
    products_.noalias() += terms * terms.transpose();
  }

  Answer answer() const {
    // A small multiple of the diagonal excludes controls that are 0 or depend on each other.
    Eigen::Matrix<double, 5, 5> known = products_.topLeftCorner<5, 5>();
    for (int i = 0; i < 4; ++i) known(i, i) += 1e-12 * known(i, i) + 1e-300;
    const Eigen::Matrix<double, 5, 2> lines = known.ldlt().solve(products_.topRightCorner<5, 2>());
    const double weight = lines(4, 0), count = products_(4, 4);
    Answer answer = {.ratio = lines(4, 1) / weight};
    Terms residual;  // of y - ratio w, whose mean is about 0
    residual << answer.ratio * lines.col(0).head<4>() - lines.col(1).head<4>(), 0, -answer.ratio, 1;
    const double squares = residual.dot(products_ * residual);
    answer.variance = std::max(0., squares) / (count * count * weight * weight);
    return answer;
  }

 private:
  using Terms = Eigen::Matrix<double, 7, 1>;
  Eigen::Matrix<double, 7, 7> products_ = Eigen::Matrix<double, 7, 7>::Zero();
};

}  // namespace

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
      refuse("its child is known exactly, a value that no draw hits",
             "Give the factor a log_density, or observe what depends on the child with some noise");
    for (const Message& message : incoming) log_normalizers_.push_back(log_normalizer(message));
  }

  /// Draws from the incoming messages alone, or also from `proposals` ([slot]), half from each. Forgets earlier draws.
  void draw(int samples, const std::vector<Message>& proposals) {
    for (auto& slot : values_) slot.clear();
    log_weights_.clear();
    ratios_.clear();
    double kernel_to_density = 0;  // of the proposals over the incoming messages
    for (std::size_t slot = first(); slot < proposals.size(); ++slot)
      kernel_to_density += log_normalizers_[slot] - log_normalizer(proposals[slot]);
    const bool draws_one_by_one = !draws_child_ && !factor_.sample_many;
    std::vector<double> values(incoming_.size());
    for (int i = 0; i < samples; ++i) {
      const bool from_proposal = !proposals.empty() && i % 2 == 0;
      double log_ratio = kernel_to_density;
      for (std::size_t slot = first(); slot < values.size(); ++slot) {
        values[slot] = ep::draw(from_proposal ? proposals[slot] : incoming_[slot], random_);
        if (!proposals.empty())
          log_ratio += log_kernel(proposals[slot], values[slot]) - log_kernel(incoming_[slot], values[slot]);
      }
      if (draws_one_by_one) values[0] = child_of(std::span(values).subspan(1));
      // incoming / ((incoming + proposal) / 2) = 2 / (1 + ratio)
      double log_mixture = 0;
      if (!proposals.empty())
        log_mixture = std::numbers::ln2 - std::max(log_ratio, 0.) - std::log1p(std::exp(-std::abs(log_ratio)));
      log_weights_.push_back(log_mixture);
      ratios_.push_back(std::exp(log_mixture));
      for (std::size_t slot = 0; slot < values.size(); ++slot) values_[slot].push_back(values[slot]);
    }
    if (!draws_child_ && !draws_one_by_one) draw_children();
    weigh();
    normalise();
  }

  /// Share of the draws that the weighted draws are worth.
  double efficiency() const { return largest_ == -kInfinity ? 0 : worth() / static_cast<double>(weights_.size()); }

  /// A proposal for each slot, fitted to the draws; the incoming message if the fit is not proper. If few draws count,
  /// their weights are flattened until more do, and the fit is widened: a step towards the region with mass. Spends the
  /// weights.
  std::vector<Message> suggestions() {
    constexpr double kEnough = .1, kFlat = 1e-9;
    std::vector<Message> result(incoming_.begin(), incoming_.end());
    if (largest_ == -kInfinity) return result;
    const bool is_step = efficiency() < kEnough;
    for (double power = .5; efficiency() < kEnough && power > kFlat; power /= 2) flatten(power);
    for (std::size_t slot = first(); slot < result.size(); ++slot) {
      if (std::holds_alternative<Point>(result[slot])) continue;
      const Message suggestion = estimate(slot, false).marginal;
      if (!is_proper(suggestion)) continue;
      MessageShape shape = shape_of(suggestion);
      if (is_step) shape.log_spread += std::numbers::ln2;
      result[slot] = message_of(suggestion, shape);
    }
    return result;
  }

  Tilted tilted(std::size_t slot, bool is_controlled) const {
    if (largest_ == -kInfinity)
      refuse(fmt::format("none of {} draws agrees with the incoming messages: zero mass", weights_.size()),
             "Draw more samples, or see which message contradicts the factor");
    const double log_mass = largest_ + std::log(weight_sum_ / static_cast<double>(weights_.size()));
    if (std::holds_alternative<Point>(incoming_[slot])) return {.marginal = incoming_[slot], .log_mass = log_mass};
    Tilted result = estimate(slot, is_controlled && slot >= first());
    if (is_controlled && !is_proper(result.marginal)) result = estimate(slot, false);
    if (!is_proper(result.marginal) || never_moves(slot))
      refuse(fmt::format("all draws that count have the same value {} in slot {}", heaviest_value(slot), slot),
             "Draw more samples; if it never moves, use a known value or a fitting family for that variable");
    result.log_mass = log_mass;
    return result;
  }

 private:
  /// The first slot that is drawn from its message, and whose value the factor's function is given.
  std::size_t first() const { return draws_child_ ? 0 : 1; }

  double child_of(std::span<const double> parents) const {
    try {
      return factor_.sample(parents, random_);
    } catch (const std::exception& error) {
      refuse(fmt::format("its function failed at {}: {}", fmt::join(parents, ", "), error.what()), kMend);
    }
  }

  /// Draws all children from the factor in one call.
  void draw_children() {
    try {
      factor_.sample_many(DrawColumns(values_).subspan(1), random_, values_[0]);
    } catch (const std::exception& error) {
      refuse(fmt::format("its function failed: {}", error.what()), kMend);
    }
  }

  /// Adds the log weights of the values, as drawn from the incoming messages.
  void weigh() {
    const std::vector<double> densities = draws_child_ ? log_densities() : std::vector<double>();
    for (std::size_t i = 0; i < log_weights_.size(); ++i) {
      const double child = values_[0][i];
      if (draws_child_ ? std::isnan(densities[i]) || densities[i] == kInfinity : std::isnan(child))
        refuse(fmt::format("its function returned {} at {}", draws_child_ ? densities[i] : child,
                           fmt::join(values_of(i, first()), ", ")),
               kMend);
      const double log_weight = draws_child_ ? densities[i] : log_kernel(incoming_[0], child) - log_normalizers_[0];
      log_weights_[i] += log_weight - log_base_measure(incoming_[0], child);
    }
  }

  std::vector<double> log_densities() const {
    std::vector<double> result(log_weights_.size()), values(values_.size());
    try {
      if (factor_.log_density_many) factor_.log_density_many(values_, result);
      else
        for (std::size_t i = 0; i < result.size(); ++i) {
          for (std::size_t slot = 0; slot < values.size(); ++slot) values[slot] = values_[slot][i];
          result[i] = factor_.log_density(values);
        }
    } catch (const std::exception& error) {
      if (factor_.log_density_many) refuse(fmt::format("its function failed: {}", error.what()), kMend);
      refuse(fmt::format("its function failed at {}: {}", fmt::join(values, ", "), error.what()), kMend);
    }
    return result;
  }

  /// A draw's values from this slot on.
  std::vector<double> values_of(std::size_t draw, std::size_t slot) const {
    std::vector<double> values;
    for (; slot < values_.size(); ++slot) values.push_back(values_[slot][draw]);
    return values;
  }

  void normalise() {
    largest_ = *std::ranges::max_element(log_weights_);
    weights_.resize(log_weights_.size());
    flatten(1);
  }

  /// Raises the weights to this power.
  void flatten(double power) {
    weight_sum_ = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = log_weights_[i] == -kInfinity ? 0 : std::exp(power * (log_weights_[i] - largest_));
      weight_sum_ += weights_[i];
    }
  }

  /// Number of independent draws that the weighted draws are worth.
  double worth() const {
    double squares = 0;
    for (const double weight : weights_) squares += weight * weight;
    return weight_sum_ * weight_sum_ / squares;
  }

  /// Estimates the marginal from weighted moments; if controlled, from their difference to the incoming ones. The error
  /// by chance is half the sum, over moments, of the variance of the estimate over the variance of the statistic
  /// itself.
  Tilted estimate(std::size_t slot, bool is_controlled) const {
    const bool is_known = is_proper(incoming_[slot]);  // else a child that the factor draws
    const MomentProjection projection(incoming_[slot], is_known ? mean_of(incoming_[slot]) : mean_of_draws(slot));
    const MomentProjection::Moments known =
        is_known ? projection.expected(incoming_[slot]) : MomentProjection::Moments{};
    std::optional<MomentProjection::ControlsOf> controls;
    if (is_controlled) controls.emplace(projection, incoming_[slot]);
    MomentProjection::Moments moments = known;
    Tilted result;
    for (std::size_t k = 0; k < projection.size(); ++k) {
      ControlledRatio estimate;
      double spread = 0;
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!is_controlled && !(weights_[i] > 0)) continue;  // the moment may be infinite there
        const double value = values_[slot][i], difference = projection.at(value)[k] - known[k];
        ControlledRatio::Controls x = {};
        if (is_controlled) {
          x = controls->at(value);
          for (double& control : x) control *= ratios_[i];
        }
        estimate.add(x, weights_[i] * difference, weights_[i]);
        spread += weights_[i] * difference * difference;
      }
      const ControlledRatio::Answer answer = estimate.answer();
      moments[k] += answer.ratio;
      spread = spread / weight_sum_ - answer.ratio * answer.ratio;
      if (spread > 0) result.expected_error += .5 * answer.variance / spread;
    }
    result.marginal = projection.from(moments);
    return result;
  }

  double mean_of_draws(std::size_t slot) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (weights_[i] > 0) sum += weights_[i] * values_[slot][i];
    return sum / weight_sum_;
  }

  bool never_moves(std::size_t slot) const {
    if (MomentProjection(incoming_[slot], 0).size() == 1) return false;  // a certain value is proper
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
  bool draws_child_;                         // from its incoming message; else the factor draws it
  std::vector<double> log_normalizers_, log_weights_;
  std::vector<double> ratios_;   // of the incoming messages to what was drawn from
  std::vector<double> weights_;  // over the largest
  double largest_ = -kInfinity;  // log weight
  double weight_sum_ = 0;
};

ImportanceSampling::ImportanceSampling(FactorFunctions factor, std::size_t parents,
                                       const ImportanceSamplingOptions& options)
    : factor_(with_single_draws(std::move(factor))), parents_(parents), options_(options) {
  validate(options);
  if (!factor_.sample && !factor_.log_density)
    throw UsageError(fmt::format("factor '{}' has neither a sampler nor a density", factor_.name));
}

Tilted ImportanceSampling::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  FOVEA_CHECK(incoming.size() == slot_count() && slot < slot_count());
  if (!factor_.sample && !is_proper(incoming[0]))
    return GridQuadrature(factor_, parents_).tilted(slot, incoming, random);
  Draws draws(*this, incoming, random);
  if (!options_.adaptive) {
    draws.draw(options_.samples, {});
    return draws.tilted(slot, false);
  }
  constexpr double kIncomingServes = .5, kProposalsServe = .1;
  constexpr int kMostTrials = 8;
  const int trial = options_.samples / 10;
  std::vector<Message> proposals;
  draws.draw(trial, {});
  if (draws.efficiency() < kIncomingServes)
    for (int trials = 0; proposals.empty() || (draws.efficiency() < kProposalsServe && trials < kMostTrials);
         ++trials) {
      proposals = draws.suggestions();
      draws.draw(trial, proposals);
    }
  draws.draw(options_.samples - trial, proposals);
  return draws.tilted(slot, true);
}

std::optional<double> ImportanceSampling::log_value(std::span<const double> values) const {
  if (!factor_.log_density) return std::nullopt;
  return factor_.log_density(values);
}

}  // namespace fovea::ep
