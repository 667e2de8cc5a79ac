// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/pseudo_likelihood.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/gp/likelihood/chain_likelihood.h"

namespace fovea::gp {
namespace {

/// Turns scores into probabilities; returns log p of `chosen`.
double softmax(std::vector<double>& scores, Value chosen) {
  const double highest = *std::max_element(scores.begin(), scores.end()), score = scores[chosen];
  double sum = 0;
  for (double& x : scores) {
    x -= highest;
    sum += 0 * x;  // NaN if x is not finite: exponentiate() would turn it into 0
  }
  exponentiate(scores);
  for (const double x : scores) sum += x;
  for (double& x : scores) x /= sum;
  return score - highest - std::log(sum);
}

/// Calls forward(t, p(y_t | y_{t-1})) for each item and backward(t, p(y_{t-1} | y_t)) for each except the first;
/// returns the sum of the log probabilities of the labels.
template <class Forward, class Backward>
double visit_conditionals(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                          const Forward& forward, const Backward& backward) {
  static thread_local std::vector<double> p;
  double sum = 0;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    p.assign(unary.row(t).begin(), unary.row(t).end());
    for (std::size_t j = 0; t > 0 && j < p.size(); ++j) p[j] += pairwise(labels[t - 1], j);
    sum += softmax(p, labels[t]);
    forward(t, p);
    if (t == 0) continue;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = pairwise(i, labels[t]);
    sum += softmax(p, labels[t - 1]);
    backward(t, p);
  }
  return sum;
}

}  // namespace

double PseudoLikelihood::log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
  const auto ignore = [](std::size_t, const std::vector<double>&) {};
  return visit_conditionals(unary, pairwise, labels, ignore, ignore);
}

double PseudoLikelihood::gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                                   const Gradients& out) const {
  const bool wants_pairs = out.pairwise.data() != nullptr;
  if (wants_pairs) std::fill(out.pairwise.all().begin(), out.pairwise.all().end(), 0);
  const auto forward = [&](std::size_t t, const std::vector<double>& p) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      const double slope = (j == labels[t] ? 1 : 0) - p[j];
      out.unary(t, j) = slope;
      if (out.curvature.data()) out.curvature(t, j) = p[j] * (1 - p[j]);
      if (wants_pairs && t > 0) out.pairwise(labels[t - 1], j) += slope;
    }
  };
  const auto backward = [&](std::size_t t, const std::vector<double>& p) {
    for (std::size_t i = 0; wants_pairs && i < p.size(); ++i)
      out.pairwise(i, labels[t]) += (i == labels[t - 1] ? 1 : 0) - p[i];
  };
  return visit_conditionals(unary, pairwise, labels, forward, backward);
}

void PseudoLikelihood::marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
  ChainLikelihood().marginals(unary, pairwise, out);
}

}  // namespace fovea::gp
