// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/variational_mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::gp {
namespace {

constexpr double kFirstSpread = .1;
/// Weight of a component that has died out: 0 would have no logarithm.
constexpr double kLeastWeight = 1e-300;
const double kLogTwoPi = std::log(2 * std::numbers::pi);

/// Calls visit(value, is_logarithm) for the entries of a component in the order of VariationalMixture::packed().
template <class Gaussian, class Visit>
void for_each_coordinate(Gaussian& component, const Visit& visit) {
  for (auto&& mean : component.means.reshaped()) visit(mean, false);
  for (auto&& factor : component.factors)
    for (Index c = 0; c < factor.cols(); ++c)
      for (Index r = c; r < factor.rows(); ++r) visit(factor(r, c), r == c);
  for (auto&& deviation : component.deviations.reshaped()) visit(deviation, true);
}

/// log N(m_k; m_l, S_k + S_l) of the two components' functions of one label; adds `share` times the gradient of minus
/// this log with respect to the means and covariances of both.
class PairOfGaussians {
 public:
  PairOfGaussians(const UnaryGaussian& a, const UnaryGaussian& b, std::size_t label)
      : a_(a), b_(b), label_(label), separation_((a.means.row(index(label)) - b.means.row(index(label))).transpose()) {
    log_density_ = -.5 * static_cast<double>(separation_.size()) * kLogTwoPi;
    if (a.is_diagonal()) {
      variances_ =
          (a.deviations.row(index(label)).cwiseAbs2() + b.deviations.row(index(label)).cwiseAbs2()).transpose();
      solved_ = separation_.cwiseQuotient(variances_);
      log_density_ -= .5 * variances_.array().log().sum();
    } else {
      ColumnMatrix sum = a.factors[label] * a.factors[label].transpose();
      sum += b.factors[label] * b.factors[label].transpose();
      decomposed_.compute(sum);
      FOVEA_CHECK(decomposed_.info() == Eigen::Success);
      solved_ = decomposed_.solve(separation_);
      log_density_ -= ColumnMatrix(decomposed_.matrixL()).diagonal().array().log().sum();
    }
    log_density_ -= .5 * separation_.dot(solved_);
  }

  double log_density() const { return log_density_; }

  void add_gradient(double share, UnaryGaussian& to_a, UnaryGaussian& to_b) const {
    to_a.means.row(index(label_)) += share * solved_.transpose();
    to_b.means.row(index(label_)) -= share * solved_.transpose();
    if (a_.is_diagonal()) {
      // d/dS = (C^{-1} - C^{-1} d d^T C^{-1}) / 2, and dS = 2 deviation ddeviation
      const Vector slope = share * (variances_.cwiseInverse() - solved_.cwiseAbs2());
      to_a.deviations.row(index(label_)) += slope.transpose().cwiseProduct(a_.deviations.row(index(label_)));
      to_b.deviations.row(index(label_)) += slope.transpose().cwiseProduct(b_.deviations.row(index(label_)));
      return;
    }
    ColumnMatrix slope = decomposed_.solve(ColumnMatrix::Identity(separation_.size(), separation_.size()));
    slope -= solved_ * solved_.transpose();
    to_a.factors[label_] += (share * slope * a_.factors[label_]).triangularView<Eigen::Lower>().toDenseMatrix();
    to_b.factors[label_] += (share * slope * b_.factors[label_]).triangularView<Eigen::Lower>().toDenseMatrix();
  }

 private:
  const UnaryGaussian &a_, &b_;
  std::size_t label_;
  Vector separation_, variances_, solved_;  // solved: (S_a + S_b)^{-1} (m_a - m_b)
  Eigen::LLT<ColumnMatrix> decomposed_;
  double log_density_ = 0;
};

/// Equation (35) and the gradients (51), (52).
double add_entropy_bound(const VariationalMixture& q, MixtureGradient& gradient) {
  const std::size_t count = q.components.size(),
                    labels = q.pairwise.means.empty() ? 0 : size(q.components[0].means.rows());
  std::vector<double> log_densities(count * count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t l = 0; l < count; ++l)
      for (std::size_t j = 0; j < labels; ++j)
        log_densities[k * count + l] += PairOfGaussians(q.components[k], q.components[l], j).log_density();
  double entropy = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> terms;
    for (std::size_t l = 0; l < count; ++l) terms.push_back(std::log(q.weights[l]) + log_densities[k * count + l]);
    const double log_z = log_sum(terms);
    entropy -= q.weights[k] * log_z;
    gradient.weights[k] -= log_z;
    for (std::size_t l = 0; l < count; ++l) {
      const double share = std::exp(terms[l] - log_z);  // pi_l N_kl / z_k
      gradient.weights[l] -= q.weights[k] * share / q.weights[l];
      for (std::size_t j = 0; j < labels; ++j)
        PairOfGaussians(q.components[k], q.components[l], j)
            .add_gradient(q.weights[k] * share, gradient.components[k], gradient.components[l]);
    }
  }
  return entropy;
}

