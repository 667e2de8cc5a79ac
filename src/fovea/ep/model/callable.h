// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <span>
#include <utility>

#include "fovea/base/random.h"

namespace fovea::ep {

/// Any callable on doubles (at most four, or a span of them), as a user writes it:
/// `[](double x, auto& random) { return ...; }`, `[](double x, double y) { return ...; }`.
class Callable {
 public:
  Callable() = default;

  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, Callable>)
      Callable(F function) {  // NOLINT: an implicit conversion is the point
    if constexpr (requires(std::span<const double> x, Random & r) {
                    { function(x, r) } -> std::convertible_to<double>;
                  })
      call_ = std::move(function);
    else if constexpr (requires(std::span<const double> x) {
                         { function(x) } -> std::convertible_to<double>;
                       })
      call_ = [function](std::span<const double> x, Random&) { return double(function(x)); };
    else take<0>(std::move(function));
  }

  explicit operator bool() const { return static_cast<bool>(call_); }
  /// Number of doubles that the callable takes; -1 if it takes any number.
  int arity() const { return arity_; }
  double operator()(std::span<const double> x, Random& random) const { return call_(x, random); }

 private:
  static constexpr std::size_t kMost = 4;

  template <std::size_t>
  using Double = double;

  template <std::size_t N, class F>
  void take(F function) {
    static_assert(N <= kMost, "a factor's function takes at most 4 doubles, or a span of them, and maybe a Random&");
    if constexpr (N <= kMost) {
      if constexpr (takes<F>(std::make_index_sequence<N>())) take_some(function, std::make_index_sequence<N>());
      else take<N + 1>(std::move(function));
    }
  }

  template <class F, std::size_t... I>
  static consteval bool takes(std::index_sequence<I...>) {
    return std::is_invocable_r_v<double, F, Double<I>..., Random&> || std::is_invocable_r_v<double, F, Double<I>...>;
  }

  template <class F, std::size_t... I>
  void take_some(const F& function, std::index_sequence<I...>) {
    if constexpr (std::is_invocable_r_v<double, F, Double<I>..., Random&>)
      call_ = [function](std::span<const double> x, Random& random) { return double(function(x[I]..., random)); };
    else call_ = [function](std::span<const double> x, Random&) { return double(function(x[I]...)); };
    arity_ = static_cast<int>(sizeof...(I));
  }

  std::function<double(std::span<const double>, Random&)> call_;
  int arity_ = -1;
};

}  // namespace fovea::ep
