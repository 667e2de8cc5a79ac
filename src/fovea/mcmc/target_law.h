// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

namespace fovea::mcmc {

/// Effect of a kernel or schedule on the target distribution p, stated by its type as `using TargetLaw = ...`. Reports
/// print a guarantee only where it holds.

/// p is stationary: long runs give marginals of p.
struct Invariant {};
/// The chain has a stationary law of its own, which is known exactly (restarts).
struct OwnStationaryLaw {};
/// The law is close to p, within a bound that the kernel states.
struct Approximate {};
/// The aim is to reach good assignments fast. Choosing where to sample by the current values changes the stationary
/// law: on a model of 27 states the gap is 2.4e-2, against 2.8e-17 for a fixed order.
struct Heuristic {};

/// The law of running `Kernel` under `Schedule`: invariant only if both are.
template <class Kernel, class Schedule>
struct LawOf {
  using type = std::conditional_t<std::same_as<typename Schedule::TargetLaw, Invariant>, typename Kernel::TargetLaw,
                                  typename Schedule::TargetLaw>;
};

template <class Kernel, class Schedule>
inline constexpr bool kLeavesTargetInvariant = std::same_as<typename LawOf<Kernel, Schedule>::type, Invariant>;

/// A Markov chain whose draws may be averaged into marginals of p.
template <class Chain>
concept InvariantChain = std::same_as<typename Chain::TargetLaw, Invariant>;

}  // namespace fovea::mcmc
