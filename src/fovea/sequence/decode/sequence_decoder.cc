// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/sequence_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/sequence/decode/marginal_average.h"
#include "fovea/sequence/decode/pair_chain_start.h"
#include "fovea/sequence/decode/restart_decoder.h"
#include "fovea/sequence/exact/beam.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/viterbi.h"
#include "fovea/sequence/model/least_restart_rate.h"
#include "fovea/sequence/model/open_labels.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/policy/universal_policy.h"
#include "fovea/sequence/sample/best_so_far.h"
#include "fovea/sequence/sample/joint_kernel.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

class SequenceDecoder::Impl {
 public:
  Impl(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options, const DecodeRequest& request,
       const LabelNgrams* restart_pairs);
  void decode(const LabelSequences& sequences, const Run& run, DecodeResult& result);

 private:
  bool from_chain() const { return options_.start == DecodeStart::kChain; }
  bool visits_jointly() const {
    return options_.method == DecodeMethod::kLearned && options_.visit == VisitKind::kJoint;
  }
  bool samples() const {
    return !visits_jointly() && (options_.method == DecodeMethod::kGibbs || options_.method == DecodeMethod::kLearned);
  }
  bool keeps_best() const { return samples() && options_.answer == DecodeAnswer::kBest; }
  const RoundPolicy& round_policy() const;
  void check_options() const;
  void check_options_without_policy() const;

  void make_start(const LabelSequences& sequences, Random& random, DecodeResult& result);
  void decode_exactly(const LabelSequences& sequences, DecodeResult& result);
  void decode_with_restarts(const LabelSequences& sequences, const Run& limits, const Random& random,
                            DecodeResult& result);
  template <class Kernel>
  void sweep(const LabelSequences& sequences, const Run& limits, Random& random, DecodeResult& result);
  template <class Kernel>
  void average(const LabelSequences& sequences, mcmc::FixedSchedule& schedule, const Kernel& kernel, const Run& limits,
               Random& random, DecodeResult& result);
  template <class Kernel>
  void visit_in_rounds(const LabelSequences& sequences, const Run& limits, Random& random, DecodeResult& result);
  void visit_jointly(const LabelSequences& sequences, const Run& limits, Random& random, DecodeResult& result);
  template <class Queue>
  void visit_by_queue(const LabelSequences& sequences, const Run& limits, Random& random, DecodeResult& result);
  template <class Schedule, class Kernel>
  void run_to_answer(const LabelSequences& sequences, Schedule& schedule, const Kernel& kernel, const Run& limits,
                     Random& random, DecodeResult& result);

  const LabelNgrams& ngrams_;
  const Policy* policy_;
  std::optional<Policy> universal_;  // where none was given
  DecodeOptions options_;
  DecodeRequest request_;
  UnaryLaw unary_law_;
  std::optional<LabelNgrams> start_ngrams_;  // of the chain start, unless the model itself is a pair chain
  std::optional<PairChainStart> start_chain_;
  std::optional<Viterbi> viterbi_;
  std::optional<ForwardBackward> forward_backward_;
  std::optional<BeamSearch> beam_;
  std::optional<RestartDecoder> restarts_;
  std::vector<float> doubt_;  // [position]
  OpenLabels open_;           // of joint visits
  std::vector<VariableId> changed_;
};

SequenceDecoder::Impl::Impl(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options,
                            const DecodeRequest& request, const LabelNgrams* restart_pairs)
    : ngrams_(ngrams), policy_(policy), options_(options), request_(request) {
  validate(options_);
  check_restart_rate(options_.restart_rate);
  check_options();
  if (options_.method == DecodeMethod::kDoeblin) {
    if (restart_pairs == nullptr || !(options_.restart_rate > 0))
      throw UsageError("method doeblin needs a model of that family; make one with `fovea train --family doeblin`");
    restarts_.emplace(
        *restart_pairs,
        RestartDecoderOptions{.rate = options_.restart_rate, .runs = options_.runs, .settled = options_.settled});
    return;
  }
  if (policy) unary_law_ = policy->unary_law;
  else if (options_.method == DecodeMethod::kLearned) policy_ = &universal_.emplace(universal_policy(ngrams));
  if (options_.method == DecodeMethod::kExact) {
    viterbi_.emplace(ngrams);
    if (request.marginals) forward_backward_.emplace(ngrams);
  } else if (options_.method == DecodeMethod::kBeam) {
    beam_.emplace(ngrams, options_.beam_width);
  } else if (from_chain()) {
    if (ngrams.factor_size() > 2) start_ngrams_.emplace(policy->pair_chain_start_ngrams());
    start_chain_.emplace(start_ngrams_ ? *start_ngrams_ : ngrams, unary_law_, options_.start_prune);
  }
}

