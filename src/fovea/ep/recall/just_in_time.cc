// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/just_in_time.h"

#include <algorithm>
#include <utility>

#include "fovea/base/parallel.h"
#include "fovea/base/run_control.h"

namespace fovea::ep {
namespace {

/// Messages are predicted in chunks of this size with what is known before the chunk, and then learned from. So the
/// oracle can run in parallel, with results that do not depend on the number of threads.
constexpr std::size_t kChunk = 64;

/// Costs are compared after this number of messages, and then each time that the number has doubled.
constexpr std::uint64_t kFirstReview = 64;
/// Learning is an investment. It is made for this number of messages, and then while the share of recalled ones grows
/// by this much from one review to the next.
constexpr std::uint64_t kInvested = 1024;
constexpr double kGrowth = .1;
/// It is not made where learning one message takes as long as computing this many.
constexpr double kTooDear = 20;

/// A message of a chunk that the oracle must compute.
struct Question {
  std::size_t place = 0;              // in the chunk
  LearnedMessage* learner = nullptr;  // null: cannot be learned
  regress::RegressionExample encoded = {};
  LearnedMessage::Prediction before = {};
  bool is_audit = false;
};

}  // namespace

JustInTime::JustInTime(const Operator& oracle, const JustInTimeOptions& options, const Random& random, int threads)
    : oracle_(&oracle),
      options_(options),
      random_(random),
      audits_(random.child("audits")),
      audit_(options.audit),
      next_review_(kFirstReview),
      threads_(threads) {
  validate(options);
  validate(options.forest);
}

void JustInTime::compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                         std::span<Tilted> results) {
  const std::lock_guard lock(mutex_);
  const std::size_t slots = oracle_->slot_count();
  for (std::size_t begin = 0; begin < results.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, results.size() - begin);
    if (counts_.is_off) {
      ask_all(slot, first + begin, incoming.subspan(begin * slots), results.subspan(begin));
      return;
    }
    compute_chunk(slot, first + begin, incoming.subspan(begin * slots, count * slots), results.subspan(begin, count));
  }
}

void JustInTime::compute_chunk(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                               std::span<Tilted> results) {
  const std::size_t slots = oracle_->slot_count();
  const auto incoming_of = [&](std::size_t place) { return incoming.subspan(place * slots, slots); };
  auto start = std::chrono::steady_clock::now();
  const auto lap = [&](double& seconds) {
    seconds += seconds_since(start);
    start = std::chrono::steady_clock::now();
  };

  std::vector<Question> questions;
  Question question;
  for (question.place = 0; question.place < results.size(); ++question.place) {
    const std::span<const Message> messages = incoming_of(question.place);
    MessageKind kind = MessageKind::of(slot, messages);
    question.learner = kind.is_learnable() ? &learned(kind) : nullptr;
    if (question.learner && !question.learner->encode(*oracle_, messages, question.encoded)) question.learner = nullptr;
    if (question.learner) {
      question.before = question.learner->predict(messages, question.encoded);
      const bool is_trusted = question.learner->trusts(question.before);
      question.is_audit = is_trusted && audits_.bernoulli(audit_);
      if (is_trusted && !question.is_audit) {
        results[question.place] = question.before.tilted;
        question.learner->observe(results[question.place].marginal, messages[slot]);
        ++counts_.recalled;
        continue;
      }
    } else ++counts_.unlearnable;
    questions.push_back(question);
  }
  counts_.messages += results.size();
  lap(counts_.recall_seconds);

  parallel_for(questions.size(), 1, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t place = questions[k].place;
      Random random = random_.child("oracle", first + place);
      results[place] = oracle_->tilted(slot, incoming_of(place), random);
    }
  });
  lap(counts_.oracle_seconds);

  for (Question& asked : questions) {
    if (!asked.learner) continue;
    const Tilted& told = results[asked.place];
    if (asked.is_audit) {
      const LearnedMessage::Error error =
          asked.learner->error_of(asked.before.tilted.marginal, told, incoming_of(asked.place)[slot]);
      learn_from_audit(!(error.beyond_chance() <= options_.max_marginal_kl));
    }
    asked.learner->learn(incoming_of(asked.place), std::move(asked.encoded), asked.before, told);
  }
  lap(counts_.learning_seconds);
  if (counts_.messages >= next_review_) turn_off_if_slower();
}

void JustInTime::ask_all(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                         std::span<Tilted> results) {
  const std::size_t slots = oracle_->slot_count();
  parallel_for(results.size(), kChunk, threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      Random random = random_.child("oracle", first + k);
      results[k] = oracle_->tilted(slot, incoming.subspan(k * slots, slots), random);
    }
  });
  counts_.messages += results.size();
}

/// Compares what a message cost since the last review with what the oracle took.
void JustInTime::turn_off_if_slower() {
  next_review_ = 2 * counts_.messages;
  const RecallCounts before = std::exchange(reviewed_, counts_);
  const double last_share = std::exchange(share_, static_cast<double>(counts_.recalled - before.recalled) /
                                                      static_cast<double>(counts_.messages - before.messages));
  const auto asked = static_cast<double>(counts_.oracle_calls() - before.oracle_calls());
  if (options_.always || asked == 0) return;
  const double oracle = (counts_.oracle_seconds - before.oracle_seconds) / asked;
  const double learning = (counts_.learning_seconds - before.learning_seconds) / asked;
  const double prediction = counts_.recall_seconds / static_cast<double>(counts_.messages);
  const double cost = prediction + (1 - share_) * (oracle + learning);
  const bool may_improve = counts_.messages < kInvested || share_ > last_share + kGrowth;
  counts_.is_off = oracle <= prediction || learning > kTooDear * oracle || (cost > oracle && !may_improve);
}

/// Raises the share of audits when some fail, so that the limit learns of the failures that it let pass.
void JustInTime::learn_from_audit(bool has_failed) {
  constexpr double kMemory = .1, kAuditsPerFailure = 5, kMost = .5;
  ++counts_.audits;
  counts_.failed_audits += has_failed;
  failing_ += kMemory * ((has_failed ? 1 : 0) - failing_);
  audit_ = options_.audit > 0
               ? std::clamp(kAuditsPerFailure * failing_, options_.audit, std::max(kMost, options_.audit))
               : 0;
}

LearnedMessage& JustInTime::learned(const MessageKind& kind) {
  std::unique_ptr<LearnedMessage>& learner = learned_[kind];
  if (!learner) learner = std::make_unique<LearnedMessage>(kind, options_, random_.child("learned", learned_.size()));
  return *learner;
}

RecallCounts JustInTime::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<const LearnedMessage*> JustInTime::learned() const {
  std::vector<const LearnedMessage*> all;
  for (const auto& [kind, learner] : learned_) all.push_back(learner.get());
  return all;
}

}  // namespace fovea::ep
