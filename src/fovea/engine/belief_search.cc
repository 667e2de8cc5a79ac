// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/belief_search.h"

#include <algorithm>

namespace fovea {

Work BeliefSearch::run(std::uint64_t transitions, const Stop& stop) {
  Work spent;
  while (spent.transitions < transitions && !is_finished_ && !stop.requested()) {
    if (is_decoding_) {
      decode(stop);
      spent.transitions += visits_;
      continue;
    }
    const std::uint64_t before = beliefs_.iterations();
    const std::uint64_t affordable = (transitions - spent.transitions) / visits_ + 1;
    Work work = beliefs_.run(std::min(affordable, next_decoding_ - before), stop);
    work.transitions = (beliefs_.iterations() - before) * visits_;
    spent += work;
    if (beliefs_.is_infeasible()) is_finished_ = true;
    else is_decoding_ = beliefs_.iterations() >= next_decoding_ || beliefs_.is_converged();
  }
  return spent;
}

/// A decoding that was cut short is begun again in the next round.
void BeliefSearch::decode(const Stop& stop) {
  const ScoredAssignment decoded = beliefs_.decode(stop);
  if (stop.requested() && !decoded.found()) return;
  if (decoded.found()) offer(decoded);
  is_decoding_ = false;
  is_finished_ = beliefs_.is_converged();
  next_decoding_ = 2 * beliefs_.iterations();
}

}  // namespace fovea
