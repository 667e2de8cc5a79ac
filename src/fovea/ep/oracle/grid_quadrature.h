// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

struct GridQuadratureOptions {
  double accuracy = 1e-9;
  int most_points = 1'000'000;

  static void describe(auto&& visit) {
    using O = GridQuadratureOptions;
    visit(&O::accuracy,
          number_in(1e-13, 1e-1, "accuracy",
                    "Grids are refined until moments and log mass change by less than this, in standard deviations."));
    visit(&O::most_points, number_in(100, 1e9, "most-points", "Maximum number of points of a grid."));
  }
};

/// Messages of a factor with a density, by the trapezoid rule on grids over all of its unknown variables, at most three
/// (known and discrete ones do not count). Grids are even in x for Gaussians, log x for Gammas and logit x for Betas,
/// so that the error of smooth densities falls exponentially as steps are halved; discrete variables are summed. Grids
/// close in on the mass, so a peak may be far narrower than the messages. Slots are the child and its parents.
class GridQuadrature : public Operator {
 public:
  /// Throws UsageError if the factor has no density.
  GridQuadrature(FactorFunctions factor, std::size_t parents, const GridQuadratureOptions& options = {});

  std::string_view name() const override { return factor_.name; }
  std::size_t slot_count() const override { return 1 + parents_; }

  /// If nothing else is known of the child, the grid covers what its parents allow.
  bool takes_improper(std::size_t slot) const override { return slot == 0; }

  /// expected_error is the last change by halving the steps, as a marginal KL. Throws InputError, which names the
  /// factor, for more than three unknown variables.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<double> log_value(std::span<const double> values) const override { return factor_.log_density(values); }

  /// Part of a variable's line that a grid covers, in the coordinate in which the grid is even.
  struct Range {
    double first = 0, end = 0;
    std::size_t steps = 16;
  };

 private:
  /// Halves the steps, and leaves out what turns out to have no mass, until the marginal settles.
  Tilted refine(std::size_t slot, std::span<const Message> incoming, std::vector<Range> ranges) const;

  FactorFunctions factor_;
  std::size_t parents_;
  GridQuadratureOptions options_;
};

}  // namespace fovea::ep
