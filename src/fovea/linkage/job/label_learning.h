// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/components/component_solver.h"
#include "fovea/linkage/matching/known_pairs.h"
#include "fovea/linkage/matching/labelled_pairs.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fovea/linkage/weights/label_correction.h"

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
  /// Reads the labelled pairs. Throws UsageError for pairs in a file if there are no ids.
  std::vector<LabelledRowPair> read_pairs(const PairNames& names) const;

  /// Finds the clusters of all records by these parameters, [row].
  using ClusterFunction = std::function<std::vector<std::uint32_t>(const MatchParameters&)>;

  /// Corrects what was learned without labels (correct_by_labels) by a table of pairs, or by the labelled ones of all
  /// candidate pairs. Pairs that are judged one by one may make worse clusters, so a correction has to prove itself:
  /// that of one half of the labels must find clusters that fit the other half better than no correction does. Throws
  /// UsageError for pairs in a file if `names` has no ids.
  MatchParameters correct(const MatchParameters& known, const RecordMatching& matching, const PairNames& names,
                          const ClusterFunction& cluster, const Run& run) const;

  /// True if blocks of a single rule are labelled throughout: then nothing need be learned without labels.
  bool are_complete(const RecordMatching& matching) const;
  /// Learns from a column of true clusters alone, for blocks of a single rule. `with_calibration`: also calibrates a
  /// chain's shares of samples.
  MatchParameters learn(const RecordMatching& matching, bool with_calibration,
                        const ComponentClusteringOptions& clustering, const Run& run) const;

 private:
  struct Labels {
    std::vector<LabelledExample> examples;
    std::vector<UnlabelledExample> unlabelled;
    /// Fit of clusters, [row], to the labels of one half of the groups; higher is better.
    std::function<double(std::span<const std::uint32_t> clusters, std::uint32_t half)> score;
    const char* score_name;
  };
  Labels labels_of_pairs(const MatchModel& model, const RecordMatching& matching, const PairNames& names,
                         const Run& run) const;
  Labels labels_of_clusters(const MatchModel& model, const RecordMatching& matching, const Run& run) const;
  std::vector<LabelledExample> examples_of_clusters(const MatchModel& model, const RecordMatching& matching,
                                                    std::span<const std::uint32_t> entities, const Run& run) const;

  LabelOptions options_;
  LearnMatchingOptions learning_;
  const io::Table* pairs_;
};

/// Sources of pairs that must or cannot be linked.
struct KnownPairSources {
  const io::Table* certain = nullptr;          ///< labelled pairs in memory
  const std::string &must_link, &cannot_link;  ///< files, or ""
};

/// Reads these pairs, and those of `labels` as answers. names(): is called if there are any. name_of: names rows in
/// messages.
KnownPairs read_known_pairs(const KnownPairSources& sources, const LabelLearning& labels, std::size_t row_count,
                            const std::function<PairNames()>& names,
                            const std::function<std::string(std::uint32_t row)>& name_of);

}  // namespace fovea::linkage