void SequenceDecoder::Impl::check_options() const {
  if (options_.method == DecodeMethod::kAuto) throw UsageError("method auto must be planned before decoding");
  if (policy_ && (policy_->label_count != ngrams_.label_count() || policy_->factor_size != ngrams_.factor_size()))
    throw UsageError(
        fmt::format("the policy is for {} labels at factor size {}, the model has {} at {}; tune one for it",
                    policy_->label_count, policy_->factor_size, ngrams_.label_count(), ngrams_.factor_size()));
  if (!policy_ && visits_sites(options_.method) && from_chain() && ngrams_.factor_size() > 2)
    throw UsageError("the chain start of a model above factor size 2 needs a policy; make one with `fovea tune`");
  if (options_.method == DecodeMethod::kLearned && ngrams_.factor_size() < 2)
    throw UsageError("at factor size 1 tokens are independent: nothing to learn; use option 'method exact'");
  if (options_.method == DecodeMethod::kLearned && options_.schedule == LearnedSchedule::kRounds &&
      options_.start == DecodeStart::kRandom)
    throw UsageError("rounds begin where a cheap model is in doubt: use option 'start unigram' or chain");
  if (options_.method == DecodeMethod::kLearned && !policy_) check_options_without_policy();
  if (options_.regret > 0 && options_.threshold)
    throw UsageError("option 'regret' takes the place of option 'threshold': give one of them");
  if (options_.regret > 0 &&
      (options_.method != DecodeMethod::kLearned || options_.schedule != LearnedSchedule::kRounds))
    throw UsageError("option 'regret' is about rounds: use option 'method learned' and option 'schedule rounds'");
  if (visits_jointly() && options_.schedule != LearnedSchedule::kRounds)
    throw UsageError("joint visits are made in rounds: use option 'schedule rounds'");
  const bool averages = options_.method == DecodeMethod::kGibbs && options_.answer == DecodeAnswer::kMarginal;
  if (request_.marginals && !averages && options_.method != DecodeMethod::kExact &&
      options_.method != DecodeMethod::kDoeblin)
    throw UsageError(
        "marginals need option 'method exact' or doeblin, or option 'method gibbs' with option 'answer marginal'");
  if (options_.answer == DecodeAnswer::kMarginal && samples() && !averages)
    throw UsageError(
        "a learned schedule looks at the values it changes, so averages over its samples are not marginals; "
        "use option 'answer last' or best, or option 'method gibbs'");
}

/// Refuses what a policy for any labels does not have (universal_policy).
void SequenceDecoder::Impl::check_options_without_policy() const {
  if (from_chain())
    throw UsageError(
        "without a policy, method learned begins with each token's own scores: use option 'start unigram', or make a "
        "policy with `fovea tune`");
  if (options_.schedule != LearnedSchedule::kRounds)
    throw UsageError("queues need a policy; make one with `fovea tune` and give it as option 'policy'");
  if (options_.regret > 0)
    throw UsageError(
        "option 'regret' needs a policy whose gains were measured on such text; make one with `fovea tune`");
}

const RoundPolicy& SequenceDecoder::Impl::round_policy() const {
  const bool sample = options_.visit == VisitKind::kSample;
  const RoundPolicy& rounds = from_chain() ? (sample ? policy_->sample_from_chain : policy_->best_from_chain)
                                           : (sample ? policy_->sample_from_unigram : policy_->best_from_unigram);
  if (rounds.label_count == 0) throw UsageError("the policy was not tuned for this start; run `fovea tune` again");
  return rounds;
}

