// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "fovea/base/run.h"
#include "fovea/tagging/stream/tag_report.h"
#include "fovea/tagging/stream/tagging_method.h"

namespace fovea::tagging {

/// The sequences to tag, one after the other.
template <class Sequence>
class SequenceSource {
 public:
  virtual ~SequenceSource() = default;
  /// Reads the next `count` sequences, each of at least one item, or their text (SequenceParts); false at the end.
  virtual bool read(SequencePart<Sequence>& part, std::size_t count) = 0;
  /// Parses what is still text. Called by several threads at a time, each with a part of its own.
  virtual void parse(SequencePart<Sequence>&) const {}
  /// Called for each part in the order of reading.
  virtual void finish(SequencePart<Sequence>&) {}
};

/// Some sequences, tagged. Valid during a call of TagSink only.
template <class Sequence>
struct TaggedSequences {
  std::span<const Sequence> sequences;
  const BlockTags& tags;
};

/// Takes the results of tagging, block by block.
template <class Sequence>
class TagSink {
 public:
  virtual ~TagSink() = default;
  /// Appends to `text`, which is empty, what does not depend on the blocks before. Called by several threads at a time.
  virtual void prepare(const TaggedSequences<Sequence>&, [[maybe_unused]] std::string& text) const {}
  /// Called in the order of the input, with the text that prepare() made; leaves it empty.
  virtual void write(const TaggedSequences<Sequence>& tagged, std::string& text) = 0;
};

/// Makes the sink after the first sequence has been read, when the format of a file is known.
template <class Sequence>
using SinkMaker = std::function<std::unique_ptr<TagSink<Sequence>>()>;

/// Reads blocks of sequences, tags them on all threads and hands them to the sink in order; makes no sink if there is
/// no sequence. Memory is bounded, unless the method wants the whole input at once. After a cancellation, what was
/// tagged has been handed to the sink, and the report says so.
template <class Sequence>
TagReport run_tagging(TaggingMethod& method, const Run& run, SequenceSource<Sequence>& source,
                      const SinkMaker<Sequence>& make_sink);

}  // namespace fovea::tagging
