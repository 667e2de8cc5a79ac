// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <optional>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// A transition system as expressions of one Z3 context. Internal to this folder: no other header names Z3.
class Z3Program {
 public:
  Z3Program(z3::context& context, const TransitionSystem& system);

  z3::expr pre() { return expression(system_.pre); }
  z3::expr trans() { return expression(system_.trans); }
  z3::expr post() { return expression(system_.post); }

  /// A variable of the terms: those of the state, those after the step, then inputs.
  const z3::expr& variable(std::size_t i) const { return variables_[i]; }

  /// The expression at the state before the step or, if `after`, after it.
  z3::expr atom(const Atom& atom, bool after) const;
  z3::expr conjunction(const Dnf::Conjunction& atoms, bool after) const;
  z3::expr formula(const Dnf& formula, bool after) const;
  z3::expr clause(const Clause& clause, bool after) const;

  /// True if all integer variables of the state (after: of that after the step too) are from -size to size.
  z3::expr is_small(std::int64_t size, bool after) const;

  /// The state in a model; none if a number does not fit into 64 bits.
  std::optional<ProgramState> state(const z3::model& model, bool after) const;

 private:
  z3::expr expression(TermId term);
  z3::expr build(const Term& term, const z3::expr_vector& operands) const;
  z3::expr integer(std::size_t i) const;

  z3::context& context_;
  const TransitionSystem& system_;
  std::vector<z3::expr> variables_;
  std::vector<std::optional<z3::expr>> built_;  // by term
};

}  // namespace fovea::synthesis
