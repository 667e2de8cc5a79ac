// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fovea/gp/covariance/covariance.h"

namespace fovea::gp {

/// variance x^T y.
struct Linear {
  double variance = 1;
  double operator()(const InnerProducts& p) const { return variance * p.xy; }
  std::vector<double*> parameters() { return {&variance}; }
  std::string text() const;
};

/// variance, for any two items: a function that is constant.
struct Constant {
  double variance = 1;
  double operator()(const InnerProducts&) const { return variance; }
  std::vector<double*> parameters() { return {&variance}; }
  std::string text() const;
};

/// variance exp(-|x - y|^2 / (2 length_scale^2)). For automatic relevance determination: of_scaled_columns().
struct Rbf {
  double variance = 1, length_scale = 1;
  double operator()(const InnerProducts& p) const {
    return variance * std::exp(-.5 * squared_distance(p) / (length_scale * length_scale));
  }
  /// |x - y|^2; rounding never makes it negative.
  static double squared_distance(const InnerProducts& p) { return std::max(0.0, p.xx + p.yy - 2 * p.xy); }
  std::vector<double*> parameters() { return {&variance, &length_scale}; }
  std::string text() const;
};

/// Matern covariance of smoothness (2 half_integer + 1) / 2, half_integer 0, 1 or 2: with r = |x - y| / length_scale,
///   e^-r,  (1 + sqrt3 r) e^(-sqrt3 r),  (1 + sqrt5 r + 5 r^2 / 3) e^(-sqrt5 r)   times the variance.
struct Matern {
  double variance = 1, length_scale = 1;
  int half_integer = 1;
  double operator()(const InnerProducts& p) const {
    const double r = std::sqrt(Rbf::squared_distance(p)) / length_scale, s = std::sqrt(2 * half_integer + 1.0) * r;
    const double polynomial = half_integer == 0 ? 1 : half_integer == 1 ? 1 + s : 1 + s + s * s / 3;
    return variance * polynomial * std::exp(-s);
  }
  std::vector<double*> parameters() { return {&variance, &length_scale}; }
  std::string text() const;
};

/// variance (offset + x^T y)^degree.
struct Polynomial {
  double variance = 1, offset = 1;
  int degree = 2;
  double operator()(const InnerProducts& p) const { return variance * std::pow(offset + p.xy, degree); }
  std::vector<double*> parameters() { return {&variance, &offset}; }
  std::string text() const;
};

/// x^T y / (|x| |y|), 0 if one of them is empty; as a factor it removes the effect of the number of features of an
/// item.
struct Cosine {
  double operator()(const InnerProducts& p) const { return p.xy == 0 ? 0 : p.xy / std::sqrt(p.xx * p.yy); }
  std::string text() const { return "cosine"; }
};

/// Reads sums and products of linear, constant, rbf, matern1/2, matern3/2, matern5/2, polynomial2 ... and cosine, each
/// followed by its parameters in brackets, all optional: "linear(2) + rbf(1, 3)", variance first. Throws UsageError
/// that gives the place of the fault.
Covariance covariance_of_text(const std::string& text);

}  // namespace fovea::gp
