// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_regression.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
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
        log_masses_(data.rows()),
        precision_(prior_precision()),
        precision_mean_(Vector::Zero(rows_.cols())) {}

  LogisticRegressionFit run(const Stop& stop, const ProgressFunction& progress) {
    const auto start = std::chrono::steady_clock::now();
    bool is_whole = set_posterior(stop) && approach_mode(stop);
    while (is_whole && fit_.iterations < options_.iterations && !fit_.has_converged && !stop.requested()) {
      is_whole = update_sites(stop) && set_posterior(stop);
      if (!is_whole) break;
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
    fit_.log_evidence = is_whole && fit_.iterations > 0 ? log_evidence() : std::numeric_limits<double>::quiet_NaN();
    return std::move(fit_);
  }

 private:
  Matrix prior_precision() const { return Matrix::Identity(rows_.cols(), rows_.cols()) / options_.prior_variance; }

  /// Calls visit(first, count) for blocks of rows; false if the stop came first.
  template <class Visit>
  bool for_each_block(const Stop& stop, const Visit& visit) const {
    constexpr Eigen::Index kBlock = 8192;  // of 30 columns, about 10 ms
    for (Eigen::Index first = 0; first < rows_.rows(); first += kBlock) {
      if (stop.requested()) return false;
      visit(first, std::min(kBlock, rows_.rows() - first));
    }
    return true;
  }

  /// Sets the posterior to the prior times all sites. If the stop comes first, the posterior stays as it was, and what
  /// rows have of it (means_, variances_) is of no use.
  bool set_posterior(const Stop& stop) {
    const auto d = static_cast<Eigen::Index>(data_.columns);
    Matrix precision = prior_precision();
    Vector precision_mean = Vector::Zero(d);
    const bool is_whole = for_each_block(stop, [&](Eigen::Index first, Eigen::Index count) {
      Vector precisions(count), precision_means(count);
      for (Eigen::Index i = 0; i < count; ++i) {
        precisions[i] = sites_[static_cast<std::size_t>(first + i)].precision();
        precision_means[i] = sites_[static_cast<std::size_t>(first + i)].precision_mean();
      }
      const auto rows = rows_.middleRows(first, count);
      precision += rows.transpose() * precisions.asDiagonal() * rows;
      precision_mean += rows.transpose() * precision_means;
    });
    if (!is_whole) return false;
    const Eigen::LLT<Eigen::MatrixXd> factor(precision);
    const Vector mean = factor.solve(precision_mean);
    // Variances of all rows at once: |L^-1 x|^2.
    const Matrix upper = Matrix(factor.matrixL().solve(Eigen::MatrixXd::Identity(d, d))).transpose();
    means_.resize(rows_.rows());
    variances_.resize(rows_.rows());
    if (!for_each_block(stop, [&](Eigen::Index first, Eigen::Index count) {
          variances_.segment(first, count) = (rows_.middleRows(first, count) * upper).rowwise().squaredNorm();
          means_.segment(first, count) = rows_.middleRows(first, count) * mean;
        }))
      return false;
    precision_ = precision;
    precision_mean_ = precision_mean;
    mean_ = mean;
    return true;
  }

  /// Takes Newton steps to the posterior's mode, halved where they go too far: the messages of many rows at once settle
  /// from there, but not always from the prior. False if the stop came amid a step.
  bool approach_mode(const Stop& stop) {
    constexpr int kMostSteps = 50, kMostHalfSteps = 20;
    constexpr double kClose = 1e-6;
    double score = log_joint();
    for (int step = 0; step < kMostSteps && !stop.requested(); ++step) {
      const std::vector<Gaussian> before = sites_;
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        const double z = means_[static_cast<Eigen::Index>(i)], p = sigmoid(z);
        sites_[i] = Gaussian::from_natural(p * (1 - p) * z + (data_.labels[i] ? 1 : 0) - p, p * (1 - p));
      }
      if (!set_posterior(stop)) return false;
      double moved = log_joint();
      for (int halving = 0; moved < score && halving < kMostHalfSteps; ++halving) {
        for (std::size_t i = 0; i < sites_.size(); ++i) sites_[i] = power(before[i], .5) * power(sites_[i], .5);
        if (!set_posterior(stop)) return false;
        moved = log_joint();
      }
      const double gain = moved - score;
      score = moved;
      if (gain < kClose) break;
    }
    return true;
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
    Matrix precision = prior_precision();
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

  /// Updates the message of every row. False if the stop came first: some are updated then, and some not.
  bool update_sites(const Stop& stop) {
    fit_.largest_marginal_kl = 0;
    const std::uint64_t skipped = fit_.skipped;
    std::uint64_t asked = 0, improper = 0;
    const bool is_whole = for_each_block(stop, [&](Eigen::Index first, Eigen::Index count) {
      improper += update_block(static_cast<std::size_t>(first), static_cast<std::size_t>(first + count), asked);
    });
    const std::uint64_t tried = asked + improper;
    // If no row could be updated, nothing moved, but nothing has settled either.
    if (tried > 0 && fit_.skipped - skipped == tried) fit_.largest_marginal_kl = kInfinity;
    return is_whole;
  }

  /// Updates the messages of rows begin .. end - 1; returns how many of them would be improper. `asked`: messages asked
  /// for in this update.
  std::uint64_t update_block(std::size_t begin, std::size_t end, std::uint64_t& asked) {
    std::uint64_t improper = 0;
    std::vector<std::size_t> updated;
    std::vector<Message> incoming;  // [updated][slot]
    for (std::size_t i = begin; i < end; ++i) {
      if (!(variances_[static_cast<Eigen::Index>(i)] > 0)) continue;  // a row of zeros says nothing about the weights
      const Gaussian cavity = cavity_of(i);
      if (!cavity.is_proper()) {
        ++improper;
        continue;
      }
      updated.push_back(i);
      incoming.emplace_back(data_.labels[i] ? Beta::from_counts(2, 1) : Beta::from_counts(1, 2));
      incoming.emplace_back(cavity);
    }
    fit_.skipped += improper;
    std::vector<Tilted> tilted(updated.size());
    logistic_.compute(1, asked, incoming, tilted);
    asked += updated.size();
    for (std::size_t k = 0; k < updated.size(); ++k)
      update_site(updated[k], std::get<Gaussian>(incoming[2 * k + 1]), tilted[k]);
    return improper;
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

  void finish() {
    fit_.posterior.natural.assign(precision_mean_.begin(), precision_mean_.end());
    for (Eigen::Index i = 0; i < precision_.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j) fit_.posterior.natural.push_back(precision_(i, j));
  }

  /// log Z = A(posterior) - A(prior) + sum_i log Z_i + A(cavity_i) - A(marginal_i), with log normalizers A (Minka 2001,
  /// equation 3.19).
  double log_evidence() const {
    MultivariateGaussian prior = MultivariateGaussian::uniform(data_.columns);
    for (std::size_t j = 0; j < data_.columns; ++j) prior.add_precision(j, j, 1 / options_.prior_variance);
    double sum = fit_.posterior.log_normalizer() - prior.log_normalizer();
    for (std::size_t i = 0; i < sites_.size(); ++i)
      if (cavities_[i].is_proper())
        sum += log_masses_[i] + cavities_[i].log_normalizer() - (cavities_[i] * sites_[i]).log_normalizer();
      else sum += std::log(.5);  // a row of zeros
    return sum;
  }

  const LogisticData& data_;
  const LogisticRegressionOptions& options_;
  MessageSource& logistic_;
  Eigen::Map<const Matrix> rows_;
  std::vector<Gaussian> sites_, cavities_;
  std::vector<double> log_masses_;
  Matrix precision_;
  Vector precision_mean_, mean_, means_, variances_;
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
