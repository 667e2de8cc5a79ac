// SPDX-License-Identifier: Apache-2.0
// Tagging by models of label n-grams: conditional random fields, with restarts or without, and structured SVMs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/n_best.h"
#include "fovea/tagging/model/entity_spans.h"
#include "fovea/tagging/model/item_scorer.h"
#include "fovea/tagging/model/label_rules.h"
#include "fovea/tagging/stream/tagging_method.h"

namespace fovea::tagging {
namespace {

/// Number of sequences decoded at a time.
constexpr std::size_t kNgramBlock = 64;
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

sequence::DecodeOptions checked_decode(const TaggerModel& model, const TagJob& job) {
  validate(job.decode);
  validate(job.options);
  if (job.options.n_best > 0 && job.decode.method != sequence::DecodeMethod::kExact &&
      job.decode.method != sequence::DecodeMethod::kAuto)
    throw UsageError(
        fmt::format("option 'n-best' needs exact decoding, not option 'method {}'", word_of(job.decode.method)));
  sequence::DecodeOptions decode = job.decode;
  if (decode.restart_rate == 0) decode.restart_rate = model.restart_rate;
  if (decode.method == sequence::DecodeMethod::kAuto && model.restart_rate > 0 && job.options.n_best == 0)
    decode.method = sequence::DecodeMethod::kDoeblin;
  return decode;
}

sequence::LabelNgrams ngrams_of(const TaggerModel& model, const std::vector<sequence::LabelNgram>& forbidden) {
  std::vector<sequence::LabelNgram> ngrams = model.weights.ngrams();
  ngrams.insert(ngrams.end(), forbidden.begin(), forbidden.end());
  return sequence::LabelNgrams(model.label_count(), std::max(model.weights.factor_size(), forbidden.empty() ? 1 : 2),
                               ngrams);
}

/// State that all threads share once the method is fixed.
struct NgramPlan {
  sequence::Plan plan;
  Budget budget;
  sequence::LabelNgrams ngrams;                        // of the model, with the rules' forbidden pairs
  std::optional<LabelRules> rules;                     // with option 'valid-bio'
  std::optional<sequence::LabelNgrams> restart_pairs;  // of the strong Doeblin family
  sequence::DecodeRequest request;
};

NgramPlan unplanned(const TaggerModel& model, const TagJob& job, bool visits) {
  if (job.options.spans) require_entity_labels(model.labels);
  std::optional<LabelRules> rules;
  if (job.options.valid_bio) rules.emplace(model.labels);
  const std::vector<sequence::LabelNgram> forbidden =
      rules ? rules->forbidden_pairs() : std::vector<sequence::LabelNgram>();
  std::optional<sequence::LabelNgrams> restart_pairs;
  if (model.restart_rate > 0) restart_pairs.emplace(model.weights.label_pairs(forbidden));
  return {.plan = {.options = checked_decode(model, job), .reason = "not planned yet"},
          .budget = checked_budget(job),
          .ngrams = ngrams_of(model, forbidden),
          .rules = rules,
          .restart_pairs = std::move(restart_pairs),
          .request = {.marginals = job.options.marginals || job.options.all_marginals, .visits = visits}};
}

/// A decoded block.
class NgramTags final : public BlockTags {
 public:
  explicit NgramTags(const sequence::LabelNgrams& ngrams) : label_sequences(ngrams) {}

  std::span<const Value> labels(std::size_t s) const override { return of(s, std::span(result.labels)); }
  void read_marginals(std::size_t s, std::size_t item, std::span<double> probabilities) const override {
    const float* row = result.marginals.data() + (label_sequences.begin(s) + item) * label_sequences.ngrams().stride();
    std::copy_n(row, probabilities.size(), probabilities.begin());
  }
  std::span<const RankedTagging> n_best(std::size_t s) const override {
    if (ranked.empty()) return {};
    return ranked[s];
  }
  std::span<const EntitySpan> spans(std::size_t s) const override {
    if (entities.empty()) return {};
    return entities[s];
  }
  std::span<const std::uint32_t> visits(std::size_t s) const override { return of(s, std::span(result.visits)); }
  void add_to(TagReport& report) const override {
    report.work += result.work;
    if (report.stopped_by == StopReason::kNotRun || report.stopped_by == StopReason::kSettled)
      report.stopped_by = result.stopped_by;
    report.runs += result.runs;
    report.whole_runs += result.whole_runs;
    report.score_seconds += score_seconds;
    report.start_seconds += result.start_seconds;
    report.decode_seconds += result.decode_seconds;
  }

  sequence::LabelSequences label_sequences;
  sequence::DecodeResult result;
  std::vector<std::vector<RankedTagging>> ranked;  // [sequence], best first
  std::vector<std::vector<EntitySpan>> entities;   // [sequence]
  double score_seconds = 0;

 private:
  template <class T>
  std::span<const T> of(std::size_t s, std::span<const T> positions) const {
    return positions.subspan(label_sequences.begin(s), label_sequences.end(s) - label_sequences.begin(s));
  }
};

/// Scores and decodes blocks.
class NgramTagger final : public BlockTagger {
 public:
  NgramTagger(const TaggerModel& model, const TagJob& job, const Run& run, const NgramPlan& plan)
      : job_(job),
        run_(run),
        plan_(plan),
        scorer_(model),
        decoder_(plan.ngrams, job.policy, plan.plan.options, plan.request,
                 plan.restart_pairs ? &*plan.restart_pairs : nullptr) {
    if (job.options.n_best > 0) sums_.emplace(plan.ngrams);
    if (job.options.spans) spans_.emplace(model.labels, plan.ngrams);
  }

  void run(TagBlock<ItemSequence>& block) override { tag(block); }
  void run(TagBlock<AttributeSequence>& block) override { tag(block); }

