// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_regression.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"
#include "fovea/ep/operators/logistic.h"

namespace fovea::ep {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

class ExpectationPropagation {
 public:
  ExpectationPropagation(const LogisticData& data, const LogisticRegressionOptions& options, MessageSource& logistic)
      : data_(data),
        options_(options),
        logistic_(logistic),
        rows_(data.values.data(), static_cast<Eigen::Index>(data.rows()), static_cast<Eigen::Index>(data.columns)),
        sites_(data.rows()),
        cavities_(data.rows()),
        log_masses_(data.rows()) {}

  LogisticRegressionFit run(const Stop& stop, const ProgressFunction& progress) {
    const auto start = std::chrono::steady_clock::now();
    set_posterior();
    if (!stop.requested()) approach_mode(stop);
    while (fit_.iterations < options_.iterations && !fit_.has_converged && !stop.requested()) {
      update_sites();
      set_posterior();
      ++fit_.iterations;
      fit_.has_converged = fit_.largest_marginal_kl <= options_.max_marginal_kl;
      if (progress)
        progress({.phase = "messages",
                  .done = static_cast<double>(fit_.iterations),
                  .seconds = seconds_since(start),
                  .figure = "largest marginal KL",
                  .value = fit_.largest_marginal_kl});
    }
    finish();
    return std::move(fit_);
  }

 private:
  /// Sets the posterior to the prior times all sites.
  void set_posterior() {
    const auto d = static_cast<Eigen::Index>(data_.columns);
    Vector precisions(rows_.rows()), precision_means(rows_.rows());
    for (Eigen::Index i = 0; i < rows_.rows(); ++i) {
      precisions[i] = sites_[static_cast<std::size_t>(i)].precision();
      precision_means[i] = sites_[static_cast<std::size_t>(i)].precision_mean();
    }
    precision_ = rows_.transpose() * precisions.asDiagonal() * rows_;
    precision_.diagonal().array() += 1 / options_.prior_variance;
    precision_mean_ = rows_.transpose() * precision_means;
    factor_.compute(precision_);
    mean_ = factor_.solve(precision_mean_);
    // Variances of all rows at once: |L^-1 x|^2.
    const Matrix lower = factor_.matrixL().solve(Eigen::MatrixXd::Identity(d, d));
    variances_ = (rows_ * lower.transpose()).rowwise().squaredNorm();
    means_ = rows_ * mean_;
  }

  /// Takes Newton steps to the posterior's mode, halved where they go too far: the messages of many rows at once settle
  /// from there, but not always from the prior.
  void approach_mode(const Stop& stop) {
    constexpr int kMostSteps = 50, kMostHalfSteps = 20;
    constexpr double kClose = 1e-6;
    double score = log_joint();
    for (int step = 0; step < kMostSteps && !stop.requested(); ++step) {
      const std::vector<Gaussian> before = sites_;
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        const double z = means_[static_cast<Eigen::Index>(i)], p = sigmoid(z);
        sites_[i] = Gaussian::from_natural(p * (1 - p) * z + (data_.labels[i] ? 1 : 0) - p, p * (1 - p));
      }
      set_posterior();
      double moved = log_joint();
      for (int halving = 0; moved < score && halving < kMostHalfSteps; ++halving) {
        for (std::size_t i = 0; i < sites_.size(); ++i) sites_[i] = power(before[i], .5) * power(sites_[i], .5);
        set_posterior();
        moved = log_joint();
      }
      const double gain = moved - score;
      score = moved;
      if (gain < kClose) break;
    }
  }