void SequenceDecoder::Impl::decode(const LabelSequences& sequences, const Run& run, DecodeResult& result) {
  Run limits = run;
  limits.budget.transitions = std::floor(run.budget.transition_limit(static_cast<double>(sequences.token_count())));
  Random random = run.random;
  const auto start = Clock::now();
  result.stopped_by = StopReason::kSettled;
  result.labels = sequences.make_labeling();
  result.marginals.clear();
  result.visits.assign(request_.visits ? sequences.position_count() : 0, 0);
  result.work = {};
  result.runs = result.whole_runs = 0;
  result.start_seconds = 0;
  if (!visits_sites(options_.method)) {
    decode_exactly(sequences, result);
  } else if (restarts_) {
    decode_with_restarts(sequences, limits, random, result);
  } else {
    make_start(sequences, random, result);
    result.start_seconds = seconds_since(start);
    if (options_.method == DecodeMethod::kIcm) sweep<SequenceIcm>(sequences, limits, random, result);
    else if (options_.method == DecodeMethod::kGibbs) sweep<SequenceGibbs>(sequences, limits, random, result);
    else if (options_.schedule == LearnedSchedule::kHeap)
      visit_by_queue<IndexedHeap>(sequences, limits, random, result);
    else if (options_.schedule == LearnedSchedule::kBuckets)
      visit_by_queue<BucketQueue>(sequences, limits, random, result);
    else if (visits_jointly()) visit_jointly(sequences, limits, random, result);
    else if (options_.visit == VisitKind::kSample) visit_in_rounds<SequenceGibbs>(sequences, limits, random, result);
    else visit_in_rounds<SequenceIcm>(sequences, limits, random, result);
  }
  result.decode_seconds = seconds_since(start) - result.start_seconds;
}

void SequenceDecoder::Impl::decode_exactly(const LabelSequences& sequences, DecodeResult& result) {
  if (beam_) beam_->decode_all(sequences, result.labels);
  else viterbi_->decode_all(sequences, result.labels);
  result.work.oracle_calls = sequences.sequence_count();
  if (!request_.marginals) return;
  result.marginals.assign(sequences.position_count() * ngrams_.stride(), 0.0f);
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    forward_backward_->run(sequences, s, result.marginals.data() + sequences.begin(s) * ngrams_.stride(), nullptr);
}

void SequenceDecoder::Impl::decode_with_restarts(const LabelSequences& sequences, const Run& limits,
                                                 const Random& random, DecodeResult& result) {
  if (request_.marginals) result.marginals.assign(sequences.position_count() * ngrams_.stride(), 0.0f);
  const RestartSummary summary =
      restarts_->decode(sequences, limits, random, result.labels, result.marginals, result.visits);
  result.stopped_by = summary.stopped_by;
  result.work = summary.work;
  result.runs = summary.runs;
  result.whole_runs = summary.whole_runs;
}

void SequenceDecoder::Impl::make_start(const LabelSequences& sequences, Random& random, DecodeResult& result) {
  doubt_.resize(sequences.position_count());
  if (options_.start == DecodeStart::kRandom) {
    Random labels = random.child("start");
    const auto label_count = static_cast<std::uint32_t>(ngrams_.label_count());
    for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
      for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
        result.labels[p] = static_cast<Value>(labels.uniform_index(label_count));
  } else if (from_chain()) {
    start_chain_->decode(sequences, result.labels, doubt_.data(), visits_jointly() ? &open_ : nullptr, options_.prune);
    result.work.oracle_calls = sequences.sequence_count();
  } else {
    unary_start(sequences, result.labels, doubt_.data(), unary_law_, visits_jointly() ? &open_ : nullptr,
                options_.prune);
  }
}

template <class Kernel>
void SequenceDecoder::Impl::sweep(const LabelSequences& sequences, const Run& limits, Random& random,
                                  DecodeResult& result) {
  if (options_.sweeps == 0 && options_.answer != DecodeAnswer::kMarginal) return;  // the start is the answer
  mcmc::FixedSchedule schedule(
      options_.order == SweepOrder::kColour ? colour_order(sequences) : left_to_right_order(sequences), options_.sweeps,
      std::size_t{1} << 14, /*with_gains=*/keeps_best());
  const Kernel kernel(sequences);
  if constexpr (mcmc::kLeavesTargetInvariant<Kernel, mcmc::FixedSchedule>)
    if (options_.answer == DecodeAnswer::kMarginal) return average(sequences, schedule, kernel, limits, random, result);
  run_to_answer(sequences, schedule, kernel, limits, random, result);
}

