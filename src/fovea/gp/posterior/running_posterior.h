// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include "fovea/gp/posterior/unary_posterior.h"

namespace fovea::gp {

/// Prior times sites as a sum that some sites can be taken out of and others put into, at a cost that does not depend
/// on how many there are in all. Rounding adds up in single precision: in the end make the posterior anew.
class RunningPosterior {
 public:
  /// The prior.
  RunningPosterior(std::size_t labels, std::size_t points);

  /// `rows`: the items' projected features. O(items * M^2 * |V|).
  void replace(const Eigen::Ref<const LargeRows>& rows, const Sites& before, const Sites& after, int threads);
  /// O(|V| M^3).
  UnaryPosterior posterior(int threads) const;
  /// log of the integral of prior times sites, up to a constant, of which `posterior` is what posterior() gave.
  double log_evidence(const UnaryPosterior& posterior) const;

 private:
  std::vector<LargeColumns> precisions_;  // [label] lower triangle
  RowMatrix linear_;                      // |V| x M
};

}  // namespace fovea::gp
