// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/attribute_means.h"

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

}  // namespace fovea::gp
