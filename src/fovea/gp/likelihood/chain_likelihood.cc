// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/chain_likelihood.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/gp/likelihood/density_likelihood.h"

namespace fovea::gp {
namespace {

/// Forward-backward in the linear domain, rescaled at every item:
///   e_t(j) = exp(f_tj - max_t), m(i, j) = exp(pairwise(i, j) - max),
///   a_t = e_t * (a_{t-1} m) / c_t with c_t such that a_t sums to 1,  b_{t-1} = m (e_t * b_t) / c_t,
///   p(y_t = j) = a_t(j) b_t(j),  p(y_{t-1} = i, y_t = j) = a_{t-1}(i) m(i, j) e_t(j) b_t(j) / c_t,
///   log Z = sum_t (max_t + log c_t) + (T - 1) max.
/// One per thread.
class ChainSums {
 public:
  void forward(Matrix<const double> unary, Matrix<const double> pairwise) {
    length_ = unary.rows();
    labels_ = unary.columns();
    read_pairwise(pairwise);
    log_z_ = static_cast<double>(length_ - 1) * highest_pair_;
    alpha_.resize(length_ * labels_);
    weights_.resize(length_ * labels_);
    scales_.resize(length_);
    for (std::size_t t = 0; t < length_; ++t) log_z_ += advance(t, unary.row(t));
  }

  /// NaN or infinite where the scores do not fit the linear domain.
  double log_z() const { return log_z_; }

  /// visit(t, p(y_t = .)) from the last item to the first; adds expected label pairs to `pairs`, unless it has no data.
  template <class Visit>
  void backward(Matrix<double> pairs, const Visit& visit) {
    beta_.assign(labels_, 1);
    marginal_.resize(labels_);
    for (std::size_t t = length_; t-- > 0;) {
      const double* alpha = &alpha_[t * labels_];
      for (std::size_t j = 0; j < labels_; ++j) marginal_[j] = alpha[j] * beta_[j];
      visit(t, std::span<const double>(marginal_));
      if (t > 0) retreat(t, pairs);
    }
  }

 private:
  void read_pairwise(Matrix<const double> pairwise) {
    highest_pair_ = length_ > 1 ? *std::max_element(pairwise.all().begin(), pairwise.all().end()) : 0;
    pair_weights_.resize(labels_ * labels_);
    if (length_ > 1)
      for (std::size_t e = 0; e < pair_weights_.size(); ++e)
        pair_weights_[e] = std::exp(pairwise.data()[e] - highest_pair_);
  }

  /// The share of log Z.
  double advance(std::size_t t, std::span<const double> scores) {
    const double highest = *std::max_element(scores.begin(), scores.end());
    double* weights = &weights_[t * labels_];
    double* alpha = &alpha_[t * labels_];
    std::fill(alpha, alpha + labels_, t == 0 ? 1.0 : 0.0);
    for (std::size_t i = 0; t > 0 && i < labels_; ++i) {
      const double before = alpha_[(t - 1) * labels_ + i];
      const double* row = &pair_weights_[i * labels_];
      for (std::size_t j = 0; j < labels_; ++j) alpha[j] += before * row[j];
    }
    double sum = 0;
    for (std::size_t j = 0; j < labels_; ++j) {
      weights[j] = std::exp(scores[j] - highest);
      sum += alpha[j] *= weights[j];
    }
    for (std::size_t j = 0; j < labels_; ++j) alpha[j] /= sum;
    scales_[t] = sum;
    return highest + std::log(sum);
  }

  void retreat(std::size_t t, Matrix<double> pairs) {
    for (std::size_t j = 0; j < labels_; ++j) beta_[j] *= weights_[t * labels_ + j] / scales_[t];
    const double* alpha = &alpha_[(t - 1) * labels_];
    marginal_.assign(labels_, 0);
    for (std::size_t i = 0; i < labels_; ++i) {
      const double* row = &pair_weights_[i * labels_];
      double sum = 0;
      for (std::size_t j = 0; j < labels_; ++j) sum += row[j] * beta_[j];
      if (pairs.data())
        for (std::size_t j = 0; j < labels_; ++j) pairs(i, j) += alpha[i] * row[j] * beta_[j];
      marginal_[i] = sum;
    }
    beta_.swap(marginal_);
  }

