// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>

namespace fovea::mcmc {

/// The change made by a proposal y -> y': size() factors, each with difference(j) = f_j(y') - f_j(y) in the log domain,
/// -inf where a hard constraint breaks. The reverse proposal changes the same factors, with opposite signs.
template <class Change>
concept FactorChange = requires(const Change& change, std::size_t j) {
  { change.size() } -> std::convertible_to<std::size_t>;
  { change.difference(j) } -> std::convertible_to<double>;
};

/// A change whose first vanishing() factors are present in y only, the others in y' only: two strata, whose differences
/// are of opposite signs where factors agree.
template <class Change>
concept StratifiedChange = FactorChange<Change> && requires(const Change& change) {
  { change.vanishing() } -> std::convertible_to<std::size_t>;
};

/// A change for which |difference(j)| <= bound() is known to hold.
template <class Change>
concept BoundedChange = FactorChange<Change> && requires(const Change& change) {
  { change.bound() } -> std::convertible_to<double>;
};

/// A change for which the sum of |difference(i)| over all i >= j is known to be at most rest_bound(j).
template <class Change>
concept RestBoundedChange = BoundedChange<Change> && requires(const Change& change, std::size_t j) {
  { change.rest_bound(j) } -> std::convertible_to<double>;
};

/// A change for which one difference(j) at random takes as long as draw_cost() consecutive ones in sum().
template <class Change>
concept DrawnChange = FactorChange<Change> && requires(const Change& change) {
  { change.draw_cost() } -> std::convertible_to<double>;
};

/// The sum of all differences, from grouped statistics.
struct GroupedSum {
  double sum = 0;
  std::size_t factors = 0;  ///< differences evaluated one by one, where that was cheaper
  std::size_t lookups = 0;  ///< reads of statistics, each of which stands for any number of factors
};

/// A change whose sum of differences can be computed from grouped statistics, at the cost of grouped_cost() factors.
template <class Change>
concept GroupedChange = FactorChange<Change> && requires(const Change& change) {
  { change.grouped() } -> std::same_as<GroupedSum>;
  { change.grouped_cost() } -> std::convertible_to<std::size_t>;
};

/// Outcome of a proposal, and the work that the decision took.
struct Decision {
  bool accepted = false;
  std::size_t factors = 0;  ///< differences evaluated
  std::size_t lookups = 0;  ///< reads of grouped statistics, which stand for any number of factors
};

/// A half-open range of factors.
struct FactorRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// The two strata of a change; the first is empty unless it is a StratifiedChange.
template <FactorChange Change>
std::array<FactorRange, 2> strata_of(const Change& change) {
  std::size_t split = 0;
  if constexpr (StratifiedChange<Change>) split = change.vanishing();
  return {{{0, split}, {split, change.size()}}};
}

/// The sum of some differences, by the change's own sum() if it has one; -inf if one of them is.
template <FactorChange Change>
double sum_of_differences(const Change& change, FactorRange range) {
  if constexpr (requires { change.sum(range); }) return change.sum(range);
  double sum = 0;
  for (std::size_t j = range.begin; j < range.end; ++j) {
    const double difference = change.difference(j);
    if (difference == -std::numeric_limits<double>::infinity()) return difference;
    sum += difference;
  }
  return sum;
}

/// The sum of all differences.
template <FactorChange Change>
double total_difference(const Change& change) {
  return sum_of_differences(change, {0, change.size()});
}

/// The Metropolis-Hastings draw: true with probability min(1, exp(log_ratio)).
template <class Random>
bool accepts(double log_ratio, Random& random) {
  return log_ratio >= 0 || random.bernoulli_log(log_ratio);
}

}  // namespace fovea::mcmc
