// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/tagging/metrics/calibration.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/stream/marginal_columns.h"

namespace fovea::tagging {

/// A sentence and its tags, item by item. Views: of a file, they hold until the next sentence is read.
struct TaggedSentence {
  std::vector<std::string_view> words, gold, predicted;  ///< words: of the first column, unless it is a label's
  std::vector<bool> is_known = {};                       ///< the gold label
  std::vector<double> probabilities = {};                ///< of the predicted labels; or empty
};

/// A tagger's output against its gold labels.
struct ScoredTagging {
  TaggingMetrics metrics;
  std::optional<Calibration> calibration = {};  ///< with probabilities

  /// Adds a sentence; items whose gold label is not known do not count. `marginals`: of its items, or none; `has_all`:
  /// of all labels.
  void add(const TaggedSentence& sentence, std::span<const ItemMarginals> marginals = {}, bool has_all = false);

  /// One line, without a line end.
  std::string brief(int bins = Calibration::kDefaultBins) const;
  std::string full(int bins = Calibration::kDefaultBins) const;
  /// The object of the metrics with `calibration` added, which is null without probabilities.
  std::string json(int bins = Calibration::kDefaultBins) const;
};

/// Options for reading a tagged file.
struct TaggedFileOptions {
  MarginalsIn marginals = MarginalsIn::kAuto;
  std::string unknown_label = {};  ///< stands for an unknown gold label; empty: nothing does
};

/// Scores a tagger's output: columns with the gold label before the predicted one, which is last or followed by
/// probabilities (MarginalColumns). Reads in bounded memory (sentence by sentence, plus the counts and a few bytes for
/// each item with probabilities). Items whose gold label is not known are not scored. Throws InputError (file:line) on
/// fewer than two columns before the probabilities, on a file without items, and on what MarginalColumns and
/// ConllReader refuse. `on_sentence` gets every sentence.
ScoredTagging score_tagged_file(io::ByteSource source, const TaggedFileOptions& options = {},
                                const std::function<void(const TaggedSentence&)>& on_sentence = {});

/// Reads the probabilities of a tagged file whose gold labels do not matter and may be missing: its items count as
/// wrong. Throws InputError as above, and for a file without probabilities.
Calibration read_tagged_marginals(io::ByteSource source);

/// Two taggings of the same text.
struct TaggingPair {
  ScoredTagging first, second;
};

/// Scores two outputs together. Throws InputError as above, and at the first line where the second file's sentences end
/// elsewhere or have other gold labels than the first's. `on_sentence` gets every sentence of both.
TaggingPair score_tagged_files(
    io::ByteSource first, io::ByteSource second, const TaggedFileOptions& options = {},
    const std::function<void(const TaggedSentence&, const TaggedSentence&)>& on_sentence = {});

}  // namespace fovea::tagging