template <class Kernel>
void SequenceDecoder::Impl::average(const LabelSequences& sequences, mcmc::FixedSchedule& schedule,
                                    const Kernel& kernel, const Run& limits, Random& random, DecodeResult& result) {
  MarginalAverage average(sequences);
  const double planned =
      std::min(options_.sweeps * static_cast<double>(sequences.token_count()), limits.budget.transitions);
  const RunSummary summary =
      run_for_marginals(result.labels, schedule, kernel, limits, random, options_.burn_in * planned, average,
                        [&](auto batch, const mcmc::StepInfo&) {
                          if (request_.visits)
                            for (const VariableId v : batch) ++result.visits[v];
                        });
  average.add_unseen(result.labels);  // the budget may end before every token was visited
  average.finish(result.labels);
  if (request_.marginals) result.marginals = average.marginals();
  result.stopped_by = summary.stopped_by;
  result.work += summary.work;
}

template <class Kernel>
void SequenceDecoder::Impl::visit_in_rounds(const LabelSequences& sequences, const Run& limits, Random& random,
                                            DecodeResult& result) {
  RoundSchedule schedule(sequences, round_policy(), result.labels, doubt_,
                         {.threshold = static_cast<float>(options_.threshold.value_or(DecodeOptions::kThreshold)),
                          .regret = static_cast<float>(options_.regret),
                          .max_rounds = options_.max_rounds,
                          .max_visits = limits.transition_limit(),
                          .revisit = options_.visit == VisitKind::kSample,
                          .gains = keeps_best()});
  run_to_answer(sequences, schedule, Kernel(sequences), limits, random, result);
}

void SequenceDecoder::Impl::visit_jointly(const LabelSequences& sequences, const Run& limits, Random& random,
                                          DecodeResult& result) {
  // One round: a second look, given fixed neighbours, would unsettle what the sums over a stretch have settled.
  RoundSchedule schedule(sequences, round_policy(), result.labels, doubt_,
                         {.threshold = static_cast<float>(options_.threshold.value_or(DecodeOptions::kThreshold)),
                          .regret = static_cast<float>(options_.regret),
                          .max_rounds = 1,
                          .max_visits = limits.transition_limit()});
  const auto answer = options_.answer == DecodeAnswer::kMarginal ? JointAnswer::kMarginal : JointAnswer::kBest;
  run_to_answer(sequences, schedule, SequenceJoint(sequences, open_, answer), limits, random, result);
}

template <class Queue>
void SequenceDecoder::Impl::visit_by_queue(const LabelSequences& sequences, const Run& limits, Random& random,
                                           DecodeResult& result) {
  const auto threshold = static_cast<float>(options_.threshold.value_or(-std::numeric_limits<double>::infinity()));
  const SiteNetwork network(sequences);
  QueueSchedule<Queue> schedule(network, result.labels, policy_->value, policy_->features,
                                left_to_right_order(sequences), threshold);
  Run bounded = limits;
  const double cap = std::floor(options_.sweeps * static_cast<double>(sequences.token_count()));
  bounded.budget.transitions = std::min(bounded.budget.transitions, cap);
  run_to_answer(sequences, schedule, SequenceGibbs(sequences), bounded, random, result);
}

template <class Schedule, class Kernel>
void SequenceDecoder::Impl::run_to_answer(const LabelSequences& sequences, Schedule& schedule, const Kernel& kernel,
                                          const Run& limits, Random& random, DecodeResult& result) {
  std::optional<BestSoFar> best;
  if (keeps_best()) best.emplace(sequences, result.labels);
  const RunSummary summary =
      mcmc::run(result.labels, schedule, kernel, limits, random, [&](auto batch, const mcmc::StepInfo& info) {
        if (best) best->observe(batch, info, result.labels);
        if (request_.visits)
          for (const VariableId v : batch) ++result.visits[v];
      });
  if (best) result.labels = best->labeling();
  result.stopped_by = summary.stopped_by;
  result.work += summary.work;
}

SequenceDecoder::SequenceDecoder(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options,
                                 const DecodeRequest& request, const LabelNgrams* restart_pairs)
    : impl_(std::make_unique<Impl>(ngrams, policy, options, request, restart_pairs)) {}
SequenceDecoder::~SequenceDecoder() = default;
SequenceDecoder::SequenceDecoder(SequenceDecoder&&) noexcept = default;

void SequenceDecoder::decode(const LabelSequences& sequences, const Run& run, DecodeResult& result) {
  impl_->decode(sequences, run, result);
}

}  // namespace fovea::sequence
