// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/cli/run/command.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::cli {

/// Weights from labels: a column of true clusters, or a table of pairs.
class LabelLearning {
 public:
  void bind(Binder& binder);

  bool is_asked_for() const { return !options_.labels.empty() || !options_.labelled_pairs.empty(); }

  /// Throws UsageError for labels of both kinds.
  void check() const;
  bool are_pairs() const { return !options_.labelled_pairs.empty(); }

  /// Corrects what was learned without labels by a table of pairs.
  linkage::MatchParameters correct(linkage::MatchParameters known, const linkage::RecordMatching& matching,
                                   const io::IdIndex& ids, const Context& context) const;

  /// From a column of true clusters. `with_calibration`: also what a chain's shares of samples are worth, where there
  /// is one blocking rule.
  linkage::MatchParameters learn(const linkage::RecordMatching& matching, bool with_calibration,
                                 const linkage::ComponentClusteringOptions& clustering,
                                 const linkage::JobControl& control, const Context& context) const;

 private:
  struct Options {
    std::string labels, labelled_pairs;

    template <class V>
    static void describe(V&& visit) {
      visit(&Options::labels,
            OptionInfo{.name = "labels",
                       .description = "Column of true clusters, or nothing where they are not known, to learn the "
                                      "weights from. With -o NAME.er, the model is all that is written.",
                       .value_name = "COLUMN"});
      visit(&Options::labelled_pairs,
            OptionInfo{.name = "labelled-pairs",
                       .description = "Table of pairs that correct what is learned without labels: first_id, "
                                      "second_id, match (1 or 0), say what --pairs wrote, with a column added.",
                       .value_name = "FILE",
                       .file = FileRole::kInput});
    }
  };

  Options options_;
  linkage::LearnMatchingOptions learning_;
};

}  // namespace fovea::cli
