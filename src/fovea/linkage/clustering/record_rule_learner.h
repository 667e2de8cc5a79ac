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

/// Gains of proposals, by the features of the record before the proposal.
class RecordTrace {
 public:
  struct Cell {
    double proposals = 0;
    double gain = 0;  ///< total: moves that improved the score, minus those that worsened it
  };
  using Cells = std::array<Cell, RecordFeatures::kCount>;

  /// Adds a proposal for one of `records` records.
  void add(const RecordFeatures& features, std::size_t records, double gain) {
    Cell& cell = cells_[records][features.index()];
    ++cell.proposals;
    cell.gain += gain;
  }

  /// Calls visit(features, records, Cell) for each cell with proposals.
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
///   sum over proposals of exp(w . x) - gain w . x    + |w|^2 / 2 without the bias
///
/// This is Poisson regression: if x is the single term 1, exp(w) is the mean gain. Throws InternalError unless the
/// total gain is positive.
RecordRule fit_record_rule(const RecordTrace& trace);

struct RecordRuleLearnerOptions {
  int rounds = 3;
  int sweeps = 24;
  double temperature = 0.5;

  static void describe(auto&& visit) {
    using O = RecordRuleLearnerOptions;
    visit(&O::rounds,
          number_in(1, 100, "rounds", "Number of times that all models are clustered, by the rule learned so far."));
    visit(&O::sweeps, number_in(1, 1e4, "sweeps", "Number of proposals for each mention."));
    visit(&O::temperature, number_from(1e-6, "temperature", "Temperature; it divides the log score."));
  }
};

/// Learns a rule from chains that start from singletons: first all records take turns, then those that the rule so far
/// prefers, so that it learns from the cases that it will meet. At least one of the models must have pairs that match.
RecordRule learn_record_rule(std::span<const AttributePairs> models, const RecordRuleLearnerOptions& options,
                             const Random& random);

}  // namespace fovea::linkage
