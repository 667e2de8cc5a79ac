// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/sampled_states.h"

#include <set>

#include "fovea/synthesis/program/relation_sampler.h"

namespace fovea {

SampledStates sample_states(const TransitionSystem& system, std::vector<std::int64_t> numbers, int starts, int steps,
                            std::size_t most, const Stop& stop, Random& random) {
  constexpr int kTries = 30;
  const auto n = static_cast<std::ptrdiff_t>(system.size());
  RelationSampler pre(system.terms, system.pre, 2 * system.size(), numbers);
  RelationSampler trans(system.terms, system.trans, 2 * system.size(), std::move(numbers));
  SampledStates result;
  std::set<ProgramState> known;
  const auto keep = [&](const ProgramState& state) {
    if (known.insert(state).second) result.states.push_back(state);
  };
  for (int run = 0; run < starts && known.size() < most && !stop.requested(); ++run) {
    ProgramState both(2 * system.size());
    if (!pre.draw(both, 0, kTries, random)) continue;
    keep({both.begin(), both.begin() + n});
    int step = 0;
    for (; step < steps && known.size() < most && !stop.requested(); ++step) {
      if (!trans.draw(both, system.size(), kTries, random)) break;
      std::copy(both.begin() + n, both.end(), both.begin());
      keep({both.begin(), both.begin() + n});
    }
    result.is_cut_short |= step == steps;
  }
  return result;
}

}  // namespace fovea
