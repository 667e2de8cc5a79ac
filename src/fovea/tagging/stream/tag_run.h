// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "fovea/base/run.h"
#include "fovea/tagging/stream/tag_report.h"
#include "fovea/tagging/stream/tagging_method.h"

namespace fovea::tagging {

/// The sequences to tag, one after the other.
template <class Sequence>
class SequenceSource {
 public:
  virtual ~SequenceSource() = default;
  /// Reads the next sequence, of at least one item; false at the end.
  virtual bool next(Sequence& sequence) = 0;
};

/// Some sequences, tagged. Valid during TagSink::write only.
template <class Sequence>
struct TaggedSequences {
  std::span<const Sequence> sequences;
  const BlockTags& tags;
};

/// Takes the results of tagging, in the order of the input.
template <class Sequence>
class TagSink {
 public:
  virtual ~TagSink() = default;
  virtual void write(const TaggedSequences<Sequence>& tagged) = 0;
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
