// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/paper_recipe.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/sequence/policy/policy_choice.h"
#include "fovea/sequence/policy/policy_learner.h"
#include "fovea/sequence/policy/round_learner.h"

namespace fovea::sequence {

struct TuneOptions {
  PaperRecipe recipe = PaperRecipe::kNone;
  MetaFeatureOptions features = {};
  PolicyLearnerOptions learner = {};
  PolicyChoiceOptions choice = {};
  RoundLearnerOptions rounds = {};
  bool measure = true;

  /// Describes `recipe` and `measure`; the others describe themselves.
  static void describe(auto&& visit) {
    visit(&TuneOptions::recipe,
          option("recipe",
                 "Published settings of the value function, for all options that have their default values. "
                 "heterosampler: as printed by Shi, Steinhardt and Liang (2015), one seed. heterosampler-code: as in "
                 "the code that they published, with roll-outs to random neighbours."));
    visit(&TuneOptions::measure,
          option("measure", "Measure the cost and quality of every method, by which option 'method auto' chooses."));
  }
};

/// Measure of the quality of a labelling of the tuning sequences.
struct TuningQuality {
  std::function<double(const Assignment& labels)> of = {};  ///< from 0 to 1
  std::string measure = "accuracy";                         ///< its name, for reports
  std::uint64_t units = 0;                                  ///< from which it comes: tokens, entities
};

/// The share of right labels. `gold`: [position], label_count() where unknown. Both must outlive the result.
TuningQuality label_accuracy(const LabelSequences& sequences, const Assignment& gold);

/// Learns where to sample, and what each method costs and achieves, on tuning sequences that the model was not trained
/// on. The model is not changed. `quality` serves only to measure methods: where labels mark entities, give their F1,
/// since labels of which most are "outside" are mostly right whatever becomes of the entities.
/// A deadline ends the measuring of methods; it does not shorten the learning before it. Throws UsageError if the
/// sequences hold no tokens.
Policy tune(const LabelSequences& sequences, const TuningQuality& quality, const TuneOptions& options,
            const Run& run = {});
/// The same, by label_accuracy().
Policy tune(const LabelSequences& sequences, const Assignment& gold, const TuneOptions& options, const Run& run = {});

}  // namespace fovea::sequence
