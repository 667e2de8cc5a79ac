// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "fovea/ep/family/message.h"

namespace fovea::ep {

/// The moments by which scalar marginals are projected onto a family: E[x] and E[x^2] for Gaussian and Beta, E[x] and
/// E[log x] for Gamma, E[x] for Bernoulli and Poisson.
class MomentProjection {
 public:
  using Moments = std::array<double, 2>;  ///< the second is 0 where there is one

  /// Squares are about `centre`, which should be near to the mean.
  MomentProjection(const Message& like, double centre) : like_(&like), centre_(centre) {}

  std::size_t size() const;
  Moments at(double x) const;
  Moments expected(const Message& message) const;  ///< under a proper one of the family
  /// Functions of x with mean 0 under a proper message of the family, the moments' own among them: what is known of
  /// draws from it. Four Hermite polynomials of a Gaussian, else size() and zeros.
  using Controls = std::array<double, 4>;
  class ControlsOf {
   public:
    ControlsOf(const MomentProjection& projection, const Message& message);
    Controls at(double x) const;

   private:
    const MomentProjection* projection_;
    Moments expected_;
    double mean_ = 0, scale_ = 0;  // 1 / standard deviation of a Gaussian, else 0
  };

  /// The member of the family with these moments; not proper where there is none.
  Message from(const Moments& moments) const;

 private:
  const Message* like_;
  double centre_;
};

}  // namespace fovea::ep
