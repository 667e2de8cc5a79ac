// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/io/stream.h"
#include "fovea/tagging/metrics/calibration.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/stream/marginal_columns.h"

namespace fovea::tagging {

/// A tagger's output against its gold labels.
struct ScoredTagging {
  TaggingMetrics metrics;
  std::optional<Calibration> calibration = {};  ///< of a file with probabilities

  /// One line, without a line end.
  std::string brief(int bins = Calibration::kDefaultBins) const;
  std::string full(int bins = Calibration::kDefaultBins) const;
  /// That of the metrics with `calibration` added, null without probabilities.
  std::string json(int bins = Calibration::kDefaultBins) const;
};

/// How to read a tagged file.
struct TaggedFileOptions {
  MarginalsIn marginals = MarginalsIn::kAuto;
  std::string unknown_label = {};  ///< stands for a gold label that is not known; empty: none does
};

/// Scores a tagger's output: columns with the gold label before the predicted one, which is last or has probabilities
/// behind it (MarginalColumns). Reads in bounded memory (sentence by sentence, beside the counts and a few bytes for
/// each item with probabilities). Items whose gold label is not known are not scored. Throws InputError (file:line) on
/// fewer than two columns before the probabilities, on a file without items, and on what MarginalColumns and
/// ConllReader refuse.
ScoredTagging score_tagged_file(io::ByteSource source, const TaggedFileOptions& options = {});

/// The probabilities of a tagged file whose gold labels do not matter, and need not be there: its items count as wrong.
/// Throws InputError where there are no probabilities, beside the above.
Calibration read_tagged_marginals(io::ByteSource source);

/// Two taggings of the same text.
struct TaggingPair {
  ScoredTagging first, second;
};

/// Scores two outputs side by side. Beside the above, throws InputError at the first line where the second file's
/// sentences end elsewhere or have other gold labels than the first's.
TaggingPair score_tagged_files(io::ByteSource first, io::ByteSource second, const TaggedFileOptions& options = {});

}  // namespace fovea::tagging
