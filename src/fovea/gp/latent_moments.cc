// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/latent_moments.h"

#include <algorithm>

#include "fovea/base/parallel.h"
#include "fovea/gp/fitted_gp.h"
#include "fovea/gp/posterior/latent_draws.h"

namespace fovea::gp {
namespace {

/// Some consecutive items.
struct LabelledItems {
  std::size_t first;
  Labels labels;
};

/// Adds the component's share of E[f] and E[f^2] at those of the items that have this label.
void add_moments(const PosteriorComponent& component, std::size_t label, const LabelledItems& items,
                 const SparseRows& rows, const RowMatrix& projected, std::span<const double> prior,
                 LatentMoments& moments) {
  std::vector<Index> at;
  for (std::size_t i = 0; i < items.labels.size(); ++i)
    if (items.labels[i] == label) at.push_back(index(i));
  if (at.empty()) return;
  const RowMatrix chosen = projected(at, Eigen::all);
  LargeColumns whitened = chosen.transpose().cast<float>();
  if (!component.unary.is_point()) solve_lower(component.unary.factor(label), whitened);
  const AttributeMeans* given = component.unary.attribute_means();
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::size_t row = size(at[i]);
    const double mean = given ? given->at(rows, row, row + 1)(0, index(label))
                              : chosen.row(index(i)).dot(component.unary.means().row(index(label)));
    const double of_points = component.unary.is_point() ? 0 : whitened.col(index(i)).squaredNorm();
    const double residual = std::max(0.0, prior[row] - chosen.row(index(i)).squaredNorm());
    moments.means[items.first + row] += component.weight * mean;
    moments.variances[items.first + row] += component.weight * (residual + of_points + mean * mean);
  }
}

}  // namespace

LatentMoments latent_moments(const FittedGp& fitted, const Sequences& sequences, Labels labels, int threads) {
  const std::size_t items = sequences.item_count();
  LatentMoments moments{.means = std::vector<double>(items), .variances = std::vector<double>(items)};
  parallel_for(items, kBlockItems, threads, [&](std::size_t begin, std::size_t end) {
    const SparseRows rows = rows_between(sequences, begin, end);
    const RowMatrix projected = fitted.points.project(rows);
    std::vector<double> prior(end - begin);
    fitted.points.covariance().diagonal(rows, prior);
    for (const PosteriorComponent& component : fitted.posterior)
      for (std::size_t j = 0; j < component.unary.labels(); ++j)
        add_moments(component, j, {begin, labels.subspan(begin, end - begin)}, rows, projected, prior, moments);
  });
  for (std::size_t i = 0; i < items; ++i)
    moments.variances[i] = std::max(0.0, moments.variances[i] - moments.means[i] * moments.means[i]);
  return moments;
}

}  // namespace fovea::gp
