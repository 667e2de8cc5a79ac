// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/output_file.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/stream/tag_options.h"
#include "fovea/tagging/stream/tag_run.h"

namespace fovea::tagging {

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

/// The text of an item: its first column, or its first attribute.
std::string_view token_of(const ItemSequence& sequence, std::size_t item);
std::string_view token_of(const AttributeSequence& sequence, std::size_t item);

/// The usual sink: lines with the predicted label last, or before the probabilities that were asked for, which Gaussian
/// processes follow by the mean and the variance of the label's latent function and the entropy in nats; with n-best,
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
  void add_probabilities(const BlockTags& tags, std::size_t s, std::size_t item);
  void add_latent(const LatentValue& latent);
  void add_probability(std::string_view label, double probability);
  void add_statistic(std::string_view name, double value);

  LineWriter& lines_;
  std::span<const std::string> labels_;
  TagOptions options_;
  std::vector<double> probabilities_;      // [label] of the current item
  std::vector<std::string_view> columns_;  // [item][column]
  std::vector<std::string> cells_;         // texts of the current sequence
  std::size_t cells_used_ = 0;
};

}  // namespace fovea::tagging
