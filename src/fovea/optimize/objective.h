// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace fovea::optimize {

/// A differentiable function to be minimised.
///
///   F::Real               float or double: the type of the parameters
///   dimension()           number of parameters
///   evaluate(x, g)        returns f(x) and writes df/dx into g (both dimension() long). Deterministic: the same x
///                         gives the same bits. May return +inf or NaN where f is not defined; line searches then
///                         back off.
template <class F>
concept Objective = requires(F& f, std::span<const typename F::Real> x, std::span<typename F::Real> g) {
  { f.dimension() } -> std::convertible_to<std::size_t>;
  { f.evaluate(x, g) } -> std::convertible_to<double>;
};

}  // namespace fovea::optimize
