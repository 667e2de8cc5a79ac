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

  template <class V>
  static void describe(V&& visit) {
    using O = ImportanceSamplingOptions;
    visit(&O::samples, OptionInfo{.name = "samples", .description = "Draws for each message", .min = 100, .max = 1e9});
    visit(&O::adaptive,
          OptionInfo{.name = "adaptive",
                     .description = "Draw most of them from what the first tenth suggests, the rest from the incoming "
                                    "messages; else all from these"});
  }
};

/// Messages of any factor, by weighted draws (Barthelme and Chopin 2011; Heess, Tarlow and Winn 2013). Slots are the
/// child and then the parents, of scalar families or Points.
///
/// Parents are drawn from their incoming messages. A factor with a sampler draws the child given them, which the
/// child's incoming message weighs; one with a density alone draws the child from its incoming message too.
///
/// The adaptive form differs in two ways. Where a first tenth of the draws is worth less than half of them, it fits
/// proposals of the parents' families to these, in some rounds of as many draws where messages disagree, and draws the
/// rest from half and half of both, each weighed by the mixture that it comes from. And what it estimates of a variable
/// drawn is the difference that the factor makes to its incoming moments, which are known: with the incoming moments as
/// control variates its error shrinks with what the factor tells, so that little is not lost in noise.
class ImportanceSampling : public Operator {
 public:
  /// `parents` >= 0 of them. Throws UsageError if the factor has neither function.
  ImportanceSampling(FactorFunctions factor, std::size_t parents, const ImportanceSamplingOptions& options);

  std::string_view name() const override { return factor_.name; }
  std::size_t slot_count() const override { return 1 + parents_; }

  /// A sampler draws a child of which nothing else is known.
  bool takes_improper(std::size_t slot) const override { return slot == 0 && factor_.sample; }

  /// expected_error is that of moments from as many independent draws as the weights are worth.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<double> log_value(std::span<const double> values) const override;

 private:
  class Draws;
  FactorFunctions factor_;
  std::size_t parents_;
  ImportanceSamplingOptions options_;
};

}  // namespace fovea::ep