  std::size_t length_ = 0, labels_ = 0;
  double highest_pair_ = 0, log_z_ = 0;
  std::vector<double> pair_weights_, weights_, alpha_, scales_, beta_, marginal_;
};

/// With a smaller range of pair scores, what is lost to underflow is below 1e-47 of any sum (b_t <= exp(2 range)).
constexpr double kMostPairRange = 300;

/// The forward recursion in the log domain: for any finite scores, and for any number type.
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

/// Sums over a chain, or null where the linear domain is not safe.
ChainSums* linear_sums(Matrix<const double> unary, Matrix<const double> pairwise) {
  static thread_local ChainSums sums;
  if (unary.rows() > 1) {
    const auto [lowest, highest] = std::minmax_element(pairwise.all().begin(), pairwise.all().end());
    if (!(*highest - *lowest < kMostPairRange)) return nullptr;
  }
  sums.forward(unary, pairwise);
  return &sums;
}

double score_of(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) {
  double score = unary(0, labels[0]);
  for (std::size_t t = 1; t < labels.size(); ++t) score += unary(t, labels[t]) + pairwise(labels[t - 1], labels[t]);
  return score;
}

/// From the derivatives of a unary row, 1[y = j] - p(y = j).
void write_curvature(std::span<const double> slopes, Value label, std::span<double> curvature) {
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    const double p = (j == label ? 1 : 0) - slopes[j];
    curvature[j] = p * (1 - p);
  }
}

}  // namespace

double ChainLikelihood::log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
  if (const ChainSums* sums = linear_sums(unary, pairwise)) return score_of(unary, pairwise, labels) - sums->log_z();
  return ChainDensity()(unary, pairwise, labels);
}

double ChainLikelihood::gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                                  const Gradients& out) const {
  ChainSums* sums = linear_sums(unary, pairwise);
  double result = 0;
  if (sums) {
    result = score_of(unary, pairwise, labels) - sums->log_z();
    if (out.pairwise.data()) std::fill(out.pairwise.all().begin(), out.pairwise.all().end(), 0);
    sums->backward(out.pairwise, [&](std::size_t t, std::span<const double> p) {
      for (std::size_t j = 0; j < p.size(); ++j) out.unary(t, j) = (j == labels[t] ? 1 : 0) - p[j];
    });
    if (out.pairwise.data()) {
      for (double& slope : out.pairwise.all()) slope = -slope;
      for (std::size_t t = 1; t < labels.size(); ++t) out.pairwise(labels[t - 1], labels[t]) += 1;
    }
  } else {
    result = reverse_mode_gradients(ChainDensity(), unary, pairwise, labels, out.unary, out.pairwise);
  }
  if (out.curvature.data())
    for (std::size_t t = 0; t < labels.size(); ++t) write_curvature(out.unary.row(t), labels[t], out.curvature.row(t));
  return result;
}

void ChainLikelihood::marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
  if (ChainSums* sums = linear_sums(unary, pairwise))
    return sums->backward(
        {}, [&](std::size_t t, std::span<const double> p) { std::copy(p.begin(), p.end(), out.row(t).begin()); });
  const std::vector<Value> zeros(unary.rows(), 0);
  reverse_mode_gradients(ChainDensity(), unary, pairwise, zeros, out, {});
  for (std::size_t t = 0; t < unary.rows(); ++t)
    for (std::size_t j = 0; j < unary.columns(); ++j) out(t, j) = (j == 0 ? 1 : 0) - out(t, j);
}

}  // namespace fovea::gp
