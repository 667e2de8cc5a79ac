// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/unary_posterior.h"

#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

/// Rows that are multiplied at a time: what a product of matrices keeps in the cache.
constexpr Index kRows = 512;
/// Tasks for threads; each has a matrix of its own to add to.
constexpr std::size_t kMostChunks = 8;

/// Adds sum_t precision_t a_t a_t^T over the items [begin, end) to the lower triangle.
void add_weighted_products(const RowMatrix& projected, const RowMatrix& precisions, Index label, Index begin, Index end,
                           ColumnMatrix& products) {
  RowMatrix rows(std::min(kRows, end - begin), projected.cols());
  Index used = 0;
  const auto add_rows = [&] {
    add_products(rows.topRows(used), products);
    used = 0;
  };
  for (Index t = begin; t < end; ++t) {
    if (!(precisions(t, label) >= UnaryPosterior::kLeastPrecision)) continue;
    rows.row(used++) = std::sqrt(precisions(t, label)) * projected.row(t);
    if (used == rows.rows()) add_rows();
  }
  add_rows();
}

}  // namespace

UnaryPosterior::UnaryPosterior(std::size_t labels, std::size_t inducing_points)
    : means_(RowMatrix::Zero(index(labels), index(inducing_points))),
      factors_(labels, ColumnMatrix::Identity(index(inducing_points), index(inducing_points))),
      divergences_(labels) {}

UnaryPosterior::UnaryPosterior(const RowMatrix& projected, const Sites& sites, int threads)
    : UnaryPosterior(size(sites.precision.cols()), size(projected.cols())) {
  const std::size_t items = size(projected.rows());
  const std::size_t grain = std::max(size(kRows), (items + kMostChunks - 1) / kMostChunks);
  const RowMatrix linear = sites.linear.transpose() * projected;
  std::vector<ColumnMatrix> partial((items + grain - 1) / grain);
  for (Index j = 0; j < index(labels()); ++j) {
    parallel_for(items, grain, threads, [&](std::size_t begin, std::size_t end) {
      ColumnMatrix& products = partial[begin / grain];
      products.setZero(projected.cols(), projected.cols());
      add_weighted_products(projected, sites.precision, j, index(begin), index(end), products);
    });
    ColumnMatrix& sum = factors_[size(j)];  // starts as the prior's precision
    for (const ColumnMatrix& products : partial) sum += products;
  }
  parallel_for(labels(), 1, threads, [&](std::size_t j, std::size_t) {
    set_label(index(j), std::move(factors_[j]), linear.row(index(j)));
  });
  divergence_ = std::accumulate(divergences_.begin(), divergences_.end(), 0.0);
}

/// KL(N(m, P^{-1}) || N(0, I)) = (tr P^{-1} + m^T m - M + log det P) / 2.
void UnaryPosterior::set_label(Index label, ColumnMatrix precision, const Vector& linear) {
  const Eigen::LLT<ColumnMatrix> decomposed(precision);
  FOVEA_CHECK(decomposed.info() == Eigen::Success);
  ColumnMatrix& factor = factors_[size(label)] = decomposed.matrixL();
  means_.row(label) = decomposed.solve(linear);
  ColumnMatrix inverse = ColumnMatrix::Identity(factor.rows(), factor.cols());
  solve_lower(factor, inverse);
  divergences_[size(label)] = .5 * (inverse.squaredNorm() + means_.row(label).squaredNorm() -
                                    static_cast<double>(factor.rows())) +
                              factor.diagonal().array().log().sum();
}

}  // namespace fovea::gp