 private:
  template <class Sequence>
  void tag(TagBlock<Sequence>& block) {
    auto& tags = static_cast<NgramTags&>(*block.tags);
    const auto start = std::chrono::steady_clock::now();
    scorer_.score(block.used(), tags.label_sequences);
    if (plan_.rules) plan_.rules->apply_to_ends(tags.label_sequences);
    tags.score_seconds = seconds_since(start);
    const double seconds = std::max(0.0, block.seconds_left - tags.score_seconds);
    decoder_.decode(
        tags.label_sequences,
        {.stop = Stop{.cancel = run_.stop.cancel}.within(seconds),
         .budget = {.transitions = std::floor(plan_.budget.transition_limit(static_cast<double>(block.items))),
                    .factors = std::floor(plan_.budget.factors)},
         .random = run_.random.child("block", block.number)},
        tags.result);
    if (sums_) find_n_best(tags.label_sequences, tags.ranked);
    if (spans_) find_spans(tags);
  }

  void find_spans(NgramTags& tags) {
    tags.entities.resize(tags.label_sequences.sequence_count());
    for (std::size_t s = 0; s < tags.entities.size(); ++s)
      tags.entities[s] = spans_->find(tags.label_sequences, s, tags.labels(s));
  }

  void find_n_best(const sequence::LabelSequences& label_sequences, std::vector<std::vector<RankedTagging>>& n_best) {
    n_best.assign(label_sequences.sequence_count(), {});
    for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
      const double log_z = sums_->run(label_sequences, s, nullptr, nullptr);
      for (mcmc::ScoredAssignment& found :
           sequence::n_best(sums_->states(), label_sequences, s, static_cast<std::size_t>(job_.options.n_best)))
        n_best[s].push_back({std::move(found.values), found.score, std::exp(found.score - log_z)});
    }
  }

  const TagJob& job_;
  const Run& run_;
  const NgramPlan& plan_;
  ItemScorer scorer_;
  sequence::SequenceDecoder decoder_;
  std::optional<sequence::ForwardBackward> sums_;  // for n-best
  std::optional<EntitySpans> spans_;
};

/// Blocks of kNgramBlock sequences, except that with a budget or a time limit for the whole input, methods that visit
/// sites take all of it at once: one pool is spent where it pays most. So do priority queues, which order the sites of
/// all sequences, as the paper's does. A budget per item holds for each single
/// sequence.
class NgramTagging final : public TaggingMethod {
 public:
  NgramTagging(const TaggerModel& model, const TagJob& job, bool visits, const Run& run)
      : model_(model), job_(job), run_(run), plan_(unplanned(model, job, visits)) {
    const bool visits_items = visits_sites(plan_.plan.options.method);
    const bool one_pool = (counts(plan_.budget) && !plan_.budget.per_item) ||
                          (plan_.budget.seconds < Budget::kUnlimited && !plan_.budget.seconds_per_item);
    const bool one_each = counts(plan_.budget) && plan_.budget.per_item;
    const sequence::DecodeOptions& decode = plan_.plan.options;
    const bool one_queue =
        decode.method == sequence::DecodeMethod::kLearned && decode.schedule != sequence::LearnedSchedule::kRounds;
    if (visits_items && one_each) block_size_ = 1;
    else if (visits_items && (one_pool || one_queue)) block_size_ = kWholeInput;
  }

  std::size_t block_size() const override { return block_size_; }
  bool is_parallel_inside() const override { return false; }

  double seconds_for(std::size_t sequences, double read_seconds) const override {
    const Budget& budget = plan_.budget;
    if (budget.seconds_per_item) return budget.seconds * static_cast<double>(sequences);
    if (budget.seconds == Budget::kUnlimited) return budget.seconds;
    return std::max(0.0, budget.seconds - seconds_since(run_.started) - kWriteShare * read_seconds);
  }

  void start(std::size_t items, double seconds, TagReport& report) override {
    const bool exact = plan_.request.marginals || job_.options.n_best > 0;
    sequence::PlanRequest request{.marginals = exact};
    if (plan_.budget.seconds < Budget::kUnlimited) request.seconds_per_token = seconds / static_cast<double>(items);
    plan_.plan = sequence::plan(plan_.ngrams, job_.policy, plan_.plan.options, request);
    report.asked = job_.decode;
    report.options = job_.options;
    report.used = plan_.plan;
    if (plan_.plan.options.method == sequence::DecodeMethod::kDoeblin &&
        job_.decode.method == sequence::DecodeMethod::kAuto)
      report.used.reason = "the model is trained for chains with restarts";
    if (!visits_sites(plan_.plan.options.method) && block_size_ < kNgramBlock) block_size_ = kNgramBlock;
  }

  std::unique_ptr<BlockTags> make_tags() const override { return std::make_unique<NgramTags>(plan_.ngrams); }
  std::unique_ptr<BlockTagger> make_tagger() const override {
    return std::make_unique<NgramTagger>(model_, job_, run_, plan_);
  }

  std::vector<std::string> warnings() const override {
    if (!plan_.rules) return {};
    std::string warning = plan_.rules->warning(model_.weights.ngrams());
    if (warning.empty()) return {};
    return {std::move(warning)};
  }

 private:
  const TaggerModel& model_;
  const TagJob& job_;
  const Run& run_;
  NgramPlan plan_;
  std::size_t block_size_ = kNgramBlock;
};

}  // namespace

std::unique_ptr<TaggingMethod> internal::ngram_tagging(const TaggerModel& model, const TagJob& job, bool visits,
                                                       const Run& run) {
  return std::make_unique<NgramTagging>(model, job, visits, run);
}

}  // namespace fovea::tagging
