// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_stream.h"

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <mutex>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/run_control.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/stream/tag_worker.h"

namespace fovea::tagging {
namespace {

using Clock = std::chrono::steady_clock;
using internal::TagBlock;
using internal::TagPlan;
using internal::TagWorker;

/// Share of the time spent on reading that is set aside for writing, if there is a time limit.
constexpr double kWriteShare = 0.5;

bool counts(const Budget& budget) {
  return std::min({budget.sweeps, budget.transitions, budget.factors}) < Budget::kUnlimited;
}

Budget checked_budget(const TagJob& job) {
  const Budget budget = parse_budget(job.options.budget, job.options.time_limit);
  if (budget.oracle_calls < Budget::kUnlimited)
    throw UsageError("option 'budget': tagging makes no oracle calls; limit sweeps or transitions");
  return budget;
}

sequence::DecodeOptions checked_decode(const TagJob& job) {
  validate(job.decode);
  validate(job.options);
  if (job.options.n_best > 0 && job.decode.method != sequence::DecodeMethod::kExact &&
      job.decode.method != sequence::DecodeMethod::kAuto)
    throw UsageError(
        fmt::format("option 'n-best' needs exact decoding, not option 'method {}'", word_of(job.decode.method)));
  sequence::DecodeOptions decode = job.decode;
  if (decode.restart_rate == 0) decode.restart_rate = job.model.restart_rate;
  if (decode.method == sequence::DecodeMethod::kAuto && job.model.restart_rate > 0 && job.options.n_best == 0)
    decode.method = sequence::DecodeMethod::kDoeblin;
  return decode;
}

sequence::LabelNgrams ngrams_of(const TagJob& job, const std::vector<sequence::LabelNgram>& forbidden) {
  std::vector<sequence::LabelNgram> ngrams = job.model.weights.ngrams();
  ngrams.insert(ngrams.end(), forbidden.begin(), forbidden.end());
  return sequence::LabelNgrams(job.model.label_count(),
                               std::max(job.model.weights.factor_size(), forbidden.empty() ? 1 : 2), ngrams);
}

TagPlan unplanned(const TagJob& job) {
  std::optional<LabelRules> rules;
  if (job.options.valid_bio) rules.emplace(job.model.labels);
  const std::vector<sequence::LabelNgram> forbidden =
      rules ? rules->forbidden_pairs() : std::vector<sequence::LabelNgram>();
  std::optional<sequence::LabelNgrams> restart_pairs;
  if (job.model.restart_rate > 0) restart_pairs.emplace(job.model.weights.label_pairs(forbidden));
  return {.plan = {.options = checked_decode(job), .reason = "not planned yet"},
          .budget = checked_budget(job),
          .ngrams = ngrams_of(job, forbidden),
          .rules = rules,
          .restart_pairs = std::move(restart_pairs),
          .request = {.marginals = job.options.marginals || job.options.all_marginals, .visits = job.visits}};
}

/// Reads sequences of one kind, and refuses those that the model cannot score.
template <class Reader, class Sequence>
class Input {
 public:
  Input(const TaggerModel& model, io::ByteSource source)
      : model_(model), reader_(make_input_reader<Reader>(model, std::move(source))) {}

  bool next(Sequence& sequence) {
    if (ended_ || !reader_.next(sequence)) {
      ended_ = true;
      return false;
    }
    if constexpr (std::is_same_v<Sequence, ItemSequence>)
      if (!checked_) warnings_ = input_warnings(model_, sequence, reader_.name());
    checked_ = true;
    return true;
  }
  ConllFormat format() const {
    if constexpr (std::is_same_v<Sequence, ItemSequence>) return reader_.format();
    return {};
  }
  std::uint64_t blank_lines_after() const {
    if constexpr (std::is_same_v<Sequence, ItemSequence>) return reader_.blank_lines_after();
    return 0;
  }
  const std::string& name() const { return reader_.name(); }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  const TaggerModel& model_;
  Reader reader_;
  std::vector<std::string> warnings_;
  bool checked_ = false;
  bool ended_ = false;
};

/// One run: read blocks -> score and decode -> sink.
template <class Reader, class Sequence>
class TagRun {
 public:
  using Block = TagBlock<Sequence>;
  using BlockPtr = std::shared_ptr<Block>;

