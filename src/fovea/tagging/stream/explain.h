// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "fovea/base/run.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/model/label_explanation.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_sequences.h"

namespace fovea::tagging {

/// Tags a sequence and explains the label of one item, counted from 0 (explain_label). `other`: the label to compare it
/// with; "" is the runner-up. Throws as `tag` and explain_label do, and UsageError for a label that the tagger does not
/// have and for Gaussian processes, whose labels no sum of weights explains.
LabelExplanation explain(const Tagger& tagger, const TagItems& items, std::size_t item, const std::string& other = "",
                         const TagJob& job = {}, const Run& run = {});
LabelExplanation explain(const Tagger& tagger, const AttributeSequence& sequence, std::size_t item,
                         const std::string& other = "", const TagJob& job = {}, const Run& run = {});

/// The model of label n-grams, whose labels can be explained. Throws UsageError for Gaussian processes.
const TaggerModel& explainable_model(const Tagger& tagger);

}  // namespace fovea::tagging
