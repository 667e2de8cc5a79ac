// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/doeblin/doeblin_gradient.h"

namespace fovea {

double DoeblinGradient::mass_error() const {
  const auto runs = static_cast<double>(runs_);
  const double variance = std::max(0.0, squares_ - mass_ * mass_ / runs) / (runs - 1);
  return std::sqrt(variance / runs);
}

std::vector<double> DoeblinGradient::gradient() const {
  std::vector<double> gradient(sum_.size());
  if (mass_ > 0)
    for (std::size_t i = 0; i < sum_.size(); ++i) gradient[i] = sum_[i] / mass_;
  return gradient;
}

}  // namespace fovea