  TagRun(const TagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output,
         const SinkMaker<Sequence>& make_sink)
      : job_(job),
        run_(run),
        plan_(unplanned(job)),
        input_(job.model, std::move(source)),
        output_(output),
        make_sink_(make_sink) {
    report_.asked = job.decode;
    report_.options = job.options;
    report_.threads = run.thread_count();
    const bool visits = visits_sites(plan_.plan.options.method);
    const bool one_pool = (counts(plan_.budget) && !plan_.budget.per_item) ||
                          (plan_.budget.seconds < Budget::kUnlimited && !plan_.budget.seconds_per_item);
    const bool one_each = counts(plan_.budget) && plan_.budget.per_item;
    if (visits && one_pool) block_size_ = std::numeric_limits<std::size_t>::max();
    else if (visits && one_each) block_size_ = 1;
  }

  TagReport run() {
    BlockPtr first = read();
    if (!first) throw InputError({.file = input_.name()}, "no item in the input", "Give lines of columns to tag");
    make_plan(*first);
    LineWriter lines(output_, input_.format());
    const std::unique_ptr<TagSink<Sequence>> sink = make_sink_(lines);
    if (report_.threads == 1 || block_size_ == std::numeric_limits<std::size_t>::max())
      run_alone(std::move(first), *sink);
    else run_parallel(std::move(first), *sink);
    if (!cancelled()) lines.write_blank_lines(input_.blank_lines_after());
    report_.warnings = input_.warnings();
    if (plan_.rules)
      if (std::string warning = plan_.rules->warning(job_.model.weights.ngrams()); !warning.empty())
        report_.warnings.push_back(std::move(warning));
    report_.seconds = seconds_since(run_.started);
    return report_;
  }

 private:
  bool cancelled() const { return run_.is_cancelled(); }

  /// Reads the next block; null at the end of the input.
  BlockPtr read() {
    if (cancelled()) return nullptr;
    const auto start = Clock::now();
    BlockPtr block = unused_block();
    block->count = block->items = 0;
    for (; block->count < block_size_; ++block->count) {
      if (block->count == block->sequences.size()) block->sequences.emplace_back();
      if (!input_.next(block->sequences[block->count])) break;
      block->items += block->sequences[block->count].size();
    }
    block->number = blocks_read_++;
    report_.read_seconds += seconds_since(start);
    block->seconds_left = seconds_for(*block);
    return block->count > 0 ? std::move(block) : nullptr;
  }

  double seconds_for(const Block& block) const {
    const Budget& budget = plan_.budget;
    if (budget.seconds_per_item) return budget.seconds * static_cast<double>(block.count);
    if (budget.seconds == Budget::kUnlimited) return budget.seconds;
    return std::max(0.0, budget.seconds - seconds_since(run_.started) - kWriteShare * report_.read_seconds);
  }

  void make_plan(const Block& first) {
    const bool exact = plan_.request.marginals || job_.options.n_best > 0;
    sequence::PlanRequest request{.marginals = exact};
    if (plan_.budget.seconds < Budget::kUnlimited)
      request.seconds_per_token = first.seconds_left / static_cast<double>(first.items);
    report_.used = plan_.plan = sequence::plan(plan_.ngrams, job_.policy, plan_.plan.options, request);
    if (plan_.plan.options.method == sequence::DecodeMethod::kDoeblin &&
        job_.decode.method == sequence::DecodeMethod::kAuto)
      report_.used.reason = "the model is trained for chains with restarts";
    if (!visits_sites(plan_.plan.options.method) && block_size_ < kTagBlock) block_size_ = kTagBlock;
  }

