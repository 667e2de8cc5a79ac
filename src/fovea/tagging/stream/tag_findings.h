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
  explicit SpanLines(LineWriter& lines) : lines_(lines) {}

  void write(const TaggedSequences<Sequence>& tagged) override;

 private:
  LineWriter& lines_;
  std::size_t sequence_ = 0;
};

/// Explains every label: a line `token label runner-up difference` for each item, then a line for each of its largest
/// terms, `difference name weight other-weight` after a tab, and a blank line after each sequence. A term's name is
/// that of the attribute, with its value unless that is 1, or the label n-gram in brackets.
template <class Sequence>
class ExplanationLines : public TagSink<Sequence> {
 public:
  /// `terms`: most terms of an item. The model must outlive the sink.
  ExplanationLines(LineWriter& lines, const TaggerModel& model, int terms)
      : lines_(lines), model_(model), terms_(static_cast<std::size_t>(terms)) {}

  void write(const TaggedSequences<Sequence>& tagged) override;

 private:
  void write_item(const Sequence& sequence, std::span<const Value> labels, std::size_t item);

  LineWriter& lines_;
  const TaggerModel& model_;
  std::size_t terms_;
};

}  // namespace fovea::tagging
