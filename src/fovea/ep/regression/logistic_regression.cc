// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_regression.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/base/parallel.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/regression/row_products.h"

namespace fovea::ep {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;

class ExpectationPropagation {
 public:
  ExpectationPropagation(const LogisticData& data, const LogisticRegressionOptions& options, MessageSource& logistic,
                         const Run& run)
      : data_(data),
        options_(options),
        logistic_(logistic),
        run_(run),
        rows_(data.values.data(), static_cast<Index>(data.rows()), static_cast<Index>(data.columns)),
        sites_(data.rows()),
        cavities_(data.rows()),
        log_masses_(data.rows()),
        precision_(prior_precision()),
        precision_mean_(Vector::Zero(rows_.cols())),
        mean_(Vector::Zero(rows_.cols())),
        means_(Vector::Zero(rows_.rows())),
        variances_(rows_.rows()),
        factor_(precision_) {}

  LogisticRegressionFit run() {
    const auto start = std::chrono::steady_clock::now();
    bool is_whole = approach_mode() && set_variances();
    while (is_whole && fit_.iterations < options_.iterations && !fit_.has_converged && !run_.stop.requested()) {
      is_whole = update_sites() && set_posterior() && set_variances();
      if (!is_whole) break;
      ++fit_.iterations;
      fit_.has_converged = fit_.largest_marginal_kl <= options_.max_marginal_kl;
      if (run_.progress)
        run_.progress({.phase = "messages",
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
  static constexpr Index kBlock = 512;         // rows multiplied at a time: of 200 columns, they fit into a cache
  static constexpr std::size_t kGrain = 2048;  // rows of one task

  Matrix prior_precision() const { return Matrix::Identity(rows_.cols(), rows_.cols()) / options_.prior_variance; }

  /// Calls visit(task, first, count) for blocks of rows, in order within a task of `grain` rows; false if the stop came
  /// first.
  template <class Visit>
  bool for_each_block(std::size_t grain, const Visit& visit) const {
    std::atomic<bool> is_whole = true;
    parallel_for(data_.rows(), grain, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (auto first = static_cast<Index>(begin); first < static_cast<Index>(end); first += kBlock) {
        if (run_.stop.requested()) is_whole = false;
        if (!is_whole) return;
        visit(begin / grain, first, std::min(kBlock, static_cast<Index>(end) - first));
      }
    });
    return is_whole;
  }

  /// Sums of the sites over some rows.
  struct Sums {
    Matrix precision;  ///< its lower triangle
    Vector precision_mean;
    RowMatrix scratch;
  };

  /// Number of rows whose sites are added up by one task: their sums take memory.
  std::size_t rows_of_a_sum() const {
    constexpr double kMostNumbers = 1 << 23;
    const double numbers = std::max<double>(1, static_cast<double>(data_.columns * data_.columns));
    const auto sums = static_cast<std::size_t>(std::clamp(kMostNumbers / numbers, 1., 256.));
    const std::size_t share = (data_.rows() + sums - 1) / sums;
    return std::max(kGrain, (share + kBlock - 1) / kBlock * kBlock);
  }

  /// Sets the posterior to the prior times all sites, and the rows' means. If the stop comes first, the posterior stays
  /// as it was, and what rows have of it (means_, variances_) is of no use.
  bool set_posterior() {
    const std::size_t share = rows_of_a_sum();
    std::vector<Sums> sums((data_.rows() + share - 1) / share);
    const bool is_whole =
        for_each_block(share, [&](std::size_t task, Index first, Index count) { add_sites(first, count, sums[task]); });
    if (!is_whole) return false;
    Matrix precision = prior_precision();
    Vector precision_mean = Vector::Zero(rows_.cols());
    for (const Sums& sum : sums) {
      precision.triangularView<Eigen::Lower>() += sum.precision;
      precision_mean += sum.precision_mean;
    }
    factor_.compute(precision);
    const Vector mean = factor_.solve(precision_mean);
    const auto set_means = [&](std::size_t, Index first, Index count) {
      multiply(rows_.middleRows(first, count), mean, means_.segment(first, count));
    };
    if (!for_each_block(kGrain, set_means)) return false;
    precision_ = precision;
    precision_mean_ = precision_mean;
    mean_ = mean;
    return true;
  }

  void add_sites(Index first, Index count, Sums& sums) const {
    if (sums.precision.size() == 0) {
      sums.precision = Matrix::Zero(rows_.cols(), rows_.cols());
      sums.precision_mean = Vector::Zero(rows_.cols());
    }
    Vector precisions(count), precision_means(count);
    for (Index i = 0; i < count; ++i) {
      precisions[i] = sites_[static_cast<std::size_t>(first + i)].precision();
      precision_means[i] = sites_[static_cast<std::size_t>(first + i)].precision_mean();
    }
    const auto rows = rows_.middleRows(first, count);
    add_weighted_products(rows, precisions, sums.scratch, sums.precision);
    add_products(rows, precision_means, sums.precision_mean);
  }

  /// Sets the rows' variances to those of the posterior, |L^-1 x|^2. False if the stop came first.
  bool set_variances() {
    const Matrix lower = factor_.matrixL();
    return for_each_block(kGrain, [&](std::size_t, Index first, Index count) {
      RowMatrix scratch;
      squared_norms(rows_.middleRows(first, count), lower, scratch, variances_.segment(first, count));
    });
  }

  /// Takes Newton steps to the posterior's mode, halved where they go too far: the messages of many rows at once settle
  /// from there, but not always from the prior. False if the stop came amid a step.
  bool approach_mode() {
    constexpr int kMostSteps = 50, kMostHalfSteps = 20;
    constexpr double kClose = 1e-6;
    double score = log_joint();
    for (int step = 0; step < kMostSteps && !run_.stop.requested(); ++step) {
      const std::vector<Gaussian> before = sites_;
      for_each_site([&](std::size_t i) {
        const double z = means_[static_cast<Index>(i)], p = sigmoid(z);
        sites_[i] = Gaussian::from_natural(p * (1 - p) * z + (data_.labels[i] ? 1 : 0) - p, p * (1 - p));
      });
      if (!set_posterior()) return false;
      double moved = log_joint();
      for (int halving = 0; moved < score && halving < kMostHalfSteps; ++halving) {
        for_each_site([&](std::size_t i) { sites_[i] = power(before[i], .5) * power(sites_[i], .5); });
        if (!set_posterior()) return false;
        moved = log_joint();
      }
      const double gain = moved - score;
      score = moved;
      if (gain < kClose) break;
    }
    return true;
  }

  template <class Visit>
  void for_each_site(const Visit& visit) const {
    parallel_for(sites_.size(), kGrain, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) visit(i);
    });
  }

  /// Sum of term(i) over all rows.
  template <class Term>
  double sum_over_rows(const Term& term) const {
    return parallel_sum(sites_.size(), kGrain, run_.threads, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += term(i);
      return sum;
    });
  }

