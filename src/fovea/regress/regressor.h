// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fovea::regress {

/// One example: the features to split on (`tree`), the inputs of the regression, and its target.
struct RegressionExample {
  std::vector<double> tree, inputs, target;
  double chance = 0;  ///< the residual to expect of a perfect prediction, because targets are noisy
};

/// Error of a prediction for an example, 0 or more.
using RegressionResidual = std::function<double(const RegressionExample& example, std::span<const double> predicted)>;

/// Predictions of the members of an ensemble, and the error that each expects of itself. Keeps its memory for reuse.
class Votes {
 public:
  std::size_t count() const { return doubt_.size(); }
  std::span<const double> predicted(std::size_t vote) const { return {values_.data() + vote * outputs_, outputs_}; }
  /// The residual that this vote expects of itself; infinite if it knows nothing.
  double doubt(std::size_t vote) const { return doubt_[vote]; }

  void clear(std::size_t outputs) {
    outputs_ = outputs;
    values_.clear();
    doubt_.clear();
  }
  /// Adds a vote and returns the memory for its prediction.
  std::span<double> add() {
    doubt_.push_back(0);
    values_.resize(doubt_.size() * outputs_);
    return {values_.data() + (doubt_.size() - 1) * outputs_, outputs_};
  }
  void set_doubt(double doubt) { doubt_.back() = doubt; }  ///< of the last vote

 private:
  std::size_t outputs_ = 0;
  std::vector<double> values_, doubt_;
};

/// Learns one example at a time and expects large errors on examples unlike those that it has seen. The same examples
/// in the same order make the same regressor. Reading is thread-safe while nothing is added.
class Regressor {
 public:
  virtual ~Regressor() = default;

  /// Adds an example; all must have the sizes of the first.
  virtual void add(const RegressionExample& example) = 0;

  /// Sets `votes`; there are no votes while nothing is known.
  virtual void predict(std::span<const double> tree, std::span<const double> inputs, Votes& votes) const = 0;
};

}  // namespace fovea::regress
