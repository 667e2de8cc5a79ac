// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/invariant_search.h"

#include <future>
#include <system_error>

#include "fovea/synthesis/invariant/counterexample_loop.h"
#include "fovea/synthesis/verify/recheck.h"
#include "fovea/synthesis/verify/spacer.h"
#include "fovea/synthesis/verify/z3_context.h"

namespace fovea::synthesis {
namespace {

/// A run that shows what Spacer has proved is sought this far, and this long.
constexpr std::size_t kMostRunSteps = 10'000;
constexpr double kRunSeconds = 5;

class CancelAtEnd {
 public:
  explicit CancelAtEnd(CancelToken& token) : token_(token) {}
  ~CancelAtEnd() { token_.cancel(); }
  CancelAtEnd(const CancelAtEnd&) = delete;
  CancelAtEnd& operator=(const CancelAtEnd&) = delete;

 private:
  CancelToken& token_;
};

bool is_decided(const InvariantAnswer& answer) { return answer.verdict != ProgramVerdict::kUnknown; }

InvariantAnswer find_by_spacer(const TransitionSystem& system, const Stop& stop) {
  const SpacerAnswer found = solve_by_spacer(system, stop);
  const bool is_refuted = found.verdict == ProgramVerdict::kProved && !is_proved_by(system, found.body, stop);
  return {.verdict = is_refuted ? ProgramVerdict::kUnknown : found.verdict, .is_spacers = true, .body = found.body};
}

/// The work is that of the search, whoever found the answer.
InvariantAnswer joined(InvariantAnswer search, const InvariantAnswer& spacer) {
  if (is_decided(search) || !is_decided(spacer)) return search;
  search.verdict = spacer.verdict;
  search.is_spacers = true;
  search.body = spacer.body;
  return search;
}

/// Without a future's state where the system gives no thread.
template <class F>
std::future<InvariantAnswer> in_a_thread(const F& f) try {
  return std::async(std::launch::async, f);
} catch (const std::system_error&) {
  return {};
}

InvariantAnswer find_by_both(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                             const ProgressFunction& progress) {
  CancelToken decided(stop.cancel);
  const Stop either = {.deadline = stop.deadline, .cancel = &decided};
  std::future<InvariantAnswer> spacer = in_a_thread([&] {
    InvariantAnswer answer = find_by_spacer(system, either);
    if (is_decided(answer)) decided.cancel();
    return answer;
  });
  InvariantAnswer search;
  {
    const CancelAtEnd end(decided);
    search = find_by_counterexamples(system, options, either, progress);
  }
  return spacer.valid() ? joined(std::move(search), spacer.get()) : search;
}

InvariantAnswer find(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                     const ProgressFunction& progress) {
  InvariantAnswer answer = options.no_spacer ? find_by_counterexamples(system, options, stop, progress)
                                             : find_by_both(system, options, stop, progress);
  if (answer.verdict == ProgramVerdict::kInfeasible && answer.unsafe_run.empty()) {
    answer.unsafe_run = find_unsafe_run(system, kMostRunSteps, stop.within(kRunSeconds));
    if (!is_unsafe_run(system, answer.unsafe_run)) answer.unsafe_run.clear();
  }
  return answer;
}

}  // namespace

InvariantAnswer find_invariant(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                               const ProgressFunction& progress) {
  return within_z3_limits([&] { return find(system, options, stop, progress); });
}

}  // namespace fovea::synthesis
