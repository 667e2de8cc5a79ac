// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "fovea/base/error.h"

namespace fovea::ep {

/// A message or marginal with natural parameters,
///
///   p(x) = base(x) exp(natural . T(x) - log_normalizer()).
///
/// Products add natural parameters, quotients subtract them; the uniform message has all parameters 0. Messages may be
/// improper. They then have natural parameters only, and code that needs more must check is_proper() first.
template <class Self, class P>
struct ExponentialFamily {
  using Parameters = P;  // an array, or a vector where sizes are known at run time

  Parameters natural{};

  /// Product of two messages; both must be about variables of the same size. So must those of the quotient.
  friend Self operator*(Self a, const Self& b) {
    FOVEA_CHECK(a.natural.size() == b.natural.size());
    for (std::size_t i = 0; i < a.natural.size(); ++i) a.natural[i] += b.natural[i];
    return a;
  }
  friend Self operator/(Self a, const Self& b) {
    FOVEA_CHECK(a.natural.size() == b.natural.size());
    for (std::size_t i = 0; i < a.natural.size(); ++i) a.natural[i] -= b.natural[i];
    return a;
  }
  /// p^exponent: damping is power(old, 1 - d) * power(updated, d).
  friend Self power(Self a, double exponent) {
    for (double& parameter : a.natural) parameter *= exponent;
    return a;
  }
  friend bool operator==(const ExponentialFamily&, const ExponentialFamily&) = default;
};

/// Requirements on every family in this folder: a value type that is cheap to copy.
template <class F>
concept Family = std::regular<F> && requires(const F p, const F q, typename F::Parameters statistics) {
  { p* q } -> std::same_as<F>;
  { p / q } -> std::same_as<F>;
  { power(p, .5) } -> std::same_as<F>;
  { p.is_proper() } -> std::same_as<bool>;
  { p.log_normalizer() } -> std::same_as<double>;
  /// E[T(x)], the derivative of the log normalizer; for proper messages only.
  { p.expected_statistics() } -> std::same_as<typename F::Parameters>;
  /// The member of the family with these expected statistics (moment matching).
  { F::from_expected_statistics(statistics) } -> std::same_as<F>;
  { F::kName } -> std::convertible_to<const char*>;
};

/// KL(p || q) = (natural_p - natural_q) . E_p[T] - A(p) + A(q). Both must be proper. Never below 0.
template <Family F>
double kl_divergence(const F& p, const F& q) {
  const auto statistics = p.expected_statistics();
  double sum = q.log_normalizer() - p.log_normalizer();
  for (std::size_t i = 0; i < statistics.size(); ++i) sum += (p.natural[i] - q.natural[i]) * statistics[i];
  return sum > 0 ? sum : 0;
}

}  // namespace fovea::ep
