// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/output_file.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/stream/tag_options.h"

namespace fovea::tagging {

/// A tagging of one sequence and how likely it is.
struct RankedTagging {
  Assignment labels;  ///< one per item
  double log_score = 0;
  double probability = 0;
};

/// Some sequences, decoded. Spans and pointers are valid during TagSink::write only.
template <class Sequence>
struct TaggedSequences {
  std::span<const Sequence> sequences;
  const sequence::LabelSequences* label_sequences = nullptr;
  const sequence::DecodeResult* result = nullptr;
  std::span<const std::vector<RankedTagging>> n_best;  ///< [sequence], best first; empty unless asked for
};

/// Takes the results of tagging, in the order of the input.
template <class Sequence>
class TagSink {
 public:
  virtual ~TagSink() = default;
  virtual void write(const TaggedSequences<Sequence>& tagged) = 0;
};

/// Writes a sequence's items with columns added. Column files stay as they were read; for items with given attributes,
/// the origin, if there is one, and the label are written as they were read, then the columns, separated by tabs.
class LineWriter {
 public:
  LineWriter(io::OutputFile& output, const ConllFormat& format) : output_(&output), conll_(output, format) {}

  void write(const ItemSequence& sequence, std::span<const std::string_view> columns) {
    conll_.write(sequence, columns);
  }
  void write(const AttributeSequence& sequence, std::span<const std::string_view> columns);
  void write_text(std::string_view text) { output_->write(text); }
  void write_blank_lines(std::uint64_t count) { conll_.write_blank_lines(count); }
  void flush() { output_->flush(); }

 private:
  io::OutputFile* output_;
  ConllWriter conll_;
};

/// The usual sink: lines with the predicted label last, or before the probabilities that were asked for; with n-best,
/// every sequence once for each of its taggings, after a line `# rank log-score probability`.
template <class Sequence>
class TagColumns : public TagSink<Sequence> {
 public:
  TagColumns(LineWriter& lines, std::span<const std::string> labels, const TagOptions& options)
      : lines_(lines), labels_(labels), options_(options) {}

  void write(const TaggedSequences<Sequence>& tagged) override;

 private:
  void write_tagging(const TaggedSequences<Sequence>& tagged, std::size_t s, std::span<const Value> labels);
  void write_n_best(const TaggedSequences<Sequence>& tagged, std::size_t s);
  void add_probabilities(const float* marginals);
  std::string_view probability_cell(std::size_t label, float probability);

  LineWriter& lines_;
  std::span<const std::string> labels_;
  TagOptions options_;
  std::vector<std::string_view> columns_;  // [item][column]
  std::vector<std::string> cells_;         // texts of the current sequence
  std::size_t cells_used_ = 0;
};

}  // namespace fovea::tagging
