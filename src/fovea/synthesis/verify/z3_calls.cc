// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/z3_calls.h"

#include <chrono>

namespace fovea::synthesis {
namespace {

constexpr std::chrono::milliseconds kPause{10};

z3::check_result answer_of(z3::solver& solver, const z3::expr_vector& assumptions) try {
  return solver.check(assumptions);
} catch (const z3::exception&) {
  return z3::unknown;
}

}  // namespace

Z3Calls::Z3Calls(z3::context& context, const Stop& stop)
    : context_(context), stop_(stop), watcher_([this](const std::stop_token& end) { watch(end); }) {}

z3::check_result Z3Calls::check(z3::solver& solver) { return check(solver, z3::expr_vector(context_)); }

z3::check_result Z3Calls::check(z3::solver& solver, const z3::expr_vector& assumptions) {
  if (is_interrupted_ || stop_.requested()) return z3::unknown;
  {
    const std::lock_guard lock(mutex_);
    is_running_ = true;
  }
  const z3::check_result result = answer_of(solver, assumptions);
  const std::lock_guard lock(mutex_);
  is_running_ = false;
  return is_interrupted_ ? z3::unknown : result;
}

/// Interrupts nothing but a check: other functions of Z3 throw what nobody catches once their context is interrupted.
void Z3Calls::watch(const std::stop_token& end) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, end, kPause, [&] { return end.stop_requested(); })) {
    if (!is_running_ || !stop_.requested()) continue;
    is_interrupted_ = true;
    context_.interrupt();  // again and again: a check that has just begun may not see it
  }
}

}  // namespace fovea::synthesis