  /// log p(labels, weights) at the posterior's mean.
  double log_joint() const {
    constexpr std::size_t kFactors = 512;  // of at most 2, whose product is a number
    const double misfit = parallel_sum(sites_.size(), kGrain, run_.threads, [&](std::size_t begin, std::size_t end) {
      double sum = 0, product = 1;
      for (std::size_t i = begin; i < end; ++i) {
        const double z = means_[static_cast<Index>(i)];
        sum += std::max(data_.labels[i] ? -z : z, 0.);
        product *= 1 + std::exp(-std::abs(z));
        if ((i + 1 - begin) % kFactors == 0) sum += std::log(std::exchange(product, 1));
      }
      return sum + std::log(product);
    });
    return -mean_.squaredNorm() / (2 * options_.prior_variance) - misfit;
  }

  Gaussian marginal(std::size_t i) const {
    const auto row = static_cast<Index>(i);
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
      const auto row = rows_.row(static_cast<Index>(j)).transpose();
      precision += sites_[j].precision() * row * row.transpose();
      precision_mean += sites_[j].precision_mean() * row;
    }
    const Eigen::LLT<Matrix> factor(precision);
    const Vector row = rows_.row(static_cast<Index>(i)).transpose();
    return Gaussian::from_mean_variance(row.dot(factor.solve(precision_mean)), row.dot(factor.solve(row)));
  }

  /// Updates the message of every row. False if the stop came first: some are updated then, and some not.
  bool update_sites() {
    constexpr std::size_t kAtOnce = 8192;
    fit_.largest_marginal_kl = 0;
    const std::uint64_t skipped = fit_.skipped;
    std::uint64_t asked = 0, improper = 0;
    for (std::size_t begin = 0; begin < data_.rows(); begin += kAtOnce) {
      if (run_.stop.requested()) return false;
      improper += update_block(begin, std::min(begin + kAtOnce, data_.rows()), asked);
    }
    const std::uint64_t tried = asked + improper;
    // If no row could be updated, nothing moved, but nothing has settled either.
    if (tried > 0 && fit_.skipped - skipped == tried) fit_.largest_marginal_kl = kInfinity;
    return true;
  }

