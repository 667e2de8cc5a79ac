// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/model/tagger_kinds.h"
#include "fovea/tagging/model/tagger_vocabulary.h"

namespace fovea::tagging {

/// Throws UsageError if `features` is not what the model was trained on.
void check_model_features(const TaggerVocabulary& model, FeaturesChoice features);

/// Warnings of how the first sequence of `file` differs from the text that the model was trained on: in its number of
/// columns, with or without a label, and in its separator. Throws InputError if the template reads columns that are
/// missing.
std::vector<std::string> input_warnings(const TaggerVocabulary& model, const ItemSequence& first,
                                        const std::string& file);

}  // namespace fovea::tagging
