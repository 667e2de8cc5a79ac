// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

struct ImportanceSamplingOptions {
  int samples = 20000;
  bool adaptive = true;

  static void describe(auto&& visit) {
    using O = ImportanceSamplingOptions;
    visit(&O::samples, number_in(100, 1e9, "samples", "Number of draws for each message."));
    visit(&O::adaptive, option("adaptive",
                               "Draw most samples from proposals fitted to the first tenth, and the rest from the "
                               "incoming messages. Otherwise all are drawn from the incoming messages."));
  }
};

/// Messages of any factor, by weighted draws (Barthelme and Chopin 2011; Heess, Tarlow and Winn 2013). Slots are the
/// child and then the parents, of scalar families or Points.
///
/// Parents are drawn from their incoming messages. A factor with a sampler draws the child given them, and the child's
/// incoming message weights the draw; if there is only a density, the child too is drawn from its incoming message.
///
/// The adaptive form differs in two ways. First, if a first tenth of the draws is worth less than half its number, it
/// fits proposals of the parents' families to these draws, in several rounds of as many draws if messages disagree. It
/// draws the rest half from the proposals and half from the incoming messages, each weighted by the mixture that it
/// comes from. Second, for a variable that is drawn it estimates the difference that the factor makes to the incoming
/// moments, which are known. With the incoming moments as control variates, the error shrinks with the information from
/// the factor, so that a weak message is not lost in noise.
class ImportanceSampling : public Operator {
 public:
  /// The factor has `parents` >= 0 parents. Throws UsageError if it has neither function.
  ImportanceSampling(FactorFunctions factor, std::size_t parents, const ImportanceSamplingOptions& options);

  std::string_view name() const override { return factor_.name; }
  std::size_t slot_count() const override { return 1 + parents_; }

  /// A sampler can draw a child of which nothing else is known. A density is then integrated on grids (GridQuadrature),
  /// which takes at most three unknown variables.
  bool takes_improper(std::size_t slot) const override { return slot == 0 && (factor_.sample || parents_ < 3); }

  /// expected_error is the error of moments from as many independent draws as the weights are worth.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<double> log_value(std::span<const double> values) const override;

 private:
  class Draws;
  FactorFunctions factor_;
  std::size_t parents_;
  ImportanceSamplingOptions options_;
};

}  // namespace fovea::ep
