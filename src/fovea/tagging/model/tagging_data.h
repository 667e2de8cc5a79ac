// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/stream.h"
#include "fovea/sequence/learn/training_set.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/tagging/feature/encoder.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/group_choice.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// Reads and parses a template file. Throws InputError as FeatureTemplate::parse does.
FeatureTemplate read_template(const std::string& path);

/// A dictionary of the same texts with the same numbers, to which more can be added.
Dictionary copy_of(const FrozenDictionary& frozen);

/// Labelled sequences in memory, encoded.
struct TaggingData {
  sequence::TrainingSet set;
  std::vector<std::string> labels;         ///< names; set.labels may go beyond set.label_count if a model has fewer
  std::vector<std::uint32_t> groups = {};  ///< [sequence] number of its group; empty: each is its own
  Dictionary attributes;
  TaggingFormat format = TaggingFormat::kColumns;   ///< that it was read from
  std::optional<FeatureTemplate> feature_template;  ///< none: items came with their attributes
  std::size_t observation_columns = 0;
  ColumnSeparator separator = ColumnSeparator::kDetect;  ///< of all files; kDetect where they differ

  std::size_t sequence_count() const { return set.items.sequence_count(); }
  std::size_t token_count() const { return set.items.item_count(); }
};

/// Reads files of labelled sequences, one after the other, into one TaggingData. Labels are numbered in the order of
/// first appearance. Throws InputError with file and line if there is no column before the label, if columns differ
/// between files or from the model's or the template reads columns that are missing, for an empty label, for more than
/// kMaxLabels labels, and for a file without items.
class TaggingDataReader {
 public:
  static constexpr std::size_t kMaxLabels = 2000;

  struct Options {
    TaggingFormat format = TaggingFormat::kColumns;
    std::optional<FeatureTemplate> feature_template = {};  ///< none: FeatureTemplate::default_for the columns read
    std::string unknown_label = {};                        ///< stands for an unknown label; empty: nothing does
    ColumnSeparator separator = ColumnSeparator::kDetect;
    GroupChoice groups = {};
  };

  explicit TaggingDataReader(Options options);

  /// Goes on from a model: its labels and attributes keep their numbers, and its template (or its lack) is used. kDrop
  /// is for data that the model is tested on: attributes that it does not know are left out.
  TaggingDataReader(const TaggerVocabulary& model, UnknownAttributes unknown, std::string unknown_label = {},
                    GroupChoice groups = {});

  /// Two threads of the run share the work on columns.
  void read(io::ByteSource source, const Run& run);
  /// Appends one sequence; `name` stands for it in messages. Columns have the label last.
  void append(const ItemSequence& sequence, const std::string& name);
  void append(const AttributeSequence& sequence, const std::string& name);

  /// Returns everything read; the reader must not be used again.
  TaggingData finish() &&;

 private:
  void read_columns(io::ByteSource source, const Run& run);
  /// Reads by CrfsuiteReader or a reader of pixels.
  template <class Reader>
  void read_attributes(io::ByteSource source, const Run& run);
  void add_labels(const ItemSequence& sequence, InputLocation where);
  void report(const Run& run) const;
  void start_columns(std::size_t columns, const InputLocation& where);
  void note_separator(const ConllFormat& format);
  void add_label(std::string_view name, const InputLocation& where);
  void check_groups(const InputLocation& where) const;

  Options options_;
  std::optional<Encoder> encoder_;
  Dictionary initial_attributes_;
  UnknownAttributes unknown_ = UnknownAttributes::kAdd;
  Dictionary labels_;
  Dictionary group_names_;
  std::uint32_t file_ = 0;             // number of the file that is read
  std::vector<std::uint32_t> groups_;  // [sequence]
  std::size_t model_labels_ = 0;       // labels of the model to go on from
  std::vector<Value> label_ids_;
  std::size_t observation_columns_ = 0;
  std::size_t model_columns_ = 0;  // observed by the model to go on from; 0: none
  std::optional<ColumnSeparator> separator_;
};

/// Unary scores of all sequences under these weights, attributes numbered as in `items`.
void score_encoded(const EncodedItems& items, const sequence::CrfWeights& weights,
                   sequence::LabelSequences& label_sequences);

/// The labels of `data` over the positions of the label sequences that score_encoded laid out; label_count() (the pad
/// label) if the label is not known or the model does not have it.
Assignment gold_labeling(const TaggingData& data, const sequence::LabelSequences& label_sequences);

/// Compares a labeling of those positions with the gold labels; sequences with labels that are not known are left out.
TaggingMetrics score_labeling(const TaggingData& data, const sequence::LabelSequences& label_sequences,
                              const Assignment& labeling);

}  // namespace fovea::tagging
