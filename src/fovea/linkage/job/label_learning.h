// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::linkage {

/// Labels to learn weights from: a column of true clusters, or a table of pairs.
struct LabelOptions {
  std::string labels = "", labelled_pairs = "";

  static void describe(auto&& visit) {
    visit(&LabelOptions::labels, option("labels",
                                        "Column of true clusters, empty where they are not known, to learn the weights "
                                        "from. With -o NAME.er, only the model is written.",
                                        "COLUMN"));
    visit(&LabelOptions::labelled_pairs,
          input_file("labelled-pairs",
                     "Table of labelled pairs that correct what is learned without labels, with the columns first_id, "
                     "second_id and match (1 or 0): for example what option 'pairs' wrote, with a column added."));
  }
};

/// Learns weights from labels.
class LabelLearning {
 public:
  /// `pairs`: a table of pairs in memory, or null; must outlive the object.
  LabelLearning(LabelOptions options, const LearnMatchingOptions& learning, const io::Table* pairs = nullptr)
      : options_(std::move(options)), learning_(learning), pairs_(pairs) {}

  bool is_asked_for() const { return !options_.labels.empty() || are_pairs(); }

  /// Throws UsageError for labels of both kinds.
  void check() const;
  bool are_pairs() const { return pairs_ || !options_.labelled_pairs.empty(); }

  /// Corrects what was learned without labels by a table of pairs. Throws UsageError for pairs in a file if there are
  /// no ids (null).
  MatchParameters correct(MatchParameters known, const RecordMatching& matching, const io::IdIndex* ids,
                          const Run& run) const;

  /// Learns from a column of true clusters. `with_calibration`: also calibrates a chain's shares of samples, if there
  /// is one blocking rule.
  MatchParameters learn(const RecordMatching& matching, bool with_calibration,
                        const ComponentClusteringOptions& clustering, const Run& run) const;

 private:
  LabelOptions options_;
  LearnMatchingOptions learning_;
  const io::Table* pairs_;
};

}  // namespace fovea::linkage
