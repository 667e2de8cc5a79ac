// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/running_posterior.h"

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::gp {

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
    for (int pass = 0; pass < 2; ++pass) {  // the second for what rounding left of the equations
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
