// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/covariance/sparse_row.h"

namespace fovea::gp {

double inner_product(SparseRow x, SparseRow y) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x.column(i) == y.column(j)) sum += double{x.value(i++)} * y.value(j++);
    else if (x.column(i) < y.column(j)) ++i;
    else ++j;
  }
  return sum;
}

}  // namespace fovea::gp
