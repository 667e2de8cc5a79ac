// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/synthesis/program/transition_system.h"

namespace fovea::testing {

/// x := 0; while (x < n) x := x + 1; afterwards x <= n must hold. `first` is the value of x at the start. A run starts
/// with any n >= 0. Invariants: x <= n, and for first = 0 also 0 <= x and x <= n.
inline TransitionSystem counting_loop(std::int64_t first = 0) {
  TransitionSystem system = {.name = "Inv", .variables = {{"x"}, {"n"}}, .terms = {}};
  TermPool& terms = system.terms;
  const TermId x = terms.variable(0, Sort::kInteger), n = terms.variable(1, Sort::kInteger);
  const TermId next_x = terms.variable(2, Sort::kInteger), next_n = terms.variable(3, Sort::kInteger);
  system.pre = terms.conjunction(std::array{terms.equal(x, terms.number(first)), terms.at_most(terms.number(0), n)});
  system.trans = terms.conjunction(std::array{terms.less(x, n), terms.equal(next_n, n),
                                              terms.equal(next_x, terms.sum(std::array{x, terms.number(1)}))});
  system.post = terms.at_most(x, n);
  return system;
}

}  // namespace fovea::testing