  void run_alone(BlockPtr block, TagSink<Sequence>& sink) {
    TagWorker worker(job_, run_, plan_);
    for (; block; block = read()) {
      worker.run(*block);
      write(std::move(block), sink);
    }
  }

  void run_parallel(BlockPtr first, TagSink<Sequence>& sink) {
    const auto read_one = [&](tbb::flow_control& control) {
      BlockPtr block = first ? std::move(first) : read();
      if (!block) control.stop();
      return block;
    };
    const auto tag_one = [&](BlockPtr block) {
      std::unique_ptr<TagWorker> worker = unused_worker();
      worker->run(*block);
      put_back(std::move(worker));
      return block;
    };
    const auto write_one = [&](BlockPtr block) { write(std::move(block), sink); };
    tbb::task_arena arena(report_.threads);
    arena.execute([&] {
      tbb::parallel_pipeline(static_cast<std::size_t>(2 * report_.threads),
                             tbb::make_filter<void, BlockPtr>(tbb::filter_mode::serial_in_order, read_one) &
                                 tbb::make_filter<BlockPtr, BlockPtr>(tbb::filter_mode::parallel, tag_one) &
                                 tbb::make_filter<BlockPtr, void>(tbb::filter_mode::serial_in_order, write_one));
    });
  }

  void write(BlockPtr block, TagSink<Sequence>& sink) {
    const auto start = Clock::now();
    sink.write({.sequences = block->used(),
                .label_sequences = &block->label_sequences,
                .result = &block->result,
                .n_best = block->n_best});
    report_.sequences += block->count;
    report_.items += block->items;
    report_.work += block->result.work;
    if (report_.stopped_by == StopReason::kNotRun || report_.stopped_by == StopReason::kSettled)
      report_.stopped_by = block->result.stopped_by;
    report_.runs += block->result.runs;
    report_.whole_runs += block->result.whole_runs;
    report_.score_seconds += block->score_seconds;
    report_.start_seconds += block->result.start_seconds;
    report_.decode_seconds += block->result.decode_seconds;
    report_.write_seconds += seconds_since(start);
    if (run_.progress)
      run_.progress(
          {.phase = "tagging", .done = static_cast<double>(report_.items), .seconds = seconds_since(run_.started)});
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
  }

  BlockPtr unused_block() {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) return std::make_shared<Block>(plan_.ngrams);
    BlockPtr block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }

  std::unique_ptr<TagWorker> unused_worker() {
    const std::lock_guard lock(mutex_);
    if (workers_.empty()) return std::make_unique<TagWorker>(job_, run_, plan_);
    std::unique_ptr<TagWorker> worker = std::move(workers_.back());
    workers_.pop_back();
    return worker;
  }

  void put_back(std::unique_ptr<TagWorker> worker) {
    const std::lock_guard lock(mutex_);
    workers_.push_back(std::move(worker));
  }

  const TagJob& job_;
  const Run& run_;
  TagPlan plan_;
  Input<Reader, Sequence> input_;
  io::OutputFile& output_;
  const SinkMaker<Sequence>& make_sink_;
  std::size_t block_size_ = kTagBlock;
  std::uint64_t blocks_read_ = 0;
  TagReport report_;
  std::mutex mutex_;  // guards what is unused
  std::vector<BlockPtr> blocks_;
  std::vector<std::unique_ptr<TagWorker>> workers_;
};

}  // namespace

TagReport tag_columns(const TagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output,
                      const SinkMaker<ItemSequence>& make_sink) {
  return TagRun<ConllReader, ItemSequence>(job, run, std::move(source), output, make_sink).run();
}

TagReport tag_attributes(const TagJob& job, const Run& run, io::ByteSource source, io::OutputFile& output,
                         const SinkMaker<AttributeSequence>& make_sink) {
  if (job.model.format == TaggingFormat::kPixels)
    return TagRun<PixelReader, AttributeSequence>(job, run, std::move(source), output, make_sink).run();
  return TagRun<CrfsuiteReader, AttributeSequence>(job, run, std::move(source), output, make_sink).run();
}

}  // namespace fovea::tagging