  /// Updates the messages of rows begin .. end - 1; returns how many of them would be improper. `asked`: messages asked
  /// for in this update.
  std::uint64_t update_block(std::size_t begin, std::size_t end, std::uint64_t& asked) {
    constexpr std::size_t kShare = 256;
    std::vector<Gaussian> cavities(end - begin);
    parallel_for(end - begin, kShare, run_.threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k)
        if (speaks(begin + k)) cavities[k] = cavity_of(begin + k);
    });
    std::uint64_t improper = 0;
    std::vector<std::size_t> updated;
    for (std::size_t i = begin; i < end; ++i) {
      if (!speaks(i)) continue;
      if (cavities[i - begin].is_proper()) updated.push_back(i);
      else ++improper;
    }
    std::vector<Message> incoming(2 * updated.size());  // [updated][slot]
    parallel_for(updated.size(), kShare, run_.threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) {
        incoming[2 * k] = data_.labels[updated[k]] ? Beta::from_counts(2, 1) : Beta::from_counts(1, 2);
        incoming[2 * k + 1] = cavities[updated[k] - begin];
      }
    });
    std::vector<Tilted> tilted(updated.size());
    logistic_.compute(1, asked, incoming, tilted);
    asked += updated.size();
    std::vector<double> moved(updated.size());  // [updated]: kSkipped, or the divergence
    parallel_for(updated.size(), kShare, run_.threads, [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k)
        moved[k] = update_site(updated[k], cavities[updated[k] - begin], tilted[k]);
    });
    count(moved, improper);
    return improper;
  }

  /// False for a row of zeros, which says nothing about the weights.
  bool speaks(std::size_t i) const { return variances_[static_cast<Index>(i)] > 0; }

  static constexpr double kSkipped = -1;

  /// Returns by how much the row's marginal moved, or kSkipped.
  double update_site(std::size_t i, const Gaussian& cavity, const Tilted& tilted) {
    const Gaussian& after = std::get<Gaussian>(tilted.marginal);
    const Gaussian site = after / cavity;
    // The logistic factor is log-concave: what follows is rounding, or an estimate's noise.
    if (!(site.precision() >= 0)) return kSkipped;
    const double moved = kl_divergence(after, marginal(i));
    sites_[i] = power(sites_[i], 1 - damping()) * power(site, damping());
    cavities_[i] = cavity;
    log_masses_[i] = tilted.log_mass - std::numbers::ln2;  // a label's message is half of its Beta
    return std::isnan(moved) ? kInfinity : std::max(moved, 0.);
  }

  void count(const std::vector<double>& moved, std::uint64_t improper) {
    fit_.skipped += improper;
    fit_.messages += moved.size();
    for (const double m : moved) {
      fit_.skipped += m == kSkipped;
      fit_.largest_marginal_kl = std::max(fit_.largest_marginal_kl, m);
    }
  }

  /// Full steps at first, which usually settle within ten; shorter ones if they oscillate.
  double damping() const {
    constexpr int kWhole = 20;
    return fit_.iterations < kWhole ? 1 : .5;
  }

  void finish() {
    fit_.posterior.natural.assign(precision_mean_.begin(), precision_mean_.end());
    for (Index i = 0; i < precision_.rows(); ++i)
      for (Index j = 0; j <= i; ++j) fit_.posterior.natural.push_back(precision_(i, j));
  }

  /// log Z = A(posterior) - A(prior) + sum_i log Z_i + A(cavity_i) - A(marginal_i), with log normalizers A (Minka 2001,
  /// equation 3.19).
  double log_evidence() const {
    MultivariateGaussian prior = MultivariateGaussian::uniform(data_.columns);
    for (std::size_t j = 0; j < data_.columns; ++j) prior.add_precision(j, j, 1 / options_.prior_variance);
    return fit_.posterior.log_normalizer() - prior.log_normalizer() + sum_over_rows([&](std::size_t i) {
             if (!cavities_[i].is_proper()) return std::log(.5);  // a row of zeros
             return log_masses_[i] + cavities_[i].log_normalizer() - (cavities_[i] * sites_[i]).log_normalizer();
           });
  }

  const LogisticData& data_;
  const LogisticRegressionOptions& options_;
  MessageSource& logistic_;
  const Run& run_;
  Eigen::Map<const RowMatrix> rows_;
  std::vector<Gaussian> sites_, cavities_;
  std::vector<double> log_masses_;
  Matrix precision_;  // its lower triangle
  Vector precision_mean_, mean_, means_, variances_;
  Eigen::LLT<Matrix> factor_;
  LogisticRegressionFit fit_;
};

}  // namespace

LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options,
                                   MessageSource& logistic, const Run& run) {
  validate(options);
  FOVEA_CHECK(data.values.size() == data.rows() * data.columns);
  return ExpectationPropagation(data, options, logistic, run).run();
}

LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options, const Run& run) {
  const LogisticOperator logistic;
  DirectSource source(logistic, Random(), run.threads);
  return fit_logistic(data, options, source, run);
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
