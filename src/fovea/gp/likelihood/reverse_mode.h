// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fovea::gp {

class Tape;

/// A number that can be differentiated with respect to the numbers from which it was computed (reverse-mode automatic
/// differentiation): the argument type of a likelihood written as a template. It has arithmetic, comparisons, and exp,
/// log, log1p, sqrt, abs, max, min and log_sum_exp. After `using namespace fovea::gp::math` the same names serve plain
/// numbers.
class Differentiable {
 public:
  Differentiable(double value = 0) : value_(value) {}  // a constant
  double value() const { return value_; }

  friend bool operator==(const Differentiable& a, const Differentiable& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Differentiable& a, const Differentiable& b) { return a.value_ <=> b.value_; }

 private:
  friend class Tape;
  static constexpr std::uint32_t kConstant = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t node_ = kConstant;
  double value_;
};

/// Record of the computations with Differentiable numbers in this thread, in order: one node for each number, with the
/// numbers from which it was computed and its derivatives with respect to them.
class Tape {
 public:
  /// The tape that this thread writes to.
  static Tape& of_thread() {
    static thread_local Tape tape;
    return tape;
  }

  /// Forgets everything.
  void clear() {
    ends_.clear();
    parents_.clear();
    slopes_.clear();
  }

  Differentiable variable(double value) { return node(value); }

  /// A number computed from `arguments`, with these derivatives.
  Differentiable record(double value, std::span<const Differentiable> arguments, std::span<const double> slopes) {
    for (std::size_t i = 0; i < arguments.size(); ++i) add(arguments[i], slopes[i]);
    return node(value);
  }
  Differentiable record(double value, const Differentiable& a, double slope) {
    add(a, slope);
    return node(value);
  }
  Differentiable record(double value, const Differentiable& a, double slope_a, const Differentiable& b,
                        double slope_b) {
    add(a, slope_a);
    add(b, slope_b);
    return node(value);
  }

  /// Derivatives of `result` with respect to the first numbers on the tape: the variables, if they were made first.
  void derivatives(const Differentiable& result, std::span<double> out) {
    adjoints_.assign(ends_.size(), 0);
    if (result.node_ != Differentiable::kConstant) adjoints_[result.node_] = 1;
    for (std::size_t n = ends_.size(); n-- > out.size();)
      for (std::uint32_t e = n == 0 ? 0 : ends_[n - 1]; e < ends_[n]; ++e)
        adjoints_[parents_[e]] += adjoints_[n] * slopes_[e];
    std::copy_n(adjoints_.begin(), out.size(), out.begin());
  }

 private:
  void add(const Differentiable& argument, double slope) {
    if (argument.node_ == Differentiable::kConstant) return;
    parents_.push_back(argument.node_);
    slopes_.push_back(slope);
  }
  Differentiable node(double value) {
    Differentiable number(value);
    number.node_ = static_cast<std::uint32_t>(ends_.size());
    ends_.push_back(static_cast<std::uint32_t>(parents_.size()));
    return number;
  }

  std::vector<std::uint32_t> ends_;     // node n depends on parents_[ends_[n - 1] .. ends_[n])
  std::vector<std::uint32_t> parents_;  // nodes
  std::vector<double> slopes_;          // derivatives with respect to them
  std::vector<double> adjoints_;
};

inline Differentiable operator+(const Differentiable& a, const Differentiable& b) {
  return Tape::of_thread().record(a.value() + b.value(), a, 1, b, 1);
}
inline Differentiable operator-(const Differentiable& a, const Differentiable& b) {
  return Tape::of_thread().record(a.value() - b.value(), a, 1, b, -1);
}
inline Differentiable operator*(const Differentiable& a, const Differentiable& b) {
  return Tape::of_thread().record(a.value() * b.value(), a, b.value(), b, a.value());
}
inline Differentiable operator/(const Differentiable& a, const Differentiable& b) {
  const double quotient = a.value() / b.value();
  return Tape::of_thread().record(quotient, a, 1 / b.value(), b, -quotient / b.value());
}
inline Differentiable operator-(const Differentiable& a) { return Tape::of_thread().record(-a.value(), a, -1); }
inline Differentiable& operator+=(Differentiable& a, const Differentiable& b) { return a = a + b; }
inline Differentiable& operator-=(Differentiable& a, const Differentiable& b) { return a = a - b; }
inline Differentiable& operator*=(Differentiable& a, const Differentiable& b) { return a = a * b; }
inline Differentiable& operator/=(Differentiable& a, const Differentiable& b) { return a = a / b; }

/// Functions of plain and of differentiable numbers, under the same names.
namespace math {

using std::abs;
using std::exp;
using std::log;
using std::log1p;
using std::max;
using std::min;
using std::sqrt;

inline Differentiable exp(const Differentiable& a) {
  const double value = std::exp(a.value());
  return Tape::of_thread().record(value, a, value);
}
inline Differentiable log(const Differentiable& a) {
  return Tape::of_thread().record(std::log(a.value()), a, 1 / a.value());
}
inline Differentiable log1p(const Differentiable& a) {
  return Tape::of_thread().record(std::log1p(a.value()), a, 1 / (1 + a.value()));
}
inline Differentiable sqrt(const Differentiable& a) {
  const double root = std::sqrt(a.value());
  return Tape::of_thread().record(root, a, .5 / root);
}
inline Differentiable abs(const Differentiable& a) { return a.value() < 0 ? -a : a; }

/// log sum_i exp(a_i); -inf for an empty sum.
inline double log_sum_exp(std::span<const double> terms) {
  if (terms.empty()) return -std::numeric_limits<double>::infinity();
  const double highest = *std::max_element(terms.begin(), terms.end());
  if (!std::isfinite(highest)) return highest;
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - highest);
  return highest + std::log(sum);
}
inline Differentiable log_sum_exp(std::span<const Differentiable> terms) {
  static thread_local std::vector<double> values;
  values.clear();
  for (const Differentiable& term : terms) values.push_back(term.value());
  const double result = log_sum_exp(values);
  for (double& value : values) value = std::exp(value - result);  // now the derivatives
  return Tape::of_thread().record(result, terms, values);
}

}  // namespace math

}  // namespace fovea::gp
