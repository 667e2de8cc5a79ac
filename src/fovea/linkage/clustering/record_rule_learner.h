// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/linkage/clustering/attribute_pairs.h"
#include "fovea/linkage/clustering/record_rule.h"

namespace fovea::linkage {

/// What proposals brought, by what was known before them.
class RecordTrace {
 public:
  struct Cell {
    double proposals = 0;
    double gain = 0;  ///< of all: moves that improved the score, less those that worsened it
  };
  using Cells = std::array<Cell, RecordFeatures::kCount>;

  /// A proposal for one of so many records.
  void add(const RecordFeatures& features, std::size_t records, double gain) {
    Cell& cell = cells_[records][features.index()];
    ++cell.proposals;
    cell.gain += gain;
  }

  /// Calls visit(features, records, Cell) for those with proposals.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& [records, cells] : cells_)
      for_each_record_features([&, records = records, &cells = cells](const RecordFeatures& features) {
        if (cells[features.index()].proposals > 0) visit(features, records, cells[features.index()]);
      });
  }

 private:
  std::map<std::size_t, Cells> cells_;  // [number of records]
};

/// The rule w that minimises the convex
///
///   sum over proposals of exp(w . x) - gain w . x    + |w|^2 / 2 but for the bias
///
/// which is Poisson regression: with x of a single term 1, exp(w) is the mean gain. Throws InternalError unless
/// something was gained.
RecordRule fit_record_rule(const RecordTrace& trace);

struct RecordRuleLearnerOptions {
  int rounds = 3;
  int sweeps = 24;
  double temperature = 0.5;

  template <class V>
  static void describe(V&& visit) {
    using O = RecordRuleLearnerOptions;
    visit(&O::rounds, OptionInfo{.name = "rounds",
                                 .description = "Times that all models are clustered, by the rule learned so far.",
                                 .min = 1,
                                 .max = 100});
    visit(&O::sweeps, OptionInfo{.name = "sweeps", .description = "Proposals for each mention.", .min = 1, .max = 1e4});
    visit(&O::temperature, OptionInfo{.name = "temperature", .description = "Divides the log score.", .min = 1e-6});
  }
};

/// Learns a rule from chains that start from singletons: first with all records in turns, then with those that the
/// rule so far prefers, so that it learns what it will meet. At least one of the models has pairs that match.
RecordRule learn_record_rule(std::span<const AttributePairs> models, const RecordRuleLearnerOptions& options,
                             const Random& random);

}  // namespace fovea::linkage
