// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence::internal {

/// A run of positions of LabelSequences with a few labels each, given everything around it: see SequenceJoint.
///
/// Position t of the stretch has n_t labels (the q - 1 positions after its last site are part of it, with the one label
/// that they hold). A state after t numbers the labels of positions t - q + 2 .. t in mixed radix, the last label least
/// significant; with M the number of states after t - 1 that differ in all but their oldest label, state o and label l
/// lead to state (o mod M) n_t + l.
class Stretch {
 public:
  explicit Stretch(const LabelSequences& sequences) : sequences_(&sequences), ngrams_(&sequences.ngrams()) {}

  /// Starts at position `first`, between the labels of `labeling`.
  void begin(const Assignment& labeling, std::size_t first);
  /// Adds the next position, with the labels that are left open there.
  void add(std::span<const Value> labels);
  /// To be called after the last position: scores all windows that touch the stretch. A window may have at most
  /// `max_windows` label combinations: lighter labels, which come later, are dropped first.
  void score(std::size_t max_windows);

  std::size_t size() const { return site_count_; }
  std::uint64_t window_count() const { return scores_.size(); }
  /// True if some combination of labels scores -inf.
  bool constrained() const { return constrained_; }

  /// Finds the likeliest labels; returns false, and writes nothing, if no labeling is possible.
  bool find_best(Value* labels);
  /// Finds the likeliest label of each position and, unless `doubt` is null, 1 - its probability where several labels
  /// are open. Returns false if no labels are possible. The labels together may be impossible.
  bool find_marginal(Value* labels, float* doubt);
  bool possible(const Value* labels) const;

 private:
  struct Position {
    const Value* labels;
    std::uint32_t count;       // n_t
    std::uint32_t states = 0;  // number of states after it
    std::size_t windows = 0;   // index of its first window, [state before][label]
    std::size_t values = 0;    // index of its first state
  };

  std::uint32_t states_before(std::size_t t) const { return t == 0 ? 1 : positions_[t - 1].states; }
  /// n of the oldest label in the states before t, and M.
  std::uint32_t oldest_count(std::size_t t) const {
    return std::ptrdiff_t(t) < history_ ? 1 : positions_[t - history_].count;
  }
  std::uint32_t modulus(std::size_t t) const { return states_before(t) / oldest_count(t); }
  template <class Body>
  void for_each_window(std::size_t t, const Body& body) const;
  void bound_windows(std::size_t max_windows);
  void score_position(std::size_t t);
  void advance_contexts(std::size_t t);
  bool sum_forward();
  void sum_backward(std::size_t t);
  bool add_marginals(std::size_t t);

  const LabelSequences* sequences_;
  const LabelNgrams* ngrams_;
  const Value* labeling_ = nullptr;
  std::size_t first_ = 0, site_count_ = 0;
  std::ptrdiff_t history_ = 0;  // q - 1
  bool constrained_ = false;
  std::vector<Position> positions_;
  std::vector<std::size_t> contexts_, next_contexts_;  // [state]
  std::vector<float> scores_;                          // windows, log domain, less the largest of each position
  std::vector<float> weights_;                         // their exponentials
  std::vector<double> alpha_, beta_, next_beta_, marginals_;
  std::vector<std::uint16_t> before_;  // [state of every position] the best state before
};

}  // namespace fovea::sequence::internal
