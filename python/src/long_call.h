// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fovea/base.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace fovea::python {

/// Limits, threads, seed and progress of a long call. Texts are those of the command line's options `time-limit` and
/// `budget`, and `memory-limit`.
struct RunArguments {
  std::string time_limit = "";
  std::string budget = "";
  std::string memory_limit = "";  ///< not of every call: who has it takes it
  std::uint64_t seed = 1;
  int threads = 0;
  nanobind::object progress = nanobind::none();  ///< called with a dict for each progress record, or None
};

/// Sets `value` from the keyword argument `name`, if it is given, and removes it from `arguments`.
template <class T>
void take_argument(nanobind::dict& arguments, const char* name, T& value) {
  if (!arguments.contains(name)) return;
  value = nanobind::cast<T>(arguments[name]);
  PyDict_DelItemString(arguments.ptr(), name);
}

/// Reads RunArguments from the keyword arguments of the same names, and removes them from `options`.
RunArguments take_run_arguments(nanobind::dict& options);

/// Runs `work` on a thread of its own, while this one waits without the GIL and asks for signals every 20 ms. A signal
/// whose handler raises (Ctrl-C) cancels the run: true is returned if it did and `work` came back with an answer that
/// counts. If `work` ended without one (CancelledError), or if its answer `must_be_whole`, the handler's exception is
/// raised, as is one of `progress`. What the library warns of becomes a UserWarning. `stream`: name of the stream of
/// random decisions, as the command has it; "" for none.
bool run_beside(const RunArguments& arguments, const char* stream, const std::function<void(const Run&)>& work,
                bool must_be_whole = false);

/// Functions by which a thread of Python has the phases of its calls recorded.
void bind_phases(nanobind::module_& module);

/// Keeps a loop over many Python objects polite. The loop calls step() before each object, with the GIL: signals are
/// handled, and an exception of their handler (Ctrl-C) is raised; every 10 ms other threads of Python have their turn.
/// Between two calls, the loop may borrow what it looks at.
class LongLoop {
 public:
  void step() {
    if (++steps_ % kStepsBetweenLooks == 0) look();
  }

 private:
  static constexpr std::uint64_t kStepsBetweenLooks = 16;
  void look();

  std::uint64_t steps_ = 0;
  std::chrono::steady_clock::time_point turn_ = std::chrono::steady_clock::now();  // when this thread's began
};

/// The answer of work(run), and whether Ctrl-C cut it short.
template <class Work>
auto call(const RunArguments& arguments, const char* stream, Work work) {
  using Result = std::invoke_result_t<Work, const Run&>;
  std::optional<Result> result;
  const bool interrupted = run_beside(arguments, stream, [&](const Run& run) { result.emplace(work(run)); });
  return std::pair(std::move(*result), interrupted);
}

/// The answer of work(run) where a part of one is of no use: Ctrl-C always raises.
template <class Work>
auto call_whole(const RunArguments& arguments, const char* stream, Work work) {
  std::optional<std::invoke_result_t<Work, const Run&>> result;
  run_beside(
      arguments, stream, [&](const Run& run) { result.emplace(work(run)); }, true);
  return std::move(*result);
}

}  // namespace fovea::python
