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

/// Appends a sequence's items with columns added to a text. Column files stay as they were read; for items with given
/// attributes, the origin, if there is one, and the label are written as they were read, then the columns, separated by
/// tabs.
class LineWriter {
 public:
  LineWriter(std::string& text, const ConllFormat& format) : text_(&text), conll_(text, format) {}

  void write(const ItemSequence& sequence, std::span<const std::string_view> columns) {
    conll_.write(sequence, columns);
  }
  void write(const AttributeSequence& sequence, std::span<const std::string_view> columns);
  void write_text(std::string_view text) { *text_ += text; }

 private:
  std::string* text_;
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
  TagColumns(io::OutputFile& output, const ConllFormat& format, std::span<const std::string> labels,
             const TagOptions& options)
      : output_(output), format_(format), labels_(labels), options_(options) {}

  void prepare(const TaggedSequences<Sequence>& tagged, std::string& text) const override;
  void write(const TaggedSequences<Sequence>&, std::string& text) override { output_.write_and_clear(text); }

 private:
  io::OutputFile& output_;
  ConllFormat format_;
  std::span<const std::string> labels_;
  TagOptions options_;
};

}  // namespace fovea::tagging
