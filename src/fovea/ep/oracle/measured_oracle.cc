// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/measured_oracle.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"

namespace fovea::ep {
namespace {

/// Number of messages to a slot that all candidates compute.
constexpr int kTrials = 3;
/// Share of the incoming message's divergence that an answer may be off.
constexpr double kMostError = 1e-3;
/// An expected error by chance may well be exceeded this many times.
constexpr double kTimesChance = 3;
/// One that takes this many times as long as a more exact one is not asked again.
constexpr double kHopeless = 3;
/// An oracle that takes this long is not asked while another one has an answer.
constexpr double kTooLong = 2;

bool is_right(const Tilted& answer, const Tilted& reference, const Message& incoming) {
  const double told = is_proper(incoming) ? divergence(reference.marginal, incoming) : 1;
  const double chance = kTimesChance * (answer.expected_error + reference.expected_error);
  return divergence(reference.marginal, answer.marginal) <= kMostError * std::min(1., told) + chance;
}

}  // namespace

MeasuredOracle::MeasuredOracle(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {
  FOVEA_CHECK(!candidates_.empty());
  by_calls_.resize(candidates_.size());
  std::iota(by_calls_.begin(), by_calls_.end(), std::size_t{0});
  std::ranges::stable_sort(by_calls_, {}, [&](std::size_t c) { return candidates_[c].calls; });
  Trial none;
  none.seconds.resize(candidates_.size());
  none.answers.resize(candidates_.size());
  none.is_wrong.resize(candidates_.size());
  trials_.assign(slot_count(), none);
}

bool MeasuredOracle::takes_improper(std::size_t slot) const {
  return std::ranges::any_of(candidates_, [&](const Candidate& c) { return c.oracle->takes_improper(slot); });
}

Tilted MeasuredOracle::tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const {
  std::unique_lock lock(mutex_);
  Trial& trial = trials_[slot];
  if (!trial.chosen) return try_all(trial, slot, incoming, random);
  const std::size_t chosen = *trial.chosen;
  lock.unlock();
  return any_answer(chosen, slot, incoming, random);
}

/// The answer of one candidate or, if it fails, of the most exact other one that does not.
Tilted MeasuredOracle::any_answer(std::size_t candidate, std::size_t slot, std::span<const Message> incoming,
                                  Random& random) const {
  std::exception_ptr failure;
  for (std::size_t k = 0; k <= candidates_.size(); ++k) {
    if (k == candidate + 1) continue;
    Random draws = random;
    try {
      return candidates_[k == 0 ? candidate : k - 1].oracle->tilted(slot, incoming, draws);
    } catch (const InputError&) {
      if (!failure) failure = std::current_exception();
    }
  }
  std::rethrow_exception(failure);
}

/// The answer of the most exact candidate that has one.
Tilted MeasuredOracle::try_all(Trial& trial, std::size_t slot, std::span<const Message> incoming,
                               Random& random) const {
  std::vector<std::optional<Tilted>> answers(candidates_.size());
  for (const std::size_t c : by_calls_) {
    if (trial.is_wrong[c] || takes_too_long(trial, c) || is_hopeless(trial, c)) continue;
    Random draws = random;
    const auto start = std::chrono::steady_clock::now();
    try {
      answers[c] = candidates_[c].oracle->tilted(slot, incoming, draws);
      ++trial.answers[c];
    } catch (const InputError&) {
      trial.is_wrong[c] = true;
    }
    trial.seconds[c] += seconds_since(start);
  }
  const auto reference = std::ranges::find_if(answers, [](const auto& answer) { return answer.has_value(); });
  if (reference == answers.end()) {
    trial.is_wrong.assign(candidates_.size(), false);  // the fault may be this message's
    return any_answer(0, slot, incoming, random);
  }
  for (std::size_t c = 0; c < answers.size(); ++c)
    if (answers[c] && is_proper((*reference)->marginal) && !is_right(*answers[c], **reference, incoming[slot]))
      trial.is_wrong[c] = true;
  if (++trial.messages == kTrials) choose(trial);
  return **reference;
}

/// True if a faster one has answers that are right, and this one takes too long or, by its number of calls, would.
bool MeasuredOracle::takes_too_long(const Trial& trial, std::size_t candidate) const {
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (c == candidate || trial.answers[c] == 0 || trial.is_wrong[c]) continue;
    const double expected = trial.answers[candidate] > 0
                                ? trial.mean_seconds(candidate)
                                : trial.mean_seconds(c) * candidates_[candidate].calls / candidates_[c].calls;
    if (expected > std::max(kTooLong, trial.mean_seconds(c))) return true;
  }
  return false;
}

/// True if a more exact one is far faster.
bool MeasuredOracle::is_hopeless(const Trial& trial, std::size_t candidate) const {
  for (std::size_t c = 0; c < candidate && trial.answers[candidate] > 0; ++c)
    if (trial.answers[c] > 0 && !trial.is_wrong[c] && kHopeless * trial.mean_seconds(c) < trial.mean_seconds(candidate))
      return true;
  return false;
}

void MeasuredOracle::choose(Trial& trial) const {
  for (std::size_t c = 0; c < candidates_.size(); ++c)
    if (!trial.is_wrong[c] && trial.answers[c] >= kTrials &&
        (!trial.chosen || trial.mean_seconds(c) < trial.mean_seconds(*trial.chosen)))
      trial.chosen = c;
  if (!trial.chosen) trial.messages = 0;  // none has answered all of them: try again
}

std::optional<double> MeasuredOracle::log_value(std::span<const double> values) const {
  for (const Candidate& candidate : candidates_)
    if (const std::optional<double> value = candidate.oracle->log_value(values)) return value;
  return std::nullopt;
}

std::vector<std::string> MeasuredOracle::chosen() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const Trial& trial : trials_) names.push_back(trial.chosen ? candidates_[*trial.chosen].name : "");
  return names;
}

}  // namespace fovea::ep
