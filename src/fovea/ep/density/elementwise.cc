// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/elementwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fovea/base/log_math.h"
#include "fovea/ep/density/fast_functions.h"
#include "fovea/ep/family/gamma.h"
#include "fovea/ep/operators/truncation.h"

namespace fovea::ep {
namespace {

double normal_density(double x) { return std::exp(-.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

/// Derivative of a log(b). Where log(b) is -infinity, a step of a state that is summed out may have the weight 0 there:
/// 0 keeps the product from NaN.
double slope_of_log(double a, double b) { return b == 0 ? 0 : a / b; }

double times_of_log(double a, double b, double log_b) { return a == 0 && b >= 0 ? 0 : a * log_b; }

/// Calls use(value(x), slope(x, value)) with the two functions of a Unary, so that loops over arrays do not branch.
template <class Use>
void with_functions(Unary function, const Use& use) {
  switch (function) {
    case Unary::kNegate:
      return use([](double x) { return -x; }, [](double, double) { return -1.; });
    case Unary::kExp:
      return use([](double x) { return std::exp(x); }, [](double, double y) { return y; });
    case Unary::kLog:
      return use([](double x) { return std::log(x); }, [](double x, double) { return slope_of_log(1, x); });
    case Unary::kLog1p:
      return use([](double x) { return std::log1p(x); }, [](double x, double) { return slope_of_log(1, 1 + x); });
    case Unary::kExpm1:
      return use([](double x) { return std::expm1(x); }, [](double, double y) { return y + 1; });
    case Unary::kSqrt:
      return use([](double x) { return std::sqrt(x); }, [](double, double y) { return .5 / y; });
    case Unary::kSquare:
      return use([](double x) { return x * x; }, [](double x, double) { return 2 * x; });
    case Unary::kReciprocal:
      return use([](double x) { return 1 / x; }, [](double, double y) { return -y * y; });
    case Unary::kAbs:
      return use([](double x) { return std::abs(x); }, [](double x, double) { return x < 0 ? -1. : 1.; });
    case Unary::kStep:
      return use([](double x) { return x >= 0 ? 1. : 0.; }, [](double, double) { return 0.; });
    case Unary::kSin:
      return use([](double x) { return std::sin(x); }, [](double x, double) { return std::cos(x); });
    case Unary::kCos:
      return use([](double x) { return std::cos(x); }, [](double x, double) { return -std::sin(x); });
    case Unary::kTanh:
      return use([](double x) { return std::tanh(x); }, [](double, double y) { return 1 - y * y; });
    case Unary::kLogistic:
      return use([](double x) { return sigmoid(x); }, [](double, double y) { return y * (1 - y); });
    case Unary::kSoftplus:
      return use([](double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); },
                 [](double x, double) { return sigmoid(x); });
    case Unary::kLogGamma:
      return use([](double x) { return std::lgamma(x); }, [](double x, double) { return digamma(x); });
    case Unary::kNormalCdf:
      return use([](double x) { return .5 * std::erfc(-x / std::numbers::sqrt2); },
                 [](double x, double) { return normal_density(x); });
    case Unary::kLogNormalCdf:
      return use([](double x) { return log_normal_cdf(x); },
                 [](double x, double y) { return std::exp(-.5 * x * x - y) / std::sqrt(2 * std::numbers::pi); });
  }
}

/// The same for a Binary: value(a, b), and the slopes by a and by b.
template <class Use>
void with_functions(Binary function, const Use& use) {
  const auto one = [](double, double, double) { return 1.; };
  switch (function) {
    case Binary::kAdd:
      return use([](double a, double b) { return a + b; }, one, one);
    case Binary::kSubtract:
      return use([](double a, double b) { return a - b; }, one, [](double, double, double) { return -1.; });
    case Binary::kMultiply:
      return use([](double a, double b) { return a * b; }, [](double, double b, double) { return b; },
                 [](double a, double, double) { return a; });
    case Binary::kDivide:
      return use([](double a, double b) { return a / b; }, [](double, double b, double) { return 1 / b; },
                 [](double, double b, double y) { return -y / b; });
    case Binary::kPower:
      return use([](double a, double b) { return std::pow(a, b); },
                 [](double a, double b, double) { return b == 0 ? 0 : b * std::pow(a, b - 1); },
                 [](double a, double, double y) { return y * std::log(a); });
    case Binary::kAddLogs:
      return use([](double a, double b) { return add_logs(a, b); },
                 [](double a, double, double y) { return y == -kInfinity ? 0 : std::exp(a - y); },
                 [](double, double b, double y) { return y == -kInfinity ? 0 : std::exp(b - y); });
    case Binary::kTimesLog:
      return use([](double a, double b) { return times_of_log(a, b, std::log(b)); },
                 [](double, double b, double) { return std::log(b); },
                 [](double a, double b, double) { return slope_of_log(a, b); });
    case Binary::kEqual: {
      const auto flat = [](double, double, double) { return 0.; };
      return use([](double a, double b) { return a == b ? 1. : 0.; }, flat, flat);
    }
  }
}

/// Number i of an array, or the one that stands for all.
template <bool kIsOne>
struct Numbers {
  const double* first;
  double operator[](std::size_t i) const { return kIsOne ? *first : first[i]; }
};

/// Calls use(a, b) with arrays of one number told apart from others, so that loops over them do not branch.
template <class Use>
void with_numbers(std::span<const double> a, std::span<const double> b, const Use& use) {
  if (a.size() == 1 && b.size() == 1) use(Numbers<true>{a.data()}, Numbers<true>{b.data()});
  else if (a.size() == 1) use(Numbers<true>{a.data()}, Numbers<false>{b.data()});
  else if (b.size() == 1) use(Numbers<false>{a.data()}, Numbers<true>{b.data()});
  else use(Numbers<false>{a.data()}, Numbers<false>{b.data()});
}

/// Adds term(i) to slopes[i], or all of them to the only one.
template <class Term>
void add_terms(std::span<double> slopes, std::size_t size, const Term& term) {
  if (slopes.size() == 1) {
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += term(i + k);
    for (; i < size; ++i) sums[0] += term(i);
    slopes[0] += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    return;
  }
  double* const to = slopes.data();
  for (std::size_t i = 0; i < size; ++i) to[i] += term(i);
}

/// True if the function was one of the fast ones.
bool evaluate_fast(Unary function, std::span<const double> x, std::span<double> results) {
  switch (function) {
    case Unary::kExp:
      exp_of(x, results);
      return true;
    case Unary::kLog:
      log_of(x, results);
      return true;
    case Unary::kLog1p:
      log1p_of(x, results);
      return true;
    case Unary::kLogistic:
      logistic_of(x, results);
      return true;
    case Unary::kSoftplus:
      softplus_of(x, results);
      return true;
    default:
      return false;
  }
}

}  // namespace

double value_of(Unary function, double x) {
  double result = 0;
  evaluate(function, {&x, 1}, {&result, 1});
  return result;
}

double value_of(Binary function, double a, double b) {
  double result = 0;
  evaluate(function, {&a, 1}, {&b, 1}, {&result, 1});
  return result;
}

void evaluate(Unary function, std::span<const double> x, std::span<double> results) {
  if (evaluate_fast(function, x, results)) return;
  with_functions(function, [&](const auto& value, const auto&) {
    double* const to = results.data();
    for (std::size_t i = 0; i < results.size(); ++i) to[i] = value(x[i]);
  });
}

void evaluate(Binary function, std::span<const double> a, std::span<const double> b, std::span<double> results) {
  if (function == Binary::kTimesLog && b.size() == results.size() && a.data() != results.data() &&
      b.data() != results.data()) {
    log_of(b, results);
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = times_of_log(a[a.size() == 1 ? 0 : i], b[i], results[i]);
    return;
  }
  with_functions(function, [&](const auto& value, const auto&, const auto&) {
    with_numbers(a, b, [&](const auto& of_a, const auto& of_b) {
      double* const to = results.data();
      for (std::size_t i = 0; i < results.size(); ++i) to[i] = value(of_a[i], of_b[i]);
    });
  });
}

void add_slopes(Unary function, std::span<const double> x, std::span<const double> results,
                std::span<const double> slopes, std::span<double> slopes_x) {
  if (function == Unary::kSoftplus) {
    std::array<double, 256> shares;
    for (std::size_t first = 0; first < x.size(); first += shares.size()) {
      const std::size_t count = std::min(shares.size(), x.size() - first);
      logistic_of(x.subspan(first, count), std::span(shares).first(count));
      for (std::size_t i = 0; i < count; ++i) slopes_x[first + i] += slopes[first + i] * shares[i];
    }
    return;
  }
  with_functions(function, [&](const auto&, const auto& slope) {
    add_terms(slopes_x, results.size(), [&](std::size_t i) { return slopes[i] * slope(x[i], results[i]); });
  });
}

void add_slopes(Binary function, std::span<const double> a, std::span<const double> b, std::span<const double> results,
                std::span<const double> slopes, std::span<double> slopes_a, std::span<double> slopes_b) {
  with_functions(function, [&](const auto&, const auto& by_a, const auto& by_b) {
    with_numbers(a, b, [&](const auto& of_a, const auto& of_b) {
      if (!slopes_a.empty())
        add_terms(slopes_a, results.size(),
                  [&](std::size_t i) { return slopes[i] * by_a(of_a[i], of_b[i], results[i]); });
      if (!slopes_b.empty())
        add_terms(slopes_b, results.size(),
                  [&](std::size_t i) { return slopes[i] * by_b(of_a[i], of_b[i], results[i]); });
    });
  });
}

}  // namespace fovea::ep
