// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/ep/recall/operator_file.h"

namespace fovea::ep {

/// What was learned of a factor: examples, how far held-out messages were off, and how much doubt is too much (u_max).
std::string operator_text(const LearnedOperator& learned);
std::string operator_json(const LearnedOperator& learned);
/// What a source did, as an object of a report.
std::string recall_json(const JustInTime& source);

}  // namespace fovea::ep
