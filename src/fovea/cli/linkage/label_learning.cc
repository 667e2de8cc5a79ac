// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/linkage/label_learning.h"

#include "fovea/base/error.h"
#include "fovea/cli/linkage/matching_job.h"
#include "fovea/linkage/components/pair_calibration.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::cli {
namespace {

/// Those of all rules.
linkage::Blocks all_blocks(const linkage::CandidatePairs& candidates) {
  linkage::Blocks all;
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    for (std::size_t b = 0; b < candidates.blocks(rule).size(); ++b) {
      const std::span<const std::uint32_t> rows = candidates.blocks(rule)[b];
      all.rows.insert(all.rows.end(), rows.begin(), rows.end());
      all.begin.push_back(all.rows.size());
    }
  return all;
}

}  // namespace

void LabelLearning::bind(Binder& binder) {
  binder.options(options_, "Learning from labels");
  binder.options(learning_, "Learning from labels");
}

void LabelLearning::check() const {
  if (!options_.labels.empty() && !options_.labelled_pairs.empty())
    throw UsageError("--labels and --labelled-pairs exclude each other");
}

linkage::MatchParameters LabelLearning::correct(linkage::MatchParameters known, const linkage::RecordMatching& matching,
                                                const io::IdIndex& ids, const Context& context) const {
  const auto pairs = linkage::read_labelled_pairs(options_.labelled_pairs, ids);
  const linkage::PairRegressionFit fit = linkage::learn_from_pairs(matching.comparisons(), pairs, known.weights);
  context.console.note(fit.brief());
  known.weights = fit.weights;
  return known;
}

linkage::MatchParameters LabelLearning::learn(const linkage::RecordMatching& matching, bool with_calibration,
                                              const linkage::ComponentClusteringOptions& clustering,
                                              const linkage::JobControl& control, const Context& context) const {
  const io::Table& table = matching.table();
  const std::vector<std::uint32_t> entities = linkage::number_labels(table, table.column(options_.labels));
  Random random = Random(context.common.seed).child("labels");
  const linkage::LearnedMatching learned =
      linkage::learn_matching(matching.comparisons(), all_blocks(matching.candidates()), entities, learning_, random);
  context.console.note(learned.brief());
  linkage::MatchParameters parameters{.weights = learned.weights};
  if (with_calibration && matching.rules().size() == 1)
    parameters.calibration = linkage::learn_pair_calibration(
        {matching.comparisons(), matching.candidates().blocks(0), entities, learning_, clustering},
        random.child("calibration"), control);
  context.console.clear_progress();
  return parameters;
}

}  // namespace fovea::cli
