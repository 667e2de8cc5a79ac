// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// Describes a tagger of any family, for people or as one JSON object.
std::string describe_tagger(const Tagger& tagger);
std::string tagger_json(const Tagger& tagger);

/// Writes every feature with its weight, separated by tabs: `attribute NAME LABEL WEIGHT`, then `ngram LABEL LABEL..
/// WEIGHT`.
void write_weights(const TaggerModel& model, std::ostream& out);

}  // namespace fovea::tagging
