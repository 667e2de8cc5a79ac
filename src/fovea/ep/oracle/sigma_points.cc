// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/sigma_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/operators/moments.h"

namespace fovea::ep {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Weight of the point in the middle, in units of one of the others' on the scale of n: with one unknown the points
/// match six moments of a Gaussian; with more, all weights stay positive.
double middle_weight(Eigen::Index unknowns) { return unknowns == 1 ? 2 : 1; }

[[noreturn]] void refuse(const std::string& factor, const std::string& problem, std::string_view remedy) {
  throw InputError({}, fmt::format("factor '{}': {}", factor, problem), remedy);
}

constexpr const char* kDraw = "Let draws compute its messages (oracle: draws)";

}  // namespace

/// child = slope . parents + offset + noise, fitted under a belief.
class SigmaPoints::Line {
 public:
  /// A normal distribution of the unknown parents.
  struct Belief {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
  };

  Line(const FactorFunctions& factor, std::span<const Message> incoming, Random& random)
      : factor_(factor),
        child_variance_(is_proper(incoming[0]) ? variance_of(incoming[0]) : 0),
        random_(random),
        blocks_(incoming.size()) {
    for (std::size_t slot = 1; slot < incoming.size(); ++slot) add_parent(slot, incoming[slot]);
    if (unknown_.empty())
      refuse(factor.name, "it has no unknown parent, so its child is known", "Give the child's value");
    const auto n = static_cast<Eigen::Index>(unknown_.size());
    prior_ = {.mean = VectorXd(n), .covariance = MatrixXd::Zero(n, n)};
    for (std::size_t slot = 1; slot < incoming.size(); ++slot) set_prior(blocks_[slot], incoming[slot]);
  }

  void fit(const Belief& belief) {
    const Eigen::Index n = belief.mean.size(), points = 2 * n + 1;
    const double middle = middle_weight(n), scale = static_cast<double>(n) + middle;
    const MatrixXd root = belief.covariance.llt().matrixL();
    MatrixXd offsets = MatrixXd::Zero(n, points);
    offsets.middleCols(1, n) = std::sqrt(scale) * root;
    offsets.rightCols(n) = -offsets.middleCols(1, n);
    VectorXd weights = VectorXd::Constant(points, .5 / scale);
    weights[0] = middle / scale;
    const VectorXd children = children_at(offsets.colwise() + belief.mean);
    const double mean = weights.dot(children);
    const VectorXd gaps = children.array() - mean;
    const VectorXd weighted = weights.cwiseProduct(gaps);
    slope_ = belief.covariance.llt().solve(offsets * weighted);
    offset_ = mean - slope_.dot(belief.mean);
    noise_ = std::max(0., weighted.dot(gaps) - slope_.dot(belief.covariance * slope_));
  }

  /// The child as the line makes it of the parents' messages.
  Gaussian prediction() const {
    const double variance = slope_.dot(prior_.covariance * slope_) + noise_;
    return Gaussian::from_mean_variance(slope_.dot(prior_.mean) + offset_, variance);
  }

  /// The parents given what is known elsewhere of the child, by the line.
  Belief given(const Gaussian& child) const {
    const Gaussian predicted = prediction();
    const VectorXd gain = prior_.covariance * slope_ / (predicted.variance() + child.variance());
    const MatrixXd covariance = prior_.covariance - gain * gain.transpose() * (predicted.variance() + child.variance());
    return {.mean = prior_.mean + gain * (child.mean() - predicted.mean()), .covariance = covariance};
  }

  const Belief& prior() const { return prior_; }
  /// The numbers at which the function was called last.
  std::vector<double> point(std::size_t k) const {
    std::vector<double> values;
    for (const std::vector<double>& column : values_) values.push_back(column[k]);
    return values;
  }
  /// Error of the parents to be expected of values that are not exact.
  double expected_error() const { return expected_error_; }
  /// Marginal of the parent in a slot: its message times that of the line, given the child and the other parents.
  Message marginal_of(std::size_t slot, const Message& incoming, const Gaussian& child) const {
    const Block& block = blocks_[slot];
    const VectorXd slope = slope_.segment(block.first, block.size);
    VectorXd rest = slope_;
    rest.segment(block.first, block.size).setZero();
    const double value = child.mean() - offset_ - rest.dot(prior_.mean);
    const double weight = 1 / (child.variance() + noise_ + rest.dot(prior_.covariance * rest));
    Message marginal = incoming;
    if (auto* vector = std::get_if<MultivariateGaussian>(&marginal)) {
      vector->observe(std::span(slope.data(), static_cast<std::size_t>(slope.size())), value, weight);
      return marginal;
    }
    return product(marginal, Gaussian::from_natural(slope[0] * value * weight, slope[0] * slope[0] * weight));
  }

 private:
  /// Place of a slot's unknowns among all of them; empty if it is known.
  struct Block {
    Eigen::Index first = 0, size = 0;
  };

  void add_parent(std::size_t slot, const Message& message) {
    if (const auto* known = std::get_if<Point>(&message)) {
      values_.emplace_back(1, known->value);
      return;
    }
    const auto* vector = std::get_if<MultivariateGaussian>(&message);
    if (!vector && !std::holds_alternative<Gaussian>(message))
      refuse(
          factor_.name,
          fmt::format("sigma points need Gaussian parents, but slot {} is a {} variable", slot, family_name(message)),
          kDraw);
    const std::size_t size = vector ? vector->dimension() : 1;
    blocks_[slot] = {.first = static_cast<Eigen::Index>(unknown_.size()), .size = static_cast<Eigen::Index>(size)};
    for (std::size_t i = 0; i < size; ++i) {
      unknown_.push_back(values_.size());
      values_.emplace_back();
    }
  }

