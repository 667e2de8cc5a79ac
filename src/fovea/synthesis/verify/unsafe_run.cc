// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/unsafe_run.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>

#include "fovea/synthesis/program/evaluate.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea {

bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run) {
  if (run.empty()) return false;
  TermEvaluator pre(system.terms, system.pre), trans(system.terms, system.trans), post(system.terms, system.post);
  if (!pre.holds(run.front())) return false;
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    ProgramState both = run[i];
    both.insert(both.end(), run[i + 1].begin(), run[i + 1].end());
    if (!trans.holds(both)) return false;
  }
  return post.value(run.back()) == 0;
}

struct UnsafeRunSearch::Unrolling {
  explicit Unrolling(const TransitionSystem& transition_system)
      : system(transition_system), program(context, system), solver(context, z3::solver::simple()) {}

  /// The variables of the state after `step` steps.
  z3::expr_vector state(std::size_t step) {
    z3::expr_vector variables(context);
    for (std::size_t i = 0; i < system.size(); ++i) {
      const std::string name = fmt::format("!{}!{}", step, i);
      variables.push_back(context.constant(name.c_str(), program.variable(i).get_sort()));
    }
    return variables;
  }

  z3::expr at(z3::expr condition, std::size_t step) {
    z3::expr_vector from(context), to(context);
    const z3::expr_vector here = state(step), next = state(step + 1);
    for (std::size_t i = 0; i < 2 * system.size(); ++i) {
      from.push_back(program.variable(i));
      to.push_back(i < system.size() ? here[static_cast<int>(i)] : next[static_cast<int>(i - system.size())]);
    }
    return condition.substitute(from, to);
  }

  UnsafeRun run(std::size_t steps) {
    const z3::model model = solver.get_model();
    UnsafeRun result;
    for (std::size_t step = 0; step <= steps; ++step) {
      ProgramState values;
      for (const z3::expr& variable : state(step)) {
        const z3::expr value = model.eval(variable, true);
        std::int64_t number = value.is_true();
        if (!value.is_bool() && !value.is_numeral_i64(number)) return {};
        values.push_back(number);
      }
      result.push_back(values);
    }
    return result;
  }

  const TransitionSystem& system;
  z3::context context;
  Z3Program program;
  z3::solver solver;
  std::atomic<bool> is_interrupted = false;
};

UnsafeRunSearch::UnsafeRunSearch(const TransitionSystem& system) : unrolling_(std::make_unique<Unrolling>(system)) {}

UnsafeRunSearch::~UnsafeRunSearch() = default;

UnsafeRun UnsafeRunSearch::find(std::size_t steps, unsigned milliseconds) {
  Unrolling& u = *unrolling_;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  try {
    u.solver.add(u.at(u.program.pre(), 0));
    for (std::size_t step = 0; step <= steps && !u.is_interrupted; ++step) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (left.count() < 1) return {};
      u.solver.set("timeout", static_cast<unsigned>(left.count()));
      u.solver.push();
      u.solver.add(u.at(!u.program.post(), step));
      const z3::check_result result = u.solver.check();
      if (result == z3::sat) return u.run(step);
      if (result == z3::unknown) return {};
      u.solver.pop();
      u.solver.add(u.at(u.program.trans(), step));
    }
  } catch (const z3::exception&) {  // interrupted
  }
  return {};
}

void UnsafeRunSearch::interrupt() {
  unrolling_->is_interrupted = true;
  unrolling_->context.interrupt();
}

}  // namespace fovea
