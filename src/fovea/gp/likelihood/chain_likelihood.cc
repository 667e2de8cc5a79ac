// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/chain_likelihood.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/gp/likelihood/chain_sums.h"
#include "fovea/gp/likelihood/density_likelihood.h"

namespace fovea::gp {
namespace {

/// The forward recursion in the log domain, for any finite scores and any number type.
struct ChainDensity {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels) const {
    const std::size_t labels_count = unary.columns();
    std::vector<T> alpha(unary.row(0).begin(), unary.row(0).end()), next(labels_count), terms(labels_count);
    T score = unary(0, labels[0]);
    for (std::size_t t = 1; t < unary.rows(); ++t) {
      for (std::size_t j = 0; j < labels_count; ++j) {
        for (std::size_t i = 0; i < labels_count; ++i) terms[i] = alpha[i] + pairwise(i, j);
        next[j] = unary(t, j) + math::log_sum_exp(std::span<const T>(terms));
      }
      alpha.swap(next);
      score += unary(t, labels[t]) + pairwise(labels[t - 1], labels[t]);
    }
    return score - math::log_sum_exp(std::span<const T>(alpha));
  }
};

/// Forward sums over a chain, or null if the linear domain is not safe.
ChainSums* linear_sums(Matrix<const double> unary, Matrix<const double> pairwise) {
  static thread_local ChainSums sums;
  return sum_forward(unary, pairwise, sums) ? &sums : nullptr;
}

double score_of(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) {
  double score = unary(0, labels[0]);
  for (std::size_t t = 1; t < labels.size(); ++t) score += unary(t, labels[t]) + pairwise(labels[t - 1], labels[t]);
  return score;
}

/// Writes the slopes: observed counts minus expected counts.
void write_slopes(const ChainSums& sums, Labels labels, const Likelihood::Gradients& out) {
  for (std::size_t t = 0; t < sums.length; ++t) {
    const double* p = &sums.marginals[t * sums.stride];
    for (std::size_t j = 0; j < sums.labels; ++j) out.unary(t, j) = -p[j];
    out.unary(t, labels[t]) += 1;
  }
  if (!out.pairwise.data()) return;
  for (std::size_t i = 0; i < sums.labels; ++i)
    for (std::size_t j = 0; j < sums.labels; ++j) out.pairwise(i, j) = -sums.pairs[i * sums.stride + j];
  for (std::size_t t = 1; t < sums.length; ++t) out.pairwise(labels[t - 1], labels[t]) += 1;
}

/// Writes curvatures p (1 - p), from the derivatives of a unary row, 1[y = j] - p(y = j).
void write_curvature(std::span<const double> slopes, Value label, std::span<double> curvature) {
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    const double p = (j == label ? 1 : 0) - slopes[j];
    curvature[j] = p * (1 - p);
  }
}

}  // namespace

double ChainLikelihood::log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
  if (const ChainSums* sums = linear_sums(unary, pairwise)) return score_of(unary, pairwise, labels) - sums->log_z;
  return ChainDensity()(unary, pairwise, labels);
}

double ChainLikelihood::gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                                  const Gradients& out) const {
  ChainSums* sums = linear_sums(unary, pairwise);
  double result = 0;
  if (sums) {
    result = score_of(unary, pairwise, labels) - sums->log_z;
    sum_backward(out.pairwise.data() != nullptr, *sums);
    write_slopes(*sums, labels, out);
  } else {
    result = reverse_mode_gradients(ChainDensity(), unary, pairwise, labels, out.unary, out.pairwise);
  }
  if (out.curvature.data())
    for (std::size_t t = 0; t < labels.size(); ++t) write_curvature(out.unary.row(t), labels[t], out.curvature.row(t));
  return result;
}

void ChainLikelihood::marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
  if (ChainSums* sums = linear_sums(unary, pairwise)) {
    sum_backward(false, *sums);
    for (std::size_t t = 0; t < unary.rows(); ++t)
      std::copy_n(&sums->marginals[t * sums->stride], sums->labels, out.row(t).begin());
    return;
  }
  const std::vector<Value> zeros(unary.rows(), 0);
  reverse_mode_gradients(ChainDensity(), unary, pairwise, zeros, out, {});
  for (std::size_t t = 0; t < unary.rows(); ++t)
    for (std::size_t j = 0; j < unary.columns(); ++j) out(t, j) = (j == 0 ? 1 : 0) - out(t, j);
}

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
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = unary(t - 1, i) + pairwise(i, labels[t]);
    sum += softmax(p, labels[t - 1]);
    backward(t, p);
  }
  return sum;
}

}  // namespace

namespace {

/// A product of many numbers by few logarithms.
class LogProduct {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ > kSmall && product_ < 1 / kSmall) return;
    log_ += std::log(product_);
    product_ = 1;
  }
  double log() const { return log_ + std::log(product_); }

 private:
  static constexpr double kSmall = 1e-100;
  double product_ = 1, log_ = 0;
};

/// The pseudo-likelihood from one exponential of each score, which all conditionals share. NaN or infinite where the
/// linear domain does not hold them.
double log_density_by_shared_exponentials(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) {
  const std::size_t count = unary.columns();
  static thread_local std::vector<double> f, pairs;  // exponentials
  f.assign(unary.all().begin(), unary.all().end());
  pairs.assign(pairwise.all().begin(), pairwise.all().end());
  double score = 0;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    double* row = f.data() + t * count;
    const double highest = *std::max_element(row, row + count);
    for (std::size_t j = 0; j < count; ++j) {
      row[j] -= highest;
      score += 0 * row[j];  // NaN if it is not finite: exponentiate() would turn it into 0
    }
    const int conditionals = 1 + (t + 1 < labels.size());  // in which the label is predicted
    score += conditionals * row[labels[t]];
    if (t > 0) score += 2 * pairwise(labels[t - 1], labels[t]);
  }
  for (const double pair : pairs) score += 0 * pair;
  exponentiate(f);
  exponentiate(pairs);
  LogProduct sums;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const double* row = f.data() + t * count;
    double forward = 0, backward = 0;
    if (t == 0) {
      for (std::size_t j = 0; j < count; ++j) forward += row[j];
      sums.multiply(forward);
      continue;
    }
    const double* from = pairs.data() + labels[t - 1] * count;
    for (std::size_t j = 0; j < count; ++j) forward += row[j] * from[j];
    sums.multiply(forward);
    for (std::size_t i = 0; i < count; ++i) backward += row[i - count] * pairs[i * count + labels[t]];
    sums.multiply(backward);
  }
  return score - sums.log();
}

}  // namespace

double PseudoLikelihood::log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
  const double shared = log_density_by_shared_exponentials(unary, pairwise, labels);
  if (std::isfinite(shared)) return shared;
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
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double slope = (i == labels[t - 1] ? 1 : 0) - p[i];
      out.unary(t - 1, i) += slope;
      if (out.curvature.data()) out.curvature(t - 1, i) += p[i] * (1 - p[i]);
      if (wants_pairs) out.pairwise(i, labels[t]) += slope;
    }
  };
  return visit_conditionals(unary, pairwise, labels, forward, backward);
}

void PseudoLikelihood::marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
  ChainLikelihood().marginals(unary, pairwise, out);
}

}  // namespace fovea::gp
