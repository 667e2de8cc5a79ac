// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/tagging/stream/tagged_file.h"

namespace fovea::tagging {

/// Writes a page for people: scores, labels, confusions and, with probabilities, how far they can be trusted (`bins` of
/// confidence) and how many mistakes are left among the surest items. Throws InputError if it cannot be written.
void write_evaluation_page(const std::string& path, const std::string& file, const ScoredTagging& tagging, int bins);

}  // namespace fovea::tagging
