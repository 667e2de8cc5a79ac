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

namespace fovea::ep {

/// Counts of what a just-in-time source did so far.
struct RecallCounts {
  std::uint64_t messages = 0;       ///< requested
  std::uint64_t recalled = 0;       ///< of these, answered without the oracle
  std::uint64_t audits = 0;         ///< oracle calls for messages that could have been recalled
  std::uint64_t failed_audits = 0;  ///< of these, those whose recalled message erred by more than allowed
  std::uint64_t unlearnable = 0;    ///< oracle calls for messages without a shape: improper ones
  double oracle_seconds = 0, recall_seconds = 0, learning_seconds = 0;

  std::uint64_t oracle_calls() const { return messages - recalled; }
};

/// Recalls messages when the prediction can be trusted; otherwise an oracle computes them, and the source learns from
/// it (Eslami et al. 2014, equation 3). Results depend on the sequence of calls and the seed, not on the number of
/// threads; calls from several threads are safe and take turns.
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
  void compute_chunk(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
                     std::span<Tilted> results);

  const Operator* oracle_;
  JustInTimeOptions options_;
  Random random_, audits_;
  double audit_;        // current share of trusted messages that are audited
  double failing_ = 0;  // recent share of audits that fail
  int threads_;
  std::map<MessageKind, std::unique_ptr<LearnedMessage>> learned_;
  RecallCounts counts_;
  mutable std::mutex mutex_;
};

}  // namespace fovea::ep
