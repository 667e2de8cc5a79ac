// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/ep/recall/operator_file.h"

namespace fovea::ep {

/// Report of what was learned of a factor: examples, errors of held-out messages, and the limit of doubt (u_max).
std::string operator_text(const LearnedOperator& learned);
std::string operator_json(const LearnedOperator& learned);
/// Counts of a source, as an object of a report.
std::string recall_json(const JustInTime& source);

}  // namespace fovea::ep
