// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/dot.h"

#include <cmath>
#include <numbers>

#include "fovea/base/error.h"
#include "fovea/ep/operators/moments.h"

namespace fovea::ep {

MultivariateGaussian::Projection DotOperator::along(const Message& w) const {
  MultivariateGaussian::Projection result = std::get<MultivariateGaussian>(w).along(x_);
  result.mean += offset_;
  return result;
}

Tilted DotOperator::tilted(std::size_t slot, std::span<const Message> incoming, Random&) const {
  const MultivariateGaussian::Projection predicted = along(incoming[1]);
  const Gaussian told = Gaussian::from_mean_variance(predicted.mean, predicted.variance + noise_variance_);
  Tilted result = {.marginal = incoming[slot], .log_mass = log_overlap(told, incoming[0])};
  if (slot == 0) {
    result.marginal = product(incoming[0], told);
    return result;
  }
  const double spread = variance_of(incoming[0]) + noise_variance_;
  if (spread == 0)
    throw InputError({}, "factor 'dot': its child is known and its noise has variance 0, so its vector has no density",
                     "Give it a noise variance above 0");
  std::get<MultivariateGaussian>(result.marginal).observe(x_, mean_of(incoming[0]) - offset_, 1 / spread);
  return result;
}

std::optional<Variational> DotOperator::variational(std::size_t slot, std::span<const Message> marginals) const {
  if (noise_variance_ == 0) return std::nullopt;
  const MultivariateGaussian::Projection predicted = along(marginals[1]);
  const double y = mean_of(marginals[0]), gap = y - predicted.mean;
  Variational result = {.expected_log =
                            -.5 * (std::log(2 * std::numbers::pi * noise_variance_) +
                                   (gap * gap + variance_of(marginals[0]) + predicted.variance) / noise_variance_)};
  if (slot == 0) result.message = Gaussian::from_mean_variance(predicted.mean, noise_variance_);
  else {
    MultivariateGaussian to_w = MultivariateGaussian::uniform(x_.size());
    to_w.observe(x_, y - offset_, 1 / noise_variance_);
    result.message = std::move(to_w);
  }
  return result;
}

}  // namespace fovea::ep
