// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/gestures/alignment_weights.h"

namespace fovea::gestures {

/// An alignment z of one gesture: for each observation, the place of its label among those that the lattice allows.
using Alignment = std::vector<std::uint16_t>;

/// The labels that each observation of one gesture may have, and their scores under both chains. Learning sees only the
/// gesture's own weights, its *slots*: a dense array of a few thousand, first those of u, then those of A
///
///   label(i, k)                (x_i, z_i) and (x_{i-1}, x_i, z_i) together
///   pair(i, j, k)              (x_i, z_{i-1}, z_i), i > 0
///   letters(i, before, k)      A only: k starts a letter
///   word()                     A only: in the dictionary, log frequency, number of prefixes
class AlignmentLattice {
 public:
  AlignmentLattice(std::span<const Key> keys, const AlignmentParameters& parameters);

  std::size_t size() const { return keys_.size(); }
  std::span<const Key> keys() const { return keys_; }
  std::size_t label_count(std::size_t i) const { return sites_[i].labels.size(); }
  AlignmentLabel label(std::size_t i, std::size_t k) const { return sites_[i].labels[k]; }
  /// Number of letters near x_i. Labels are #, then the letters that it may start, then those that it may continue.
  std::size_t near_count(std::size_t i) const { return label_count(i) / 2; }
  bool starts(std::size_t i, std::size_t k) const { return 1 <= k && k <= near_count(i); }
  /// The place of a label among those of the observation; label_count(i) if it is not allowed.
  std::size_t place(std::size_t i, AlignmentLabel label) const;

  std::size_t slot_count() const { return scores_.size(); }
  /// Score of each slot: the sum of its weights.
  std::span<const float> scores() const { return scores_; }

  /// Slots of u; those of A lie chain_offset() further on.
  std::size_t label_slot(std::size_t i, std::size_t k) const { return sites_[i].label_slots + k; }
  std::size_t pair_slot(std::size_t i, std::size_t j, std::size_t k) const {
    return sites_[i].pair_slots + j * label_count(i) + k;
  }
  std::size_t chain_offset() const { return chain_offset_; }
  /// `before` is a letter or kNoLetter; label k starts a letter.
  std::size_t letters_slot(std::size_t i, Key before, std::size_t k) const {
    return sites_[i].letter_slots + before * near_count(i) + k - 1;
  }
  std::size_t word_slot() const { return slot_count() - 3; }

  /// Calls visit(weight, slot) for each weight of each slot whose value in `slots` is not 0.
  template <class Visit>
  void visit_weights(std::span<const double> slots, Visit&& visit) const {
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if (slots[slot] == 0) continue;
      visit(std::size_t{first_weight_[slot]}, slot);
      if (second_weight_[slot] != kNoWeight) visit(std::size_t{second_weight_[slot]}, slot);
    }
  }

  /// The word that an alignment spells.
  std::vector<Key> word(const Alignment& z) const;

 private:
  static constexpr std::uint32_t kNoWeight = -1;
  struct Site {
    std::vector<AlignmentLabel> labels;
    std::size_t label_slots = 0, pair_slots = 0, letter_slots = 0;
  };
  void add_slot(std::size_t weight, std::size_t second = kNoWeight);
  void add_chain_slots(std::size_t offset);
  void add_letter_slots();

  std::vector<Key> keys_;
  std::vector<Site> sites_;
  std::size_t chain_offset_ = 0;
  std::vector<std::uint32_t> first_weight_, second_weight_;  // [slot]
  std::vector<float> scores_;                                // [slot]
};

}  // namespace fovea::gestures
