// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/moment_projection.h"

#include <cmath>
#include <concepts>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

template <class F>
concept BySquares = std::same_as<F, Gaussian> || std::same_as<F, Beta>;
template <class F>
concept ByMean = std::same_as<F, Bernoulli> || std::same_as<F, Poisson>;

/// Calls `each` with the message as its family, which must be scalar.
template <class Result, class Each>
Result visit_scalar(const Message& message, const Each& each) {
  return std::visit(
      [&]<class F>(const F& p) -> Result {
        if constexpr (BySquares<F> || ByMean<F> || std::same_as<F, Gamma>) return each(p);
        else {
          FOVEA_CHECK(!"a scalar family");
          return {};
        }
      },
      message);
}

}  // namespace

std::size_t MomentProjection::size() const {
  return visit_scalar<std::size_t>(*like_, []<class F>(const F&) { return ByMean<F> ? 1U : 2U; });
}

MomentProjection::Moments MomentProjection::at(double x) const {
  return visit_scalar<Moments>(*like_, [&]<class F>(const F&) -> Moments {
    if constexpr (BySquares<F>) return {x - centre_, (x - centre_) * (x - centre_)};
    else if constexpr (ByMean<F>) return {x, 0};
    else return {x, std::log(x)};
  });
}

MomentProjection::Moments MomentProjection::expected(const Message& message) const {
  return visit_scalar<Moments>(message, [&]<class F>(const F& p) -> Moments {
    if constexpr (BySquares<F>) {
      const double shift = p.mean() - centre_;
      return {shift, p.variance() + shift * shift};
    } else if constexpr (std::same_as<F, Bernoulli>) return {p.probability(), 0};
    else if constexpr (std::same_as<F, Poisson>) return {p.mean(), 0};
    else return {p.mean(), p.expected_logarithm()};
  });
}

MomentProjection::ControlsOf::ControlsOf(const MomentProjection& projection, const Message& message)
    : projection_(&projection), expected_(projection.expected(message)) {
  if (const auto* gaussian = std::get_if<Gaussian>(&message)) {
    mean_ = gaussian->mean();
    scale_ = std::sqrt(gaussian->precision());
  }
}

MomentProjection::Controls MomentProjection::ControlsOf::at(double x) const {
  if (scale_ == 0) {
    const Moments moments = projection_->at(x);
    return {moments[0] - expected_[0], moments[1] - expected_[1], 0, 0};
  }
  const double z = (x - mean_) * scale_, square = z * z;
  return {z, square - 1, z * (square - 3), square * (square - 6) + 3};
}

Message MomentProjection::from(const Moments& moments) const {
  return visit_scalar<Message>(*like_, [&]<class F>(const F&) -> Message {
    if constexpr (BySquares<F>)
      return F::from_mean_variance(centre_ + moments[0], moments[1] - moments[0] * moments[0]);
    else if constexpr (std::same_as<F, Bernoulli>) return Bernoulli::from_probability(moments[0]);
    else if constexpr (std::same_as<F, Poisson>) return Poisson::from_mean(moments[0]);
    else
      return moments[1] < std::log(moments[0]) ? Gamma::from_expected_logarithm(moments[0], moments[1])
                                               : Gamma::from_shape_rate(0, 0);
  });
}

}  // namespace fovea::ep
