// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sequence/exact/sequence_states.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Pairs of neighbouring labels that are allowed at one place: [left * (label_count + 1) + right], where label_count,
/// the pad, stands for the outside of the sequence.
using AllowedPairs = std::vector<char>;

/// Event that tokens begin .. end - 1 are labelled in a certain way, such as "this is a whole entity", whatever the
/// other labels are.
struct StretchEvent {
  AllowedPairs enter;   ///< of the token before the stretch and its first one
  AllowedPairs inside;  ///< of neighbours in the stretch
  AllowedPairs leave;   ///< of its last token and the one after it
};

/// Exact sums over the labelings of one sequence in which a stretch of it meets an event. Any factor size.
///
/// alpha[t][s] is the log of the sum over the first t labels that end in state s, beta[t][s] that over the others after
/// state s. The sum of an event starts from alpha at its first token, passes over its tokens with the pairs that it
/// allows, and ends in beta: the rest of the sequence is summed once for all events.
///
/// Double precision; results are logarithms. A token is passed in the linear domain where its scores lie close enough
/// together for that to be harmless, else in the log domain. bind() costs about 2 * length * states * labels
/// multiplications (or additions of logarithms), an event (its length + 1) * states * labels. A reusable workspace: one
/// per thread. Refers to the n-grams.
class StretchSums {
 public:
  /// bind() throws LimitError when it would take more memory than this (16 bytes per token and state).
  static constexpr std::size_t kMaxBytes = std::size_t{2} << 30;

  explicit StretchSums(const LabelNgrams& ngrams);

  /// Sums over one sequence; `sequences` must not change while log_probability() is called.
  void bind(const LabelSequences& sequences, std::size_t sequence);

  /// log Z of the sequence; -inf if it has no feasible labeling.
  double log_z() const;
  /// log of the probability of the event at tokens begin .. end - 1 (begin < end <= length), which count from the
  /// sequence's first; -inf if it is impossible.
  double log_probability(std::size_t begin, std::size_t end, const StretchEvent& event);

 private:
  using Row = std::vector<double>;  // [state]

  /// Passes a token forwards, from the sums before it to those behind it, with all pairs or those allowed.
  void step(const Row& from, std::size_t token, const AllowedPairs* allowed, Row& to);
  void step_in_log_domain(const Row& from, std::size_t token, const AllowedPairs* allowed, Row& to) const;
  /// Passes a token backwards.
  void step_back(const Row& from, std::size_t token, Row& to);
  void step_back_in_log_domain(const Row& from, std::size_t token, Row& to) const;
  /// Makes shares_ of the sums and factors_ of the token's unary scores, and returns true, if both are narrow enough.
  bool enter_linear_domain(const Row& sums, std::size_t token);
  const char* row_of(const AllowedPairs* allowed, std::uint32_t state) const;
  const float* unary(std::size_t token) const { return sequences_->unary(begin_ + token); }

  SequenceStates states_;
  std::size_t label_count_;
  std::vector<std::uint32_t> next_state_;  // [state][label]
  std::vector<double> weights_;            // [state][label] exp(score); empty if the scores reach too far for that
  Row shares_, factors_;                   // [state] and [label], of the token in the linear domain
  double scale_ = 0;                       // log of what shares_ and factors_ were divided by
  const LabelSequences* sequences_ = nullptr;
  std::size_t begin_ = 0, length_ = 0;
  std::vector<Row> alpha_, beta_;  // [tokens behind]
  Row now_, next_;
};

}  // namespace fovea::sequence
