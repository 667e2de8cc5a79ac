// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

struct SigmaPointOptions {
  double tolerance = 1e-3;
  int iterations = 10;

  static void describe(auto&& visit) {
    using O = SigmaPointOptions;
    visit(&O::tolerance, number_in(1e-12, 1, "sigma-tolerance",
                                   "The line is fitted again until the parents move by less than this, in their "
                                   "standard deviations."));
    visit(&O::iterations, number_in(1, 1000, "sigma-iterations", "Maximum number of fits of the line."));
  }
};

/// Messages of a factor whose child is a function of its parents without chance, by posterior linearisation
/// (Garcia-Fernandez, Svensson, Morelande and Sarkka 2015): the function is replaced by the line, with noise, that fits
/// it best under a Gaussian for the parents, whose expectations are taken over 2n + 1 sigma points for n unknown
/// parents (Julier and Uhlmann 2004); the line and the child's message give a new Gaussian, under which the line is
/// fitted again. A message takes tens of calls of the function where draws take thousands. It is approximate: the
/// tilted distribution is taken to be Gaussian, so that errors grow as the function bends within its width.
///
/// Slots are the child and then its parents: Gaussians, vectors (MultivariateGaussian) or known numbers. The function
/// takes all their numbers, those of a vector one after the other. Give unknowns that many factors share as one vector:
/// messages to it keep their correlations, which messages to each of them lose.
class SigmaPoints : public Operator {
 public:
  /// Throws UsageError if the factor has no sampler.
  SigmaPoints(FactorFunctions factor, std::size_t parents, const SigmaPointOptions& options = {});

  std::string_view name() const override { return factor_.name; }
  std::size_t slot_count() const override { return 1 + parents_; }

  /// If nothing else is known of the child, the line is fitted once, under the parents' messages.
  bool takes_improper(std::size_t slot) const override { return slot == 0; }

  /// expected_error is that of approximate values, 0 without them: nothing is left to chance. Throws InputError, which
  /// names the factor, if an unknown variable is not Gaussian, if two calls at one point differ, or if the function
  /// fails.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;

 private:
  class Line;
  void require_no_chance(const std::vector<double>& point) const;
  FactorFunctions factor_;
  std::size_t parents_;
  SigmaPointOptions options_;
  mutable std::atomic<bool> is_checked_ = false;
};

}  // namespace fovea::ep
