// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "fovea/base/run.h"
#include "fovea/io/stream.h"
#include "fovea/sequence/decode/decode_options.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/tag_output.h"
#include "fovea/tagging/stream/tag_report.h"

namespace fovea::tagging {

/// A tagger of label n-grams, with the options for tagging.
struct TagJob {
  const TaggerModel& model;
  const sequence::Policy* policy = nullptr;
  sequence::DecodeOptions decode;
  TagOptions options;
  bool visits = false;  ///< sinks want DecodeResult::visits
};

/// Number of sequences decoded at a time, whatever the number of threads.
inline constexpr std::size_t kTagBlock = 64;

/// Makes the sink once the format of the input is known, that is, after its first sequence.
template <class Sequence>
using SinkMaker = std::function<std::unique_ptr<TagSink<Sequence>>(LineWriter&)>;

/// Tags a stream: reads blocks of kTagBlock sequences, scores and decodes them on all threads, and hands them to the
/// sink in order. Memory is bounded, except that with a budget or a time limit for the whole input, methods that visit
/// sites gather all of the input first: one pool is spent where it pays most. A budget per item holds for each single
/// sequence.
///
/// For a model with a template: the input has columns, with or without a label after those that the model was trained
/// on. Throws InputError (file:line) on bad input, UsageError on options that do not go together. After a cancellation,
/// what was tagged has been handed to the sink, and the report says so.
TagReport tag_columns(const TagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output,
                      const SinkMaker<ItemSequence>& make_sink);
/// For a model without a template: the input has CRFsuite's attributes or pixels, as the model stores.
TagReport tag_attributes(const TagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output,
                         const SinkMaker<AttributeSequence>& make_sink);

}  // namespace fovea::tagging
