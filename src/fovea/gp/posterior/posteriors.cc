// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/posteriors.h"

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::gp {

RowMatrix AttributeMeans::at(const SparseRows& rows, std::size_t begin, std::size_t end) const {
  RowMatrix means = RowMatrix::Zero(index(end - begin), index(labels_));
  const std::size_t known = columns();
  for (std::size_t r = begin; r < end; ++r)
    for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e) {
      if (rows.columns[e] >= known) continue;
      const double value = rows.value(e);
      const float* weights = weights_.data() + rows.columns[e] * labels_;
      double* row = means.row(index(r - begin)).data();
      for (std::size_t j = 0; j < labels_; ++j) row[j] += value * weights[j];
    }
  return means;
}

double AttributeMeans::squared_norm() const {
  double sum = 0;
  for (const float weight : weights_) sum += double{weight} * weight;
  return sum;
}

namespace {

/// Number of rows multiplied at a time: as many as a matrix product keeps in the cache.
constexpr Index kRows = 512;
/// Maximum number of tasks for threads; each has a matrix of its own to add to.
constexpr std::size_t kMostChunks = 8;

/// Adds sum_t precision_t a_t a_t^T over the items [begin, end) to the lower triangle.
void add_weighted_products(const LargeRows& projected, const RowMatrix& precisions, Index label, Index begin, Index end,
                           LargeColumns& products) {
  LargeRows rows(std::min(kRows, end - begin), projected.cols());
  Index used = 0;
  for (Index t = begin; t < end; ++t) {
    if (!(precisions(t, label) > 0)) continue;
    rows.row(used++) = static_cast<float>(std::sqrt(precisions(t, label))) * projected.row(t);
    if (used < rows.rows()) continue;
    add_products(rows, products);
    used = 0;
  }
  add_products(rows.topRows(used), products);
}

}  // namespace

UnaryPosterior::UnaryPosterior(std::size_t labels, std::size_t inducing_points)
    : means_(RowMatrix::Zero(index(labels), index(inducing_points))),
      factors_(labels, LargeColumns::Identity(index(inducing_points), index(inducing_points))) {}

UnaryPosterior::UnaryPosterior(const LargeRows& projected, const Sites& sites, int threads)
    : UnaryPosterior(size(sites.precision.cols()), size(projected.cols())) {
  const std::size_t items = size(projected.rows());
  const std::size_t grain = std::max(size(kRows), (items + kMostChunks - 1) / kMostChunks);
  std::vector<LargeColumns> partial((items + grain - 1) / grain);
  for (Index j = 0; j < index(labels()); ++j) {
    parallel_for(items, grain, threads, [&](std::size_t begin, std::size_t end) {
      LargeColumns& products = partial[begin / grain];
      products.setZero(projected.cols(), projected.cols());
      add_weighted_products(projected, sites.precision, j, index(begin), index(end), products);
    });
    LargeColumns& sum = factors_[size(j)];  // starts as the prior's precision
    for (const LargeColumns& products : partial) sum += products;
  }
  parallel_for(labels(), 1, threads, [&](std::size_t j, std::size_t) { FOVEA_CHECK(factorize(factors_[j])); });
  // Two passes; the second corrects the rounding error of the first, so that the means are as exact as doubles.
  for (int pass = 0; pass < 2; ++pass) {
    RowMatrix sums = sites.linear;
    if (pass > 0) sums -= (sites.precision.array() * project(projected, means_).array()).matrix();
    RowMatrix right = back_project(projected, sums) - means_;
    for (std::size_t j = 0; j < labels(); ++j) {
      Eigen::VectorXf solution = right.row(index(j)).cast<float>();
      factors_[j].triangularView<Eigen::Lower>().solveInPlace(solution);
      factors_[j].triangularView<Eigen::Lower>().transpose().solveInPlace(solution);
      means_.row(index(j)) += solution.cast<double>().transpose();
    }
  }
}

double UnaryPosterior::divergence(double precisions_times_variances) const {
  double sum = means_.squaredNorm() - precisions_times_variances;
  for (const LargeColumns& factor : factors_) sum += 2 * factor.diagonal().cast<double>().array().log().sum();
  return sum / 2;
}

RunningPosterior::RunningPosterior(std::size_t labels, std::size_t points)
    : precisions_(labels, LargeColumns::Identity(index(points), index(points))),
      linear_(RowMatrix::Zero(index(labels), index(points))) {}

void RunningPosterior::replace(const Eigen::Ref<const LargeRows>& rows, const Sites& before, const Sites& after,
                               int threads) {
  parallel_for(precisions_.size(), 1, threads, [&](std::size_t j, std::size_t) {
    for (const double sign : {1.0, -1.0}) {
      const Vector weights = (sign > 0 ? after : before).precision.col(index(j));
      LargeRows weighted(rows.rows(), rows.cols());
      Index used = 0;
      for (Index t = 0; t < rows.rows(); ++t)
        if (weights[t] > 0) weighted.row(used++) = static_cast<float>(std::sqrt(weights[t])) * rows.row(t);
      add_products(weighted.topRows(used), precisions_[j], static_cast<float>(sign));
    }
  });
  linear_ += back_project(rows, after.linear - before.linear);
}

UnaryPosterior RunningPosterior::posterior(int threads) const {
  std::vector<LargeColumns> factors = precisions_;
  RowMatrix means = RowMatrix::Zero(linear_.rows(), linear_.cols());
  parallel_for(factors.size(), 1, threads, [&](std::size_t j, std::size_t) {
    FOVEA_CHECK(factorize(factors[j]));
    Vector left = linear_.row(index(j)).transpose();
    for (int pass = 0; pass < 2; ++pass) {  // the second corrects the first's rounding error
      Eigen::VectorXf solution = left.cast<float>();
      factors[j].triangularView<Eigen::Lower>().solveInPlace(solution);
      factors[j].triangularView<Eigen::Lower>().transpose().solveInPlace(solution);
      means.row(index(j)) += solution.cast<double>().transpose();
      if (pass == 0)
        left -= (precisions_[j].selfadjointView<Eigen::Lower>() * means.row(index(j)).transpose().cast<float>())
                    .cast<double>();
    }
  });
  return UnaryPosterior(std::move(means), std::move(factors));
}

double RunningPosterior::log_evidence(const UnaryPosterior& posterior) const {
  double sum = .5 * linear_.cwiseProduct(posterior.means()).sum();
  for (std::size_t j = 0; j < posterior.labels(); ++j)
    sum -= posterior.factor(j).diagonal().cast<double>().array().log().sum();
  return sum;
}

}  // namespace fovea::gp
