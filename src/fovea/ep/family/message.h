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

/// Message or marginal of any family, as variables and factors of all kinds exchange them.
using Message =
    std::variant<Gaussian, Gamma, Beta, Bernoulli, Poisson, Categorical, Dirichlet, MultivariateGaussian, Point>;

/// Message of the family at this index of the variant.
Message default_of(std::size_t family);
std::string_view family_name(const Message& message);
bool is_proper(const Message& message);  ///< a Point is

// Operations on messages of one family. A Point times anything, over anything or to any power is that Point.
Message product(const Message& a, const Message& b);
Message quotient(const Message& a, const Message& b);
Message power(const Message& p, double exponent);
/// KL(p || q), both proper; of two Points it is 0 if they are equal, else infinite.
double divergence(const Message& p, const Message& q);
/// natural parameters of `message` . E_q[T], that is the expected log kernel without the base measure. q must be proper
/// and of the same family.
double expected_exponent(const Message& message, const Message& q);
/// Number of natural parameters; 1 for a Point.
std::size_t parameter_count(const Message& message);
/// The member m of the family that minimises sum_i weights[i] KL(p_i || m): the one with the mean expected statistics
/// of the p_i. All must be proper and of one family.
struct MomentAverage {
  Message message = {};
  double divergence = 0;  ///< mean of KL(p_i || m)
};
/// Weights are >= 0 and sum to 1; without weights all messages count equally.
MomentAverage moment_average(std::span<const Message> messages, std::span<const double> weights = {});

// Functions of scalar families (Gaussian, Gamma, Beta, Bernoulli, Poisson) and Points; messages must be proper.
bool is_scalar(const Message& message);
double mean_of(const Message& message);
double draw(const Message& message, Random& random);
/// log of the density without its normalizer; for a Point, 0 at its value and -inf elsewhere. Accepts a Categorical
/// too.
double log_kernel(const Message& message, double x);
/// log of the family's base measure: -log x! for a Poisson, else 0. The density of a child includes it, and so does the
/// child's message.
double log_base_measure(const Message& message, double x);
/// log of the integral of the product of two messages, of one family or Points, each normalised if it is proper; 0 if
/// the product is not proper.
double log_overlap(const Message& a, const Message& b);
double log_normalizer(const Message& message);  ///< 0 for a Point and for an improper message

}  // namespace fovea::ep
