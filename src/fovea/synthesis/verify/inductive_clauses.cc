// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/inductive_clauses.h"

#include <fmt/format.h>

#include <optional>

#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {
namespace {

constexpr unsigned kClauseMilliseconds = 2000;

/// The clauses in one Z3 context, with a literal for each that makes it hold before a step, and one that makes it fail
/// after.
class ClauseSolver {
 public:
  ClauseSolver(const TransitionSystem& system, std::vector<Clause> clauses, const Stop& stop)
      : clauses_(std::move(clauses)),
        program_(context_, system),
        start_(context_, z3::solver::simple()),
        step_(context_, z3::solver::simple()),
        end_(context_, z3::solver::simple()),
        calls_(context_, stop) {
    for (z3::solver* solver : {&start_, &step_, &end_}) solver->set("timeout", kClauseMilliseconds);
    start_.add(program_.pre());
    step_.add(program_.trans());
    end_.add(!program_.post());
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      holds_.push_back(context_.bool_const(fmt::format("!holds!{}", i).c_str()));
      fails_.push_back(context_.bool_const(fmt::format("!fails!{}", i).c_str()));
      start_.add(z3::implies(fails_[i], !program_.clause(clauses_[i], false)));
      step_.add(z3::implies(holds_[i], program_.clause(clauses_[i], false)));
      step_.add(z3::implies(fails_[i], !program_.clause(clauses_[i], true)));
      end_.add(z3::implies(holds_[i], program_.clause(clauses_[i], false)));
    }
  }

  /// Indices of the clauses that remain; empty if the solver gave up.
  std::vector<std::size_t> inductive() {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < clauses_.size(); ++i) active.push_back(i);
    if (!leave_out_refuted(start_, false, active) || !leave_out_refuted(step_, true, active)) return {};
    return active;
  }

  /// The active clauses that a proof of the postcondition uses; no value if no proof was found.
  std::optional<std::vector<std::size_t>> support_of_end(const std::vector<std::size_t>& active) {
    return support(end_, literals(holds_, active), active);
  }

  /// The same for a proof that clause i holds after a step.
  std::optional<std::vector<std::size_t>> support_of(std::size_t i, const std::vector<std::size_t>& active) {
    z3::expr_vector assumptions = literals(holds_, active);
    assumptions.push_back(fails_[i]);
    return support(step_, assumptions, active);
  }

  const Clause& clause(std::size_t i) const { return clauses_[i]; }

 private:
  z3::expr_vector literals(const std::vector<z3::expr>& of, const std::vector<std::size_t>& active) {
    z3::expr_vector literals(context_);
    for (const std::size_t i : active) literals.push_back(of[i]);
    return literals;
  }

  /// Returns false if the solver gave up.
  bool leave_out_refuted(z3::solver& solver, bool after, std::vector<std::size_t>& active) {
    while (!active.empty()) {
      solver.push();
      solver.add(z3::mk_or(literals(fails_, active)));
      z3::expr_vector assumptions(context_);
      if (after) assumptions = literals(holds_, active);
      const z3::check_result result = calls_.check(solver, assumptions);
      std::optional<ProgramState> state;
      if (result == z3::sat) state = program_.state(solver.get_model(), after);
      solver.pop();
      if (result == z3::unsat) return true;
      if (!state) return false;
      std::erase_if(active, [&](std::size_t i) { return !clauses_[i].holds(*state); });
    }
    return true;
  }

  std::optional<std::vector<std::size_t>> support(z3::solver& solver, const z3::expr_vector& assumptions,
                                                  const std::vector<std::size_t>& active) {
    if (calls_.check(solver, assumptions) != z3::unsat) return std::nullopt;
    std::vector<std::size_t> used;
    const z3::expr_vector core = solver.unsat_core();
    for (const std::size_t i : active)
      for (const z3::expr& literal : core)
        if (z3::eq(literal, holds_[i])) used.push_back(i);
    return used;
  }

  std::vector<Clause> clauses_;
  Z3Context own_context_;
  z3::context& context_ = own_context_();
  Z3Program program_;
  z3::solver start_, step_, end_;
  Z3Calls calls_;
  std::vector<z3::expr> holds_, fails_;  // [clause]
};

}  // namespace

std::vector<Clause> inductive_clauses(const TransitionSystem& system, std::vector<Clause> candidates,
                                      const Stop& stop) try {
  ClauseSolver solver(system, std::move(candidates), stop);
  std::vector<Clause> result;
  for (const std::size_t i : solver.inductive()) result.push_back(solver.clause(i));
  return result;
} catch (const z3::exception&) {  // interrupted between two calls
  return {};
}

std::vector<Clause> proving_clauses(const TransitionSystem& system, const std::vector<Clause>& clauses,
                                    const Stop& stop) try {
  ClauseSolver solver(system, clauses, stop);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < clauses.size(); ++i) all.push_back(i);
  std::optional<std::vector<std::size_t>> open = solver.support_of_end(all);
  if (!open) return {};
  std::vector<bool> is_needed(clauses.size());
  std::vector<Clause> result;
  while (!open->empty()) {
    const std::size_t i = open->back();
    open->pop_back();
    if (is_needed[i]) continue;
    is_needed[i] = true;
    result.push_back(clauses[i]);
    const std::optional<std::vector<std::size_t>> support = solver.support_of(i, all);
    if (!support) return {};
    open->insert(open->end(), support->begin(), support->end());
  }
  return result;
} catch (const z3::exception&) {  // interrupted between two calls
  return {};
}

}  // namespace fovea::synthesis
