// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The cheapest of several oracles for one factor that is right: each of them computes the first messages to a
/// variable, and what they took and erred by decides who computes the rest. The most exact one is the reference; one
/// that would take seconds for a message is left out if another has an answer. If the chosen one fails, others are
/// asked. One errs too much if the marginal's divergence from the reference's, beyond what chance explains, is more
/// than a thousandth of that of the incoming message (or of 1): then the message moves the variable about 3 % too far
/// or not far enough.
///
/// The choice depends on measured times, so answers may differ between machines within these limits. Name an oracle
/// where they must not.
class MeasuredOracle : public Operator {
 public:
  struct Candidate {
    std::string name;
    std::unique_ptr<Operator> oracle;
    double calls = 1;  ///< of the factor's function for one message, roughly
  };

  /// Candidates for one factor, the most exact first. At least one.
  explicit MeasuredOracle(std::vector<Candidate> candidates);

  std::string_view name() const override { return candidates_.front().oracle->name(); }
  std::size_t slot_count() const override { return candidates_.front().oracle->slot_count(); }
  bool takes_improper(std::size_t slot) const override;

  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<double> log_value(std::span<const double> values) const override;

  /// [slot] the name of the oracle that computes its messages; empty while it is not chosen.
  std::vector<std::string> chosen() const;

 private:
  struct Trial {
    std::vector<double> seconds = {};  // [candidate]
    std::vector<int> answers = {};     // [candidate]
    std::vector<bool> is_wrong = {};   // [candidate]
    int messages = 0;
    std::optional<std::size_t> chosen = {};

    double mean_seconds(std::size_t candidate) const { return seconds[candidate] / answers[candidate]; }
  };
  Tilted try_all(Trial& trial, std::size_t slot, std::span<const Message> incoming, Random& random) const;
  Tilted any_answer(std::size_t candidate, std::size_t slot, std::span<const Message> incoming, Random& random) const;
  bool takes_too_long(const Trial& trial, std::size_t candidate) const;
  bool is_hopeless(const Trial& trial, std::size_t candidate) const;
  void choose(Trial& trial) const;

  std::vector<Candidate> candidates_;
  std::vector<std::size_t> by_calls_;  // candidates, the one with the fewest calls first
  mutable std::mutex mutex_;
  mutable std::vector<Trial> trials_;  // [slot]
};

}  // namespace fovea::ep
