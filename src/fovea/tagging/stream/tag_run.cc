// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_run.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "fovea/base/pipeline.h"
#include "fovea/base/run_control.h"

namespace fovea::tagging {
namespace {

using Clock = std::chrono::steady_clock;

/// One run: read blocks -> tag -> sink.
template <class Sequence>
class TagRun {
 public:
  using Block = TagBlock<Sequence>;

  TagRun(TaggingMethod& method, const Run& run, SequenceSource<Sequence>& source)
      : method_(method), run_(run), source_(source) {
    report_.threads = run.thread_count();
  }

  TagReport run(const SinkMaker<Sequence>& make_sink) {
    std::unique_ptr<Block> first = make_block();
    const std::size_t asked = method_.block_size();
    if (!read(*first) || first->count == 0) return std::move(report_);
    method_.start(first->items, first->seconds_left, report_);
    const std::unique_ptr<TagSink<Sequence>> sink = make_sink();
    // Threads take longer to start than a block to tag.
    const bool is_all = first->count < asked;
    const bool alone = is_all || method_.is_parallel_inside();
    bool first_is_next = true;
    run_pipeline(
        alone ? 1 : report_.threads, [&] { return first ? std::move(first) : make_block(); },
        [&](Block& block) { return std::exchange(first_is_next, false) || read(block); },
        [&](Block& block) { tag(block, *sink); }, [&](Block& block) { write(block, *sink); });
    report_.read_seconds = read_seconds_;
    return std::move(report_);
  }

 private:
  std::unique_ptr<Block> make_block() const {
    auto block = std::make_unique<Block>();
    block->tags = method_.make_tags();
    return block;
  }

  /// Reads the next block; false at the end of the input.
  bool read(Block& block) {
    if (run_.is_cancelled()) return false;
    const auto start = Clock::now();
    const bool has_block = source_.read(block, method_.block_size());
    block.number = blocks_read_++;
    read_seconds_ += seconds_since(start);
    block.seconds_left = method_.seconds_for(block.count, read_seconds_);
    return has_block;
  }

  void tag(Block& block, const TagSink<Sequence>& sink) {
    auto start = Clock::now();
    source_.parse(block);
    read_seconds_ += seconds_since(start);
    std::unique_ptr<BlockTagger> tagger = unused_tagger();
    tagger->run(block);
    {
      const std::lock_guard lock(mutex_);
      taggers_.push_back(std::move(tagger));
    }
    start = Clock::now();
    sink.prepare({.sequences = block.used(), .tags = *block.tags}, block.output);
    block.write_seconds = seconds_since(start);
  }

  void write(Block& block, TagSink<Sequence>& sink) {
    const auto start = Clock::now();
    source_.finish(block);
    sink.write({.sequences = block.used(), .tags = *block.tags}, block.output);
    report_.sequences += block.count;
    report_.items += block.items;
    block.tags->add_to(report_);
    report_.write_seconds += block.write_seconds + seconds_since(start);
    if (run_.progress)
      run_.progress(
          {.phase = "tagging", .done = static_cast<double>(report_.items), .seconds = seconds_since(run_.started)});
  }

  std::unique_ptr<BlockTagger> unused_tagger() {
    const std::lock_guard lock(mutex_);
    if (taggers_.empty()) return method_.make_tagger();
    std::unique_ptr<BlockTagger> tagger = std::move(taggers_.back());
    taggers_.pop_back();
    return tagger;
  }

  TaggingMethod& method_;
  const Run& run_;
  SequenceSource<Sequence>& source_;
  std::atomic<double> read_seconds_ = 0;
  std::uint64_t blocks_read_ = 0;
  TagReport report_;
  std::mutex mutex_;  // guards taggers_, which are unused
  std::vector<std::unique_ptr<BlockTagger>> taggers_;
};

}  // namespace

std::optional<LatentValue> BlockTags::latent(std::size_t, std::size_t) const { return std::nullopt; }
std::span<const RankedTagging> BlockTags::n_best(std::size_t) const { return {}; }
std::span<const EntitySpan> BlockTags::spans(std::size_t) const { return {}; }
std::span<const std::uint32_t> BlockTags::visits(std::size_t) const { return {}; }
void BlockTags::add_to(TagReport&) const {}

double TaggingMethod::seconds_for(std::size_t, double) const { return std::numeric_limits<double>::infinity(); }
std::vector<std::string> TaggingMethod::warnings() const { return {}; }

std::unique_ptr<TaggingMethod> make_tagging_method(const Tagger& tagger, const TagJob& job, bool visits,
                                                   const Run& run) {
  if (tagger.process()) return internal::gp_tagging(*tagger.process(), job, visits, run);
  return internal::ngram_tagging(*tagger.ngrams(), job, visits, run);
}

template <class Sequence>
TagReport run_tagging(TaggingMethod& method, const Run& run, SequenceSource<Sequence>& source,
                      const SinkMaker<Sequence>& make_sink) {
  return TagRun<Sequence>(method, run, source).run(make_sink);
}

template TagReport run_tagging(TaggingMethod&, const Run&, SequenceSource<ItemSequence>&,
                               const SinkMaker<ItemSequence>&);
template TagReport run_tagging(TaggingMethod&, const Run&, SequenceSource<AttributeSequence>&,
                               const SinkMaker<AttributeSequence>&);

}  // namespace fovea::tagging
