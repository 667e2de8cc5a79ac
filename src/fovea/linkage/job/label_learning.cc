// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/label_learning.h"

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/components/pair_calibration.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::linkage {
namespace {

/// The blocks of all rules.
Blocks all_blocks(const CandidatePairs& candidates) {
  Blocks all;
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    for (std::size_t b = 0; b < candidates.blocks(rule).size(); ++b) {
      const std::span<const std::uint32_t> rows = candidates.blocks(rule)[b];
      all.rows.insert(all.rows.end(), rows.begin(), rows.end());
      all.begin.push_back(all.rows.size());
    }
  return all;
}

}  // namespace

void LabelLearning::check() const {
  if (!options_.labels.empty() && are_pairs())
    throw UsageError("option 'labels' and option 'labelled-pairs' exclude each other");
}

MatchParameters LabelLearning::correct(MatchParameters known, const RecordMatching& matching, const io::IdIndex* ids,
                                       const Run& run) const {
  if (!pairs_ && !ids) throw UsageError("option 'labelled-pairs' needs option 'id': pairs name records");
  const RecordNames names = {ids, matching.table().row_count()};
  const auto pairs = pairs_ ? read_labelled_pairs(*pairs_, names)
                            : read_labelled_pairs(io::read_table(options_.labelled_pairs), names);
  const PairRegressionFit fit = learn_from_pairs(matching.comparisons(), pairs, known.weights);
  run.note_that(fit.brief());
  known.weights = fit.weights;
  return known;
}

MatchParameters LabelLearning::learn(const RecordMatching& matching, bool with_calibration,
                                     const ComponentClusteringOptions& clustering, const Run& run) const {
  const io::Table& table = matching.table();
  const std::vector<std::uint32_t> entities = number_labels(table, table.column(options_.labels));
  Random random = run.random.child("labels");
  const LearnedMatching learned =
      learn_matching(matching.comparisons(), all_blocks(matching.candidates()), entities, learning_, random);
  run.note_that(learned.brief());
  MatchParameters parameters{.weights = learned.weights};
  if (with_calibration && matching.rules().size() == 1)
    parameters.calibration = learn_pair_calibration(
        {matching.comparisons(), matching.candidates().blocks(0), entities, learning_, clustering},
        run.with(random.child("calibration")));
  return parameters;
}

}  // namespace fovea::linkage
