// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fovea/ep/operators/message_source.h"
#include "fovea/ep/recall/just_in_time_options.h"
#include "fovea/ep/recall/learned_message.h"
#include "fovea/ep/recall/recall_counts.h"

namespace fovea::ep {

/// Recalls messages when the prediction can be trusted; otherwise an oracle computes them, and the source learns from
/// it (Eslami et al. 2014, equation 3). Calls from several threads are safe and take turns.
///
/// From time to time the source compares what it took with what it saved. If the oracle is as fast as recall, or little
/// is recalled, it turns itself off for good: the oracle computes everything from then on. With `always` it does not,
/// and results depend on the sequence of calls and the seed alone, not on the number of threads or on the machine.
class JustInTime : public MessageSource {
 public:
  /// `oracle` must outlive the source.
  JustInTime(const Operator& oracle, const JustInTimeOptions& options, const Random& random = Random(),
             int threads = 1);

  const Operator& factor() const override { return *oracle_; }
  const JustInTimeOptions& options() const { return options_; }

  void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
               std::span<Tilted> results) override;

  RecallCounts counts() const;
  /// Results of learning, one for each kind of message that occurred.
  std::vector<const LearnedMessage*> learned() const;
  LearnedMessage& learned(const MessageKind& kind);

 private:
  void learn_from_audit(bool has_failed);
  void ask_all(std::size_t slot, std::uint64_t first, std::span<const Message> incoming, std::span<Tilted> results);
  void turn_off_if_slower();
  void compute_chunk(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                     std::span<Tilted> results);

  const Operator* oracle_;
  JustInTimeOptions options_;
  Random random_, audits_;
  double audit_;               // current share of trusted messages that are audited
  double failing_ = 0;         // recent share of audits that fail
  std::uint64_t next_review_;  // number of messages at which costs are compared
  RecallCounts reviewed_;      // the counts then
  double share_ = 0;           // of messages recalled between the last two reviews
  int threads_;
  std::map<MessageKind, std::unique_ptr<LearnedMessage>> learned_;
  RecallCounts counts_;
  mutable std::mutex mutex_;
};

}  // namespace fovea::ep
