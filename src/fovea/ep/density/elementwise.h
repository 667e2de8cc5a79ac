// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fovea::ep {

/// A function of one number, applied to each number of an array.
enum class Unary {
  kNegate,
  kExp,
  kLog,
  kLog1p,
  kExpm1,
  kSqrt,
  kSquare,
  kReciprocal,
  kAbs,
  kStep,  ///< 1 from 0 on, else 0; flat
  kSin,
  kCos,
  kTanh,
  kLogistic,     ///< 1 / (1 + exp(-x))
  kSoftplus,     ///< log(1 + exp(x))
  kLogGamma,     ///< of x > 0
  kNormalCdf,    ///< of the standard normal distribution
  kLogNormalCdf  ///< its logarithm, also far below 0
};

/// A function of two numbers, applied to the numbers of two arrays at the same place.
enum class Binary {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,     ///< a^b: of a > 0, or of a whole b that is known
  kAddLogs,   ///< log(exp(a) + exp(b))
  kTimesLog,  ///< a log(b); 0 where a = 0, for b >= 0
  kEqual      ///< 1 where a = b, else 0; flat
};

double value_of(Unary function, double x);
double value_of(Binary function, double a, double b);

/// results[i] = function(x[i]).
void evaluate(Unary function, std::span<const double> x, std::span<double> results);
/// The same of two arrays; one of a single number stands for as many as needed.
void evaluate(Binary function, std::span<const double> a, std::span<const double> b, std::span<double> results);

/// Adds to slopes_x the derivatives by x of a sum whose derivatives by results[i] = function(x[i]) are slopes[i].
void add_slopes(Unary function, std::span<const double> x, std::span<const double> results,
                std::span<const double> slopes, std::span<double> slopes_x);
/// The same of two arrays. An empty slopes_a or slopes_b is not wanted; one of a single number gets the sum.
void add_slopes(Binary function, std::span<const double> a, std::span<const double> b, std::span<const double> results,
                std::span<const double> slopes, std::span<double> slopes_a, std::span<double> slopes_b);

}  // namespace fovea::ep
