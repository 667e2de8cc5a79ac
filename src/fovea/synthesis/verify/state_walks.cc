// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/state_walks.h"

#include <optional>
#include <set>

#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {
namespace {

constexpr unsigned kWalkMilliseconds = 200;
constexpr std::int64_t kNearby = 10;

class Walks {
 public:
  Walks(const TransitionSystem& system, const Stop& stop, Random random)
      : system_(system),
        program_(context_, system),
        start_(context_, z3::solver::simple()),
        step_(context_, z3::solver::simple()),
        calls_(context_, stop),
        random_(random) {
    for (z3::solver* solver : {&start_, &step_}) solver->set("timeout", kWalkMilliseconds);
    start_.add(program_.pre());
    step_.add(program_.trans());
  }

  std::optional<ProgramState> start() { return some_state(start_, false); }

  std::optional<ProgramState> next(const ProgramState& state) {
    step_.push();
    for (std::size_t i = 0; i < state.size(); ++i) {
      const z3::expr& variable = program_.variable(i);
      step_.add(variable.is_bool() ? (state[i] ? variable : !variable) : variable == context_.int_val(state[i]));
    }
    const std::optional<ProgramState> result = some_state(step_, true);
    step_.pop();
    return result;
  }

 private:
  /// One that a random demand is true of, if there is any; else any.
  std::optional<ProgramState> some_state(z3::solver& solver, bool after) {
    solver.push();
    solver.add(demand(after));
    std::optional<ProgramState> state = model_of(solver, after);
    solver.pop();
    return state ? state : model_of(solver, after);
  }

  z3::expr demand(bool after) {
    const auto chosen = random_.uniform_index(static_cast<std::uint32_t>(system_.size()));
    const z3::expr& variable = program_.variable(chosen + (after ? system_.size() : 0));
    if (variable.is_bool()) return random_.bernoulli(.5) ? variable : !variable;
    const z3::expr value =
        context_.int_val(static_cast<std::int64_t>(random_.uniform_index(2 * kNearby + 1)) - kNearby);
    return random_.bernoulli(.5) ? variable >= value : variable <= value;
  }

  std::optional<ProgramState> model_of(z3::solver& solver, bool after) {
    if (calls_.check(solver) != z3::sat) return std::nullopt;
    return program_.state(solver.get_model(), after);
  }

  const TransitionSystem& system_;
  Z3Context own_context_;
  z3::context& context_ = own_context_();
  Z3Program program_;
  z3::solver start_, step_;
  Z3Calls calls_;
  Random random_;
};

}  // namespace

std::vector<ProgramState> walk_states(const TransitionSystem& system, int runs, int steps, const Stop& stop,
                                      Random random) try {
  std::set<ProgramState> states;
  Walks walks(system, stop, random);
  for (int run = 0; run < runs && !stop.requested(); ++run) {
    std::optional<ProgramState> state = walks.start();
    for (int step = 0; state && step <= steps && !stop.requested(); ++step) {
      states.insert(*state);
      state = walks.next(*state);
    }
  }
  return {states.begin(), states.end()};
} catch (const z3::exception&) {  // interrupted between two calls
  return {};
}

}  // namespace fovea::synthesis
