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
  using Moments = std::array<double, 2>;  ///< the second is 0 if there is only one

  /// Squares are taken around `centre`, which should be near the mean.
  MomentProjection(const Message& like, double centre) : like_(&like), centre_(centre) {}

  std::size_t size() const;
  Moments at(double x) const;
  Moments expected(const Message& message) const;  ///< under a proper message of the family
  /// Functions of x that have mean 0 under a proper message of the family, including the moments themselves: known
  /// facts about draws from it. Four Hermite polynomials for a Gaussian, else size() functions and zeros.
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

  /// The member of the family with these moments; improper if no member has them.
  Message from(const Moments& moments) const;

 private:
  const Message* like_;
  double centre_;
};

}  // namespace fovea::ep
