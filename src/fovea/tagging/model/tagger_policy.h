// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// Marks `policy` as tuned for `model`.
void bind_policy(const TaggerModel& model, sequence::Policy& policy);

/// Reads a policy to be used with `model`. Throws InputError if the file is no policy, or was tuned for a model that
/// decodes otherwise.
sequence::Policy load_policy(const std::string& path, const TaggerModel& model);

}  // namespace fovea::tagging