/// E_k[log p(v)], equation (36), with gradients (48) to (50).
double add_cross_entropy(const UnaryGaussian& component, double weight, UnaryGaussian& gradient) {
  double squares = component.means.squaredNorm();
  gradient.means -= weight * component.means;
  if (component.is_diagonal()) {
    squares += component.deviations.squaredNorm();
    gradient.deviations -= weight * component.deviations;
  }
  for (std::size_t j = 0; j < component.factors.size(); ++j) {
    squares += component.factors[j].squaredNorm();
    gradient.factors[j] -= weight * component.factors[j];
  }
  return -.5 * (static_cast<double>(component.means.size()) * kLogTwoPi + squares);
}

/// Adds the exact entropy of one Gaussian.
double add_entropy(const UnaryGaussian& component, UnaryGaussian& gradient) {
  double logs = component.deviations.array().log().sum();
  if (component.is_diagonal()) gradient.deviations += component.deviations.cwiseInverse();
  for (std::size_t j = 0; j < component.factors.size(); ++j) {
    logs += component.factors[j].diagonal().array().log().sum();
    gradient.factors[j].diagonal() += component.factors[j].diagonal().cwiseInverse();
  }
  return .5 * static_cast<double>(component.means.size()) * (kLogTwoPi + 1) + logs;
}

/// F of F F^T = (L L^T)^{-1} = X^T X, X = L^{-1}. Computed in single precision, which is fast, unless variances lie too
/// far apart for it.
LargeColumns precision_factor(const ColumnMatrix& factor) {
  LargeColumns inverse = LargeColumns::Identity(factor.rows(), factor.cols());
  solve_lower(factor.cast<float>(), inverse);
  LargeColumns precision = LargeColumns::Zero(factor.rows(), factor.cols());
  add_products(LargeRows(inverse), precision);
  if (factorize(precision)) return precision;
  ColumnMatrix exact = ColumnMatrix::Identity(factor.rows(), factor.cols());
  factor.triangularView<Eigen::Lower>().solveInPlace(exact);
  const Eigen::LLT<ColumnMatrix> decomposed(exact.transpose() * exact);
  FOVEA_CHECK(decomposed.info() == Eigen::Success);
  return ColumnMatrix(decomposed.matrixL()).cast<float>();
}

}  // namespace

/// (F F^T)^{-1} = X^T X with X = F^{-1}.
UnaryGaussian UnaryGaussian::of(const UnaryPosterior& posterior, bool diagonal) {
  FOVEA_CHECK(!posterior.is_point());
  UnaryGaussian result = {posterior.means(), {}, {}};
  if (diagonal) result.deviations.resize(result.means.rows(), result.means.cols());
  for (std::size_t j = 0; j < posterior.labels(); ++j) {
    const ColumnMatrix factor = posterior.factor(j).cast<double>();
    const ColumnMatrix inverse =
        factor.triangularView<Eigen::Lower>().solve(ColumnMatrix::Identity(factor.rows(), factor.cols()));
    if (diagonal) {
      result.deviations.row(index(j)) = inverse.colwise().norm();
      continue;
    }
    const Eigen::LLT<ColumnMatrix> decomposed(inverse.transpose() * inverse);
    FOVEA_CHECK(decomposed.info() == Eigen::Success);
    result.factors.push_back(decomposed.matrixL());
  }
  return result;
}

UnaryGaussian UnaryGaussian::zeros() const {
  UnaryGaussian result = {RowMatrix::Zero(means.rows(), means.cols()), factors,
                          RowMatrix::Zero(deviations.rows(), deviations.cols())};
  for (ColumnMatrix& factor : result.factors) factor.setZero();
  return result;
}

