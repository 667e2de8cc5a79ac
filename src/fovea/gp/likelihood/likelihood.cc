// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/likelihood.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::gp {
namespace {

constexpr int kBurnIn = 20, kSweeps = 100;

/// Replaces the entries by their exponentials, scaled to sum 1.
void normalize(std::span<double> log_weights) {
  const double highest = *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0;
  for (double& w : log_weights) sum += w = std::exp(w - highest);
  for (double& w : log_weights) w /= sum;
}

}  // namespace

double Likelihood::gradients(Matrix<const double>, Matrix<const double>, Labels, const Gradients&) const {
  throw InternalError("this likelihood has no gradients");
}

/// Rao-Blackwell: averages the conditional distribution at each visit, not the label drawn from it.
void Likelihood::marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
  const std::size_t label_count = unary.columns();
  std::vector<Value> labels;
  for (std::size_t t = 0; t < unary.rows(); ++t) {
    const auto row = unary.row(t);
    labels.push_back(static_cast<Value>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  std::fill(out.all().begin(), out.all().end(), 0);
  Random random(1);
  std::vector<double> weights(label_count);
  for (int sweep = -kBurnIn; sweep < kSweeps; ++sweep)
    for (std::size_t t = 0; t < labels.size(); ++t) {
      for (std::size_t j = 0; j < label_count; ++j) {
        labels[t] = static_cast<Value>(j);
        weights[j] = log_density(unary, pairwise, labels);
      }
      normalize(weights);
      labels[t] = static_cast<Value>(random.categorical(std::span<const double>(weights)));
      if (sweep >= 0)
        for (std::size_t j = 0; j < label_count; ++j) out(t, j) += weights[j] / kSweeps;
    }
}

}  // namespace fovea::gp
