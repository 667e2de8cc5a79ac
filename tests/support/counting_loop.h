// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fovea/synthesis/program/term.h"

namespace fovea::testing {

/// x := 0; while (x < n) x := x + 1; afterwards x <= n must hold. `first` is the value of x at the start. A run starts
/// with any n >= 0. Invariants: x <= n, and for first = 0 also 0 <= x and x <= n.
inline synthesis::TransitionSystem counting_loop(std::int64_t first = 0) {
  synthesis::TransitionSystem system = {.name = "Inv", .variables = {{"x"}, {"n"}}, .terms = {}};
  synthesis::TermPool& terms = system.terms;
  const synthesis::TermId x = terms.variable(0, synthesis::Sort::kInteger),
                          n = terms.variable(1, synthesis::Sort::kInteger);
  const synthesis::TermId next_x = terms.variable(2, synthesis::Sort::kInteger),
                          next_n = terms.variable(3, synthesis::Sort::kInteger);
  system.pre = terms.conjunction(std::array{terms.equal(x, terms.number(first)), terms.at_most(terms.number(0), n)});
  system.trans = terms.conjunction(std::array{terms.less(x, n), terms.equal(next_n, n),
                                              terms.equal(next_x, terms.sum(std::array{x, terms.number(1)}))});
  system.post = terms.at_most(x, n);
  return system;
}

/// The loop from x = 0, but with x <= most afterwards: a run with a larger n breaks that.
inline synthesis::TransitionSystem counting_loop_that_ends_with(std::int64_t most) {
  synthesis::TransitionSystem system = counting_loop();
  system.post = system.terms.at_most(system.terms.variable(0, synthesis::Sort::kInteger), system.terms.number(most));
  return system;
}

/// x := i, y := j; while (x != 0) x := x - 1, y := y - 1; afterwards y = 0 if i = j. Solvers that know no
/// equations of two variables never find its invariant, x = y if i = j.
inline synthesis::TransitionSystem paired_loop() {
  synthesis::TransitionSystem system = {.name = "Inv", .variables = {{"x"}, {"y"}, {"i"}, {"j"}}, .terms = {}};
  synthesis::TermPool& terms = system.terms;
  const auto now = [&](std::size_t i) { return terms.variable(i, synthesis::Sort::kInteger); };
  const auto next = [&](std::size_t i) { return terms.variable(4 + i, synthesis::Sort::kInteger); };
  const auto one_less = [&](synthesis::TermId term) { return terms.sum(std::array{term, terms.number(-1)}); };
  const synthesis::TermId ends = terms.equal(now(0), terms.number(0));
  system.pre = terms.conjunction(std::array{terms.equal(now(0), now(2)), terms.equal(now(1), now(3))});
  system.trans = terms.conjunction(std::array{terms.negation(ends), terms.equal(next(0), one_less(now(0))),
                                              terms.equal(next(1), one_less(now(1))), terms.equal(next(2), now(2)),
                                              terms.equal(next(3), now(3))});
  system.post = terms.disjunction(std::array{terms.negation(ends), terms.negation(terms.equal(now(2), now(3))),
                                             terms.equal(now(1), terms.number(0))});
  return system;
}

}  // namespace fovea::testing