UnaryPosterior UnaryGaussian::posterior() const {
  std::vector<LargeColumns> precision_factors;
  for (Index j = 0; j < means.rows(); ++j) {
    if (is_diagonal()) {
      precision_factors.push_back(deviations.row(j).cwiseInverse().cast<float>().asDiagonal().toDenseMatrix());
      continue;
    }
    precision_factors.push_back(precision_factor(factors[size(j)]));
  }
  return UnaryPosterior(means, std::move(precision_factors));
}

VariationalMixture::VariationalMixture(std::size_t count, std::size_t labels, std::size_t points, bool diagonal,
                                       double pairwise_variance, Random random)
    : weights(count, 1 / static_cast<double>(count)), pairwise(labels, pairwise_variance) {
  const Index rows = index(labels), columns = index(points);
  UnaryGaussian prior = {RowMatrix::Zero(rows, columns), {}, {}};
  if (diagonal) prior.deviations = RowMatrix::Ones(rows, columns);
  else prior.factors.assign(labels, ColumnMatrix::Identity(columns, columns));
  components.assign(count, prior);
  if (count == 1) return;
  for (UnaryGaussian& component : components)
    for (double& mean : component.means.reshaped()) mean = kFirstSpread * random.normal();
}

VariationalMixture::VariationalMixture(const MixturePosterior& posterior, bool diagonal)
    : pairwise(posterior[0].pairwise) {
  for (const PosteriorComponent& component : posterior) {
    weights.push_back(component.weight);
    components.push_back(UnaryGaussian::of(component.unary, diagonal));
  }
}

MixturePosterior VariationalMixture::posterior() const {
  MixturePosterior result;
  for (std::size_t k = 0; k < components.size(); ++k)
    result.push_back({.weight = weights[k], .unary = components[k].posterior(), .pairwise = pairwise});
  return result;
}

std::vector<double> VariationalMixture::packed() const {
  std::vector<double> x;
  for (std::size_t k = 0; weights.size() > 1 && k < weights.size(); ++k) x.push_back(std::log(weights[k]));
  for (const UnaryGaussian& component : components)
    for_each_coordinate(component,
                        [&](double value, bool is_logarithm) { x.push_back(is_logarithm ? std::log(value) : value); });
  return x;
}

void VariationalMixture::unpack(std::span<const double> x) {
  std::size_t at = 0;
  if (weights.size() > 1) {
    const double log_sum_of_weights = log_sum(x.first(weights.size()));
    for (double& weight : weights) weight = std::max(kLeastWeight, std::exp(x[at++] - log_sum_of_weights));
  }
  for (UnaryGaussian& component : components)
    for_each_coordinate(component, [&](double& value, bool is_logarithm) {
      value = is_logarithm ? std::exp(x[at]) : x[at];
      ++at;
    });
}

MixtureGradient::MixtureGradient(const VariationalMixture& mixture) : weights(mixture.weights.size()) {
  for (const UnaryGaussian& component : mixture.components) components.push_back(component.zeros());
}

void MixtureGradient::pack(const VariationalMixture& at, std::span<double> out) const {
  std::size_t i = 0;
  if (weights.size() > 1) {
    const double mean = std::inner_product(weights.begin(), weights.end(), at.weights.begin(), 0.0);
    for (std::size_t k = 0; k < weights.size(); ++k) out[i++] = at.weights[k] * (weights[k] - mean);
  }
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::size_t first = i;
    for_each_coordinate(components[k], [&](double slope, bool) { out[i++] = slope; });
    i = first;
    for_each_coordinate(at.components[k],
                        [&](double value, bool is_logarithm) { out[i++] *= is_logarithm ? value : 1; });
  }
}

double add_negative_divergence(const VariationalMixture& mixture, MixtureGradient& gradient) {
  double value = 0;
  for (std::size_t k = 0; k < mixture.components.size(); ++k) {
    const double cross = add_cross_entropy(mixture.components[k], mixture.weights[k], gradient.components[k]);
    value += mixture.weights[k] * cross;
    gradient.weights[k] += cross;
  }
  if (mixture.components.size() == 1) return value + add_entropy(mixture.components[0], gradient.components[0]);
  return value + add_entropy_bound(mixture, gradient);
}

}  // namespace fovea::gp