  void set_prior(const Block& block, const Message& message) {
    if (const auto* vector = std::get_if<MultivariateGaussian>(&message)) {
      const std::vector<double> mean = vector->mean(), covariance = vector->covariance();
      prior_.mean.segment(block.first, block.size) = Eigen::Map<const VectorXd>(mean.data(), block.size);
      prior_.covariance.block(block.first, block.first, block.size, block.size) =
          Eigen::Map<const MatrixXd>(covariance.data(), block.size, block.size);
    } else if (const auto* gaussian = std::get_if<Gaussian>(&message)) {
      prior_.mean[block.first] = gaussian->mean();
      prior_.covariance(block.first, block.first) = gaussian->variance();
    }
  }

  /// Children of parents in columns.
  VectorXd children_at(const MatrixXd& parents) {
    const auto count = static_cast<std::size_t>(parents.cols());
    for (std::vector<double>& column : values_) column.resize(count, column.empty() ? 0 : column.front());
    for (std::size_t i = 0; i < unknown_.size(); ++i)
      for (std::size_t k = 0; k < count; ++k)
        values_[unknown_[i]][k] = parents(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    VectorXd children(parents.cols());
    const std::span<double> results(children.data(), count);
    try {
      if (factor_.approximate_many)
        expected_error_ = factor_.approximate_many(values_, child_variance_, random_, results);
      else if (factor_.sample_many) factor_.sample_many(values_, random_, results);
      else
        for (std::size_t k = 0; k < count; ++k) results[k] = factor_.sample(point(k), random_);
    } catch (const std::exception& error) {
      refuse(factor_.name, fmt::format("its function failed: {}", error.what()), kDraw);
    }
    for (std::size_t k = 0; k < count; ++k)
      if (!std::isfinite(results[k]))
        refuse(factor_.name, fmt::format("its function returned {} at {}", results[k], fmt::join(point(k), ", ")),
               "Make it finite wherever the incoming messages have mass");
    return children;
  }

  const FactorFunctions& factor_;
  double child_variance_;  // of what is known of the child elsewhere; 0 if nothing is
  Random& random_;
  std::vector<std::vector<double>> values_ = {};  // [number that the function takes][point]
  std::vector<std::size_t> unknown_ = {};         // places of unknown numbers among those
  std::vector<Block> blocks_;                     // [slot]
  Belief prior_;
  VectorXd slope_;
  double offset_ = 0, noise_ = 0, expected_error_ = 0;
};

SigmaPoints::SigmaPoints(FactorFunctions factor, std::size_t parents, const SigmaPointOptions& options)
    : factor_(with_single_draws(std::move(factor))), parents_(parents), options_(options) {
  validate(options);
  if (!factor_.sample)
    throw UsageError(fmt::format("factor '{}': sigma points need a function that gives the child", factor_.name));
}

/// Calls the function twice at one point, once for all messages.
void SigmaPoints::require_no_chance(const std::vector<double>& point) const {
  if (is_checked_) return;
  Random first(1), second(2);
  const double one = factor_.sample(point, first), other = factor_.sample(point, second);
  if (one != other)
    refuse(factor_.name,
           fmt::format("two calls at {} gave {} and {}, but sigma points need a function without chance",
                       fmt::join(point, ", "), one, other),
           kDraw);
  is_checked_ = true;
}

Tilted SigmaPoints::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  FOVEA_CHECK(incoming.size() == slot_count() && slot < slot_count());
  if (const auto* known = std::get_if<Point>(&incoming[0]))
    refuse(factor_.name, fmt::format("its child is known exactly, to be {}", known->value),
           "Observe what depends on the child with some noise");
  if (!std::holds_alternative<Gaussian>(incoming[0]))
    refuse(factor_.name,
           fmt::format("sigma points need a Gaussian child, but it is a {} variable", family_name(incoming[0])), kDraw);
  const auto& child = std::get<Gaussian>(incoming[0]);
  Line line(factor_, incoming, random);
  Line::Belief belief = line.prior();
  line.fit(belief);
  require_no_chance(line.point(0));
  const bool is_informed = child.is_proper();
  for (int i = 0; is_informed && i < options_.iterations; ++i) {
    const Line::Belief next = line.given(child);
    const double moved =
        ((next.mean - belief.mean).array() / next.covariance.diagonal().array().sqrt()).abs().maxCoeff();
    belief = next;
    if (moved < options_.tolerance) break;
    line.fit(belief);
  }
  const Gaussian prediction = line.prediction();
  Tilted result = {.marginal = incoming[slot], .expected_error = line.expected_error()};
  if (is_informed) result.log_mass = log_overlap(prediction, child);
  if (slot == 0) result.marginal = product(incoming[0], Message(prediction));
  else if (is_informed && !std::holds_alternative<Point>(incoming[slot]))
    result.marginal = line.marginal_of(slot, incoming[slot], child);
  return result;
}

}  // namespace fovea::ep
