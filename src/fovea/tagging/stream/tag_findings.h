// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/tag_output.h"

namespace fovea::tagging {

/// Writes the entities of the text, one a line: `sequence first end type probability text`, separated by tabs.
template <class Sequence>
class SpanLines : public TagSink<Sequence> {
 public:
  explicit SpanLines(io::OutputFile& output) : output_(output) {}

  void write(const TaggedSequences<Sequence>& tagged, std::string& text) override;

 private:
  io::OutputFile& output_;
  std::size_t sequence_ = 0;
};

/// Explains every label: a line `token label runner-up difference` for each item, then a line for each of its largest
/// terms, `difference name weight other-weight` after a tab, and a blank line after each sequence. A term's name is
/// that of the attribute, with its value unless that is 1, or the label n-gram in brackets.
template <class Sequence>
class ExplanationLines : public TagSink<Sequence> {
 public:
  /// `terms`: most terms of an item. The model must outlive the sink.
  ExplanationLines(io::OutputFile& output, const TaggerModel& model, int terms)
      : output_(output), model_(model), terms_(static_cast<std::size_t>(terms)) {}

  void prepare(const TaggedSequences<Sequence>& tagged, std::string& text) const override;
  void write(const TaggedSequences<Sequence>&, std::string& text) override { output_.write_and_clear(text); }

 private:
  void add_item(const Sequence& sequence, std::span<const Value> labels, std::size_t item, std::string& text) const;

  io::OutputFile& output_;
  const TaggerModel& model_;
  std::size_t terms_;
};

}  // namespace fovea::tagging
