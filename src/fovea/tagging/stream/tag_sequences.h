// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/model/entity_spans.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_report.h"

namespace fovea::tagging {

/// The cells of one item, for a tagger that reads columns (Tagger::reads_columns); else the names of its attributes,
/// each of value 1.
using TagItem = std::vector<std::string>;
using TagItems = std::vector<TagItem>;  ///< one sequence

/// Makes a sequence of columns, each item a line of its cells, or one of attributes of value 1.
void to_sequence(const TagItems& items, ItemSequence& sequence);
void to_sequence(const TagItems& items, AttributeSequence& sequence);

/// Tags of one sequence.
struct SequenceTags {
  /// A tagging and how likely it is.
  struct Ranked {
    std::vector<std::string> labels;  ///< [item]
    double log_score = 0;
    double probability = 0;
  };

  std::vector<std::string> labels = {};             ///< [item]
  std::vector<std::vector<double>> marginals = {};  ///< [item][label of Tagger::labels()]; empty unless asked for
  std::vector<double> latent_means = {};            ///< [item] of the likeliest label's function, and
  std::vector<double> latent_variances = {};        ///< its variance: Gaussian processes with marginals
  std::vector<Ranked> n_best = {};                  ///< best first; empty unless asked for
  std::vector<EntitySpan> spans = {};               ///< the entities of `labels`, in order; empty unless asked for
};

/// Sequences in memory, tagged.
struct TaggedInMemory {
  std::vector<SequenceTags> sequences;  ///< as many as were given, in their order
  TagReport report;
};

/// Tags sequences in memory, on all threads, as tag_file tags a file. Items need no labels: cells after those that the
/// template reads are ignored. A sequence without items gets no labels. Throws InputError if a sequence lacks columns
/// or its items differ in their number, UsageError on options that do not go together or that the tagger's family does
/// not have. After a cancellation, the sequences that were not reached have no labels.
TaggedInMemory tag(const Tagger& tagger, std::span<const TagItems> sequences, const TagJob& job = {},
                   const Run& run = {});
/// The same for attributes with values. Throws UsageError if the tagger reads columns.
TaggedInMemory tag(const Tagger& tagger, std::span<const AttributeSequence> sequences, const TagJob& job = {},
                   const Run& run = {});

}  // namespace fovea::tagging
