// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// The states of a label sequence: the label histories that its n-grams tell apart.
///
/// With factor size q a chain has K^(q-1) histories of q - 1 labels, but only a few label n-grams are ever seen. All
/// that still matters about a history is its longest suffix that begins some n-gram, so the exact recursions run over
/// these prefixes only (Cuong, Ye, Lee, Chieu 2014, "Conditional random field with high-order dependencies for sequence
/// labeling and segmentation"; as an automaton it is that of Aho and Corasick 1975). With every n-gram present the
/// states are the dense ones, and nothing is lost.
///
///   state       a label string of length 0 .. max(q - 1, 1): the empty one (state 0, the start of a sequence), every
///               single label, and every proper prefix of an n-gram
///   parent(s)   s without its last label
///   fail(s)     the longest proper suffix of s that is a state
///   next(s, k)  the longest suffix of s followed by k that is a state: one of s's own children (parent(child) = s),
///               else next(fail(s), k)
///
/// States are numbered in preorder of the tree of fail links, so that those which end in s are [s, subtree_end(s)).
class SequenceStates {
 public:
  /// O(context_count) + the number of states times their length.
  explicit SequenceStates(const LabelNgrams& ngrams) { rebind(ngrams); }

  /// Adopts new scores. O(context_count) when the new n-grams are the old ones with other scores, else as constructed.
  /// `ngrams` must outlive the next use. Returns true if the states are the same as before.
  bool rebind(const LabelNgrams& ngrams);

  const LabelNgrams& ngrams() const { return *ngrams_; }
  std::size_t count() const { return fail_.size(); }
  std::uint32_t parent(std::uint32_t s) const { return parent_[s]; }
  std::uint32_t fail(std::uint32_t s) const { return fail_[s]; }
  std::uint32_t subtree_end(std::uint32_t s) const { return subtree_end_[s]; }
  /// The last label of s; the pad label for state 0.
  Value last(std::uint32_t s) const { return last_[s]; }
  /// The context of slot q - 1 with the state's labels on the right and pads before them.
  std::size_t context(std::uint32_t s) const { return ngrams_->order() == 0 ? 0 : key_[s]; }
  /// Scores of each label after the history s: stride() floats.
  const float* row(std::uint32_t s) const { return ngrams_->row(ngrams_->factor_size() - 1, context(s)); }

  /// The children of s are child(i) for i in [child_begin(s), child_begin(s + 1)), by ascending label.
  std::uint32_t child_begin(std::uint32_t s) const { return child_begin_[s]; }
  std::uint32_t child(std::uint32_t i) const { return child_[i]; }

  /// O(q) look-ups.
  std::uint32_t next(std::uint32_t s, Value label) const;

  /// Calls visit(r) for the states r with next(r, last(s)) = s, ascending: those that end in the parent of s, except
  /// those that end in a longer state with a child on the same label. s is not the empty state.
  template <class Visit>
  void for_each_predecessor(std::uint32_t s, Visit&& visit) const {
    const std::uint32_t top = parent_[s];
    visit(top);
    for (std::uint32_t r = top + 1; r < subtree_end_[top];) {
      if (has_child(r, last_[s])) {
        r = subtree_end_[r];
      } else {
        visit(r++);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  bool has_child(std::uint32_t s, Value label) const {
    for (std::uint32_t i = child_begin_[s]; i < child_begin_[s + 1]; ++i)
      if (last_[child_[i]] == label) return true;
    return false;
  }
  void rebuild();
  std::vector<std::uint32_t> collect_keys() const;
  void number_states(std::vector<std::uint32_t> keys);
  void link_children();

  const LabelNgrams* ngrams_ = nullptr;
  std::uint32_t base_ = 0;    // K + 1
  std::uint32_t digits_ = 0;  // max(q - 1, 1)
  std::size_t key_count_ = 0;
  int factor_size_ = 0;
  std::vector<std::uint32_t> row_index_;  // of the n-grams last bound, to see whether the states are still the same
  std::vector<std::uint32_t> key_;        // [state] labels as digits in base K + 1, pads before them
  std::vector<std::uint32_t> state_of_key_;
  std::vector<std::uint32_t> parent_, fail_, subtree_end_, child_begin_, child_;
  std::vector<Value> last_;
};

}  // namespace fovea::sequence
