// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/sequence/exact/sequence_states.h"

namespace fovea::sequence::internal {

/// SequenceStates laid out for vectorised recursions, in which a vector holds labels.
///
/// Most states are leaves: no state ends in them, and none continues them. After a leaf, every label leads to the same
/// state as after the leaf's fail link. So states are grouped by hubs (the states that are not leaves): a hub and the
/// leaves whose fail link it is share all their successors. One forward step is, hub by hub, longer ones first,
///
///   table(hub) = unary * (sum over the group of alpha(s) * row(s))
///                + sum over hubs h with fail(h) = hub of table(h), on the labels on which h has no child
///   alpha'(s)  = table(parent(s))[last(s)]
///
/// in the semiring. Slots number the states in the order of these sums; a group is a run of slots, its hub first.
class StatePlan {
 public:
  struct Hub {
    std::uint32_t state;
    std::uint32_t slot, slot_end;    ///< the group; the hub itself is the first
    std::uint32_t sub, sub_end;      ///< numbers of the hubs that have this one as fail link
    std::uint32_t fail;              ///< number of the hub that is its fail link; its own for state 0
    std::uint32_t child, child_end;  ///< of `children`
  };
  struct Child {
    std::uint32_t slot;
    std::uint32_t label;
  };

  void bind(const SequenceStates& states);

  std::size_t stride = 0;
  std::size_t slot_count = 0;  ///< of states
  std::size_t row_size = 0;    ///< slot_count rounded up to whole cache lines of floats
  std::vector<Hub> hubs;       ///< a hub comes before its fail link; state 0 is the last
  std::vector<std::uint32_t> slot_of_state;
  std::vector<std::uint32_t> state_of_slot;
  std::vector<std::uint32_t> label_of_slot;  ///< the last label; 0 for state 0
  std::vector<Child> children;               ///< states by parent
  AlignedVector<std::int32_t> source;  ///< [row_size] where tables hold the slot's sum: table number * stride + label

  /// Tables are [table_count()][stride]: one per hub, and one that stays zero, for slots to which no state leads.
  std::size_t table_count() const { return hubs.size() + 1; }
  std::size_t empty_table() const { return hubs.size(); }

  /// [hub][stride]: `blocked` where the hub has a child on the label, `open` elsewhere.
  AlignedVector<float> passes(float open, float blocked) const;
};

}  // namespace fovea::sequence::internal
