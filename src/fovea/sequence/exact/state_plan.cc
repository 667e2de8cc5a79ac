// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/state_plan.h"

#include <algorithm>

namespace fovea::sequence::internal {

void StatePlan::bind(const SequenceStates& states) {
  const auto n = static_cast<std::uint32_t>(states.count());
  stride = states.ngrams().stride();
  slot_count = n;
  row_size = row_stride(n);
  const auto is_hub = [&](std::uint32_t s) {
    return s == 0 || states.subtree_end(s) > s + 1 || states.child_begin(s) < states.child_begin(s + 1);
  };
  std::vector<std::vector<std::uint32_t>> leaves(n), subs(n);
  for (std::uint32_t s = 1; s < n; ++s) (is_hub(s) ? subs : leaves)[states.fail(s)].push_back(s);
  // Breadth first from state 0, then reversed: hubs with the same fail link stay together.
  std::vector<std::uint32_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), subs[order[i]].begin(), subs[order[i]].end());
  std::reverse(order.begin(), order.end());
  std::vector<std::uint32_t> hub_of_state(n, 0);
  for (std::uint32_t h = 0; h < order.size(); ++h) hub_of_state[order[h]] = h;

  hubs.clear();
  state_of_slot.clear();
  for (const std::uint32_t s : order) {
    const auto slot = static_cast<std::uint32_t>(state_of_slot.size());
    state_of_slot.push_back(s);
    state_of_slot.insert(state_of_slot.end(), leaves[s].begin(), leaves[s].end());
    const std::uint32_t sub = subs[s].empty() ? 0 : hub_of_state[subs[s].back()];
    hubs.push_back({s, slot, static_cast<std::uint32_t>(state_of_slot.size()), sub,
                    sub + static_cast<std::uint32_t>(subs[s].size()), 0, 0, 0});
  }
  slot_of_state.assign(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) slot_of_state[state_of_slot[i]] = i;

  for (Hub& hub : hubs) hub.fail = hub_of_state[states.fail(hub.state)];

  label_of_slot.assign(n, 0);
  source.assign(row_size, static_cast<std::int32_t>(empty_table() * stride));
  for (std::uint32_t s = 1; s < n; ++s) {
    label_of_slot[slot_of_state[s]] = states.last(s);
    source[slot_of_state[s]] = static_cast<std::int32_t>(hub_of_state[states.parent(s)] * stride + states.last(s));
  }
  children.clear();
  for (Hub& hub : hubs) {
    hub.child = static_cast<std::uint32_t>(children.size());
    for (std::uint32_t c = states.child_begin(hub.state); c < states.child_begin(hub.state + 1); ++c)
      children.push_back({slot_of_state[states.child(c)], states.last(states.child(c))});
    hub.child_end = static_cast<std::uint32_t>(children.size());
  }
}

AlignedVector<float> StatePlan::passes(float open, float blocked) const {
  AlignedVector<float> result(hubs.size() * stride, open);
  for (std::size_t h = 0; h < hubs.size(); ++h)
    for (std::uint32_t c = hubs[h].child; c < hubs[h].child_end; ++c) result[h * stride + children[c].label] = blocked;
  return result;
}

}  // namespace fovea::sequence::internal
