// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/report/page.h"
#include "fovea/tagging/stream/tag_sequences.h"

namespace fovea::tagging {

/// The gold labels of sequences in memory.
struct GoldLabels {
  std::vector<std::vector<std::string>> labels = {};  ///< [sequence][item]
  std::string unknown = {};                           ///< stands for a label that is not known
};

/// Makes a page of sequences that a tagger tagged: their words and labels, with probabilities if there are marginals
/// (tagged_page); with gold labels, an evaluation (evaluation_page). `name`: of the tagger. Throws UsageError if the
/// gold labels are not as many as the items.
report::Page memory_page(const std::string& name, const Tagger& tagger, std::span<const TagItems> sequences,
                         const TaggedInMemory& tagged, const std::optional<GoldLabels>& gold = {});
report::Page memory_page(const std::string& name, const Tagger& tagger, std::span<const AttributeSequence> sequences,
                         const TaggedInMemory& tagged, const std::optional<GoldLabels>& gold = {});

}  // namespace fovea::tagging
