// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>

#include "fovea/base/random.h"
#include "fovea/ep/family/beta.h"
#include "fovea/ep/family/dirichlet.h"
#include "fovea/ep/family/discrete.h"
#include "fovea/ep/family/gamma.h"
#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/family/multivariate_gaussian.h"

namespace fovea::ep {

/// A known value of a scalar variable.
struct Point {
  static constexpr const char* kName = "point";
  double value = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// A message or marginal of any family: what variables and factors of all kinds exchange.
using Message =
    std::variant<Gaussian, Gamma, Beta, Bernoulli, Poisson, Categorical, Dirichlet, MultivariateGaussian, Point>;

/// A message of the family at this place of the variant.
Message default_of(std::size_t family);
std::string_view family_name(const Message& message);
bool is_proper(const Message& message);  ///< a Point is

// Of messages of one family. A Point times anything, over anything or to any power is that Point.
Message product(const Message& a, const Message& b);
Message quotient(const Message& a, const Message& b);
Message power(const Message& p, double exponent);
/// KL(p || q), both proper; 0 of equal Points, infinite of others.
double divergence(const Message& p, const Message& q);
/// natural parameters of `message` . E_q[T], q proper and of its family: the mean of its log kernel, but for the base
/// measure.
double expected_exponent(const Message& message, const Message& q);
/// How many natural parameters it has: 1 of a Point.
std::size_t parameter_count(const Message& message);
/// The member m that minimises sum_i weights[i] KL(p_i || m): that with their mean expected statistics. All proper, of
/// one family.
struct MomentAverage {
  Message message = {};
  double divergence = 0;  ///< mean of KL(p_i || m)
};
/// Weights are >= 0 and sum to 1; without any all weigh the same.
MomentAverage moment_average(std::span<const Message> messages, std::span<const double> weights = {});

// Of scalar families (Gaussian, Gamma, Beta, Bernoulli, Poisson) and Points; proper.
bool is_scalar(const Message& message);
double mean_of(const Message& message);
double draw(const Message& message, Random& random);
/// log of the density without its normalizer: 0 of a Point at its value, -inf elsewhere. Of a Categorical too.
double log_kernel(const Message& message, double x);
/// log of the family's base measure: -log x! of a Poisson, else 0. A density of a child counts it, as its message does.
double log_base_measure(const Message& message, double x);
/// log of the integral of their product, of one family or Points, each normalised where it is proper; 0 where the
/// product is not proper.
double log_overlap(const Message& a, const Message& b);
double log_normalizer(const Message& message);  ///< 0 of a Point, and of what is not proper

}  // namespace fovea::ep
