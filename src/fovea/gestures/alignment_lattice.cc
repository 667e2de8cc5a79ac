// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_lattice.h"

#include <algorithm>

namespace fovea::gestures {

AlignmentLattice::AlignmentLattice(std::span<const Key> keys, const AlignmentParameters& parameters)
    : keys_(keys.begin(), keys.end()), sites_(keys.size()) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::vector<Key> near = keys_near(keys[i], parameters.radius);
    std::vector<AlignmentLabel>& labels = sites_[i].labels;
    labels.push_back(kUnaligned);
    for (const Key letter : near) labels.push_back(start_label(letter));
    for (const Key letter : near) labels.push_back(continue_label(letter));
  }
  add_chain_slots(0);
  chain_offset_ = first_weight_.size();
  add_chain_slots(AlignmentWeightIndex::kStart);
  add_letter_slots();
  for (const std::size_t weight :
       {AlignmentWeightIndex::kInDictionary, AlignmentWeightIndex::kLogFrequency, AlignmentWeightIndex::kPrefixes})
    add_slot(weight);
  scores_.resize(first_weight_.size());
  for (std::size_t slot = 0; slot < scores_.size(); ++slot) {
    scores_[slot] = parameters.weights[first_weight_[slot]];
    if (second_weight_[slot] != kNoWeight) scores_[slot] += parameters.weights[second_weight_[slot]];
  }
}

void AlignmentLattice::add_slot(std::size_t weight, std::size_t second) {
  first_weight_.push_back(static_cast<std::uint32_t>(weight));
  second_weight_.push_back(static_cast<std::uint32_t>(second));
}

/// Adds the slots of u, to which the sites point, or those of A, whose weights lie `offset` further on.
void AlignmentLattice::add_chain_slots(std::size_t offset) {
  for (std::size_t i = 0; i < size(); ++i) {
    Site& site = sites_[i];
    if (offset == 0) site.label_slots = first_weight_.size();
    for (const AlignmentLabel z : site.labels) {
      const std::size_t weight = offset + AlignmentWeightIndex::key_label(keys_[i], z);
      if (i == 0) add_slot(weight);
      else add_slot(weight, offset + AlignmentWeightIndex::key_pair(keys_[i - 1], keys_[i], z));
    }
    if (i == 0) continue;
    if (offset == 0) site.pair_slots = first_weight_.size();
    for (const AlignmentLabel before : sites_[i - 1].labels)
      for (const AlignmentLabel z : site.labels)
        add_slot(offset + AlignmentWeightIndex::label_pair(keys_[i], before, z));
  }
}

void AlignmentLattice::add_letter_slots() {
  for (std::size_t i = 0; i < size(); ++i) {
    sites_[i].letter_slots = first_weight_.size();
    for (Key before = 0; before <= kKeyCount; ++before)
      for (std::size_t k = 1; k <= near_count(i); ++k)
        add_slot(AlignmentWeightIndex::letters(keys_[i], before, started_letter(label(i, k))));
  }
}

std::size_t AlignmentLattice::place(std::size_t i, AlignmentLabel label) const {
  const std::vector<AlignmentLabel>& labels = sites_[i].labels;
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

std::vector<Key> AlignmentLattice::word(const Alignment& z) const {
  std::vector<Key> letters;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (starts(i, z[i])) letters.push_back(started_letter(label(i, z[i])));
  return letters;
}

}  // namespace fovea::gestures