  /// log p(labels, weights) at the posterior's mean.
  double log_joint() const {
    double sum = -mean_.squaredNorm() / (2 * options_.prior_variance);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      const double z = means_[static_cast<Eigen::Index>(i)], against = data_.labels[i] ? -z : z;
      sum -= std::max(against, 0.) + std::log1p(std::exp(-std::abs(against)));
    }
    return sum;
  }

  Gaussian marginal(std::size_t i) const {
    const auto row = static_cast<Eigen::Index>(i);
    return Gaussian::from_mean_variance(means_[row], variances_[row]);
  }

  /// Message of the prior and all other rows to row i. If the row's own site is nearly all of its marginal, only
  /// rounding error is left after dividing by it; then the other sites are added up again.
  Gaussian cavity_of(std::size_t i) const {
    constexpr double kLost = 1e-9;
    const Gaussian whole = marginal(i), cavity = whole / sites_[i];
    if (!(std::abs(cavity.precision()) < kLost * whole.precision())) return cavity;
    Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(rows_.cols(), rows_.cols()) / options_.prior_variance;
    Vector precision_mean = Vector::Zero(rows_.cols());
    for (std::size_t j = 0; j < sites_.size(); ++j) {
      if (j == i) continue;
      const auto row = rows_.row(static_cast<Eigen::Index>(j)).transpose();
      precision += sites_[j].precision() * row * row.transpose();
      precision_mean += sites_[j].precision_mean() * row;
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(precision);
    const Vector row = rows_.row(static_cast<Eigen::Index>(i)).transpose();
    return Gaussian::from_mean_variance(row.dot(factor.solve(precision_mean)), row.dot(factor.solve(row)));
  }

  void update_sites() {
    fit_.largest_marginal_kl = 0;
    const std::uint64_t skipped = fit_.skipped;
    std::vector<std::size_t> updated;
    std::vector<Message> incoming;  // [updated][slot]
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (!(variances_[static_cast<Eigen::Index>(i)] > 0)) continue;  // a row of zeros says nothing about the weights
      const Gaussian cavity = cavity_of(i);
      if (!cavity.is_proper()) {
        ++fit_.skipped;
        continue;
      }
      updated.push_back(i);
      incoming.emplace_back(data_.labels[i] ? Beta::from_counts(2, 1) : Beta::from_counts(1, 2));
      incoming.emplace_back(cavity);
    }
    const std::uint64_t improper = fit_.skipped - skipped;
    std::vector<Tilted> tilted(updated.size());
    logistic_.compute(1, 0, incoming, tilted);
    for (std::size_t k = 0; k < updated.size(); ++k)
      update_site(updated[k], std::get<Gaussian>(incoming[2 * k + 1]), tilted[k]);
    // If no row could be updated, nothing moved, but nothing has settled either.
    const std::uint64_t tried = updated.size() + improper;
    if (tried > 0 && fit_.skipped - skipped == tried) fit_.largest_marginal_kl = kInfinity;
  }

  void update_site(std::size_t i, const Gaussian& cavity, const Tilted& tilted) {
    const Gaussian& after = std::get<Gaussian>(tilted.marginal);
    const Gaussian site = after / cavity;
    ++fit_.messages;
    if (!(site.precision() >= 0)) {  // the logistic factor is log-concave: rounding, or an estimate's noise
      ++fit_.skipped;
      return;
    }
    const double moved = kl_divergence(after, marginal(i));
    if (!(moved <= fit_.largest_marginal_kl)) fit_.largest_marginal_kl = std::isnan(moved) ? kInfinity : moved;
    sites_[i] = power(sites_[i], 1 - damping()) * power(site, damping());
    cavities_[i] = cavity;
    log_masses_[i] = tilted.log_mass - std::numbers::ln2;  // a label's message is half of its Beta
  }

  /// Full steps at first, which usually settle within ten; shorter ones if they oscillate.
  double damping() const {
    constexpr int kWhole = 20;
    return fit_.iterations < kWhole ? 1 : .5;
  }

  /// log Z = A(posterior) - A(prior) + sum_i log Z_i + A(cavity_i) - A(marginal_i), with log normalizers A (Minka 2001,
  /// equation 3.19).
  void finish() {
    fit_.posterior.natural.assign(precision_mean_.begin(), precision_mean_.end());
    for (Eigen::Index i = 0; i < precision_.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j) fit_.posterior.natural.push_back(precision_(i, j));
    MultivariateGaussian prior = MultivariateGaussian::uniform(data_.columns);
    for (std::size_t j = 0; j < data_.columns; ++j) prior.add_precision(j, j, 1 / options_.prior_variance);
    fit_.log_evidence = fit_.posterior.log_normalizer() - prior.log_normalizer();
    for (std::size_t i = 0; i < sites_.size(); ++i)
      if (cavities_[i].is_proper())
        fit_.log_evidence +=
            log_masses_[i] + cavities_[i].log_normalizer() - (cavities_[i] * sites_[i]).log_normalizer();
      else fit_.log_evidence += std::log(.5);  // a row of zeros
  }

  const LogisticData& data_;
  const LogisticRegressionOptions& options_;
  MessageSource& logistic_;
  Eigen::Map<const Matrix> rows_;
  std::vector<Gaussian> sites_, cavities_;
  std::vector<double> log_masses_;
  Matrix precision_;
  Vector precision_mean_, mean_, means_, variances_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  LogisticRegressionFit fit_;
};

}  // namespace

LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options,
                                   MessageSource& logistic, const Stop& stop, const ProgressFunction& progress) {
  validate(options);
  FOVEA_CHECK(data.values.size() == data.rows() * data.columns);
  return ExpectationPropagation(data, options, logistic).run(stop, progress);
}

LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options, const Stop& stop,
                                   const ProgressFunction& progress) {
  const LogisticOperator logistic;
  DirectSource source(logistic);
  return fit_logistic(data, options, source, stop, progress);
}

LogisticPredictor::LogisticPredictor(const MultivariateGaussian& posterior)
    : mean_(posterior.mean()), covariance_(posterior.covariance()) {}

double LogisticPredictor::probability(std::span<const double> row) const {
  const std::size_t d = mean_.size();
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < d; ++i) {
    mean += row[i] * mean_[i];
    for (std::size_t j = 0; j < d; ++j) variance += row[i] * covariance_[i * d + j] * row[j];
  }
  if (!(variance > 0)) return sigmoid(mean);
  return LogisticFactor::mean_of_p(Gaussian::from_mean_variance(mean, variance), Beta());
}

}  // namespace fovea::ep
