// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/site_step.h"

namespace fovea::gp {
namespace {

/// A site of less precision * |a|^2 hardly narrows the posterior, but costs as much as the others: it may as well say
/// nothing of the variance, for any sites make a posterior.
constexpr double kLeastInformation = 1e-3;

}  // namespace

void step_sites(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means, const SiteExpectations& expectations,
                double rho, Sites& sites) {
  const RowMatrix curvatures = expectations.curvatures.cwiseMax(0);
  sites.precision += rho * (curvatures - sites.precision);
  sites.linear += rho * (curvatures.cwiseProduct(means) + expectations.slopes - sites.linear);
  for (Index t = 0; t < means.rows(); ++t) {
    const double squared_norm = rows.row(t).squaredNorm();
    for (Index j = 0; j < means.cols(); ++j) {
      double& precision = sites.precision(t, j);
      if (precision * squared_norm >= kLeastInformation) continue;
      sites.linear(t, j) -= precision * means(t, j);  // pulls as before where the function is now
      precision = 0;
    }
  }
}

}  // namespace fovea::gp
