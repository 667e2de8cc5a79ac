// SPDX-License-Identifier: Apache-2.0
#include "long_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fovea::python {
namespace nb = nanobind;
namespace {

constexpr auto kBetweenSignals = std::chrono::milliseconds(20);
// A thread that waits for the GIL insists on it after 5 ms (sys.setswitchinterval), which begin anew whenever it sees
// the GIL released. Only who releases it for one that insists is sure not to get it back first.
constexpr auto kTurn = std::chrono::milliseconds(10);

/// The phases of the calls of a thread of Python, while it asks for them.
thread_local std::optional<PhaseLog> phase_log;

bool begin_phases() {
  if (phase_log) return false;
  phase_log.emplace();
  return true;
}

nb::list end_phases() {
  nb::list records;
  if (!phase_log) return records;
  for (const PhaseLog::Phase& phase : phase_log->phases()) {
    nb::dict record;
    record["phase"] = phase.name;
    record["seconds"] = phase.seconds;
    record["cpu_seconds"] = phase.cpu_seconds;
    records.append(record);
  }
  phase_log.reset();
  return records;
}

nb::dict record_of(const Progress& progress) {
  nb::dict record;
  record["phase"] = nb::str(progress.phase.data(), progress.phase.size());
  record["done"] = progress.done;
  record["total"] = progress.total;
  record["seconds"] = progress.seconds;
  if (!progress.figure.empty()) record["figure"] = nb::str(progress.figure.data(), progress.figure.size());
  record["value"] = progress.value;
  record["bound"] = progress.bound;
  record["method"] = nb::str(progress.method.data(), progress.method.size());
  return record;
}

/// A call in another thread, with what it and the waiting thread tell each other.
class Worker {
 public:
  Worker(const RunArguments& arguments, const char* stream) : arguments_(arguments) {
    const Budget budget = parse_budget(arguments.budget, arguments.time_limit);
    run_.budget = budget;
    run_.budget.seconds = Budget::kUnlimited;
    run_.stop = Stop{.cancel = &cancel_}.within(budget.seconds);
    if (!arguments.memory_limit.empty()) run_.memory_bytes = parse_byte_count("memory-limit", arguments.memory_limit);
    run_.threads = arguments.threads;
    run_.random = *stream ? Random(arguments.seed).child(stream) : Random(arguments.seed);
    if (phase_log) run_.phases = &*phase_log;
    run_.warn = [this](const std::string& text) { warnings_.push_back(text); };
    if (!arguments.progress.is_none()) run_.progress = [this](const Progress& progress) { tell(progress); };
  }

  /// Returns true if a signal cancelled the run. Without the GIL except to ask for signals.
  bool wait(const std::function<void(const Run&)>& work) {
    const nb::gil_scoped_release no_gil;
    std::thread thread([&] { this->work(work); });
    bool interrupted = false;
    for (std::unique_lock lock(mutex_); !done_;) {
      changed_.wait_for(lock, kBetweenSignals, [&] { return done_; });
      if (done_ || interrupted) continue;
      lock.unlock();
      interrupted = has_signal();
      lock.lock();
    }
    thread.join();
    return interrupted;
  }

  /// Raises what ended the work without an answer that counts, else gives Python its warnings.
  void finish(bool must_be_whole) {
    raise_failure();
    if (must_be_whole && signal_) std::rethrow_exception(signal_);
    for (const std::string& text : warnings_)
      if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 2) != 0) nb::raise_python_error();
  }

 private:
  void raise_failure() {
    if (raised_) std::rethrow_exception(raised_);
    if (!failure_) return;
    try {
      std::rethrow_exception(failure_);
    } catch (const CancelledError&) {
      if (signal_) std::rethrow_exception(signal_);
      throw;
    }
  }

  void work(const std::function<void(const Run&)>& work) {
    try {
      work(run_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_one();
  }

  /// Lets Python's signal handlers run; cancels if one raises.
  bool has_signal() {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return false;
    signal_ = std::make_exception_ptr(nb::python_error());
    cancel_.cancel();
    return true;
  }

  /// Called by the work. What the caller's function raises arrives unchanged when the work has ended.
  void tell(const Progress& progress) {
    if (raised_) return;
    const nb::gil_scoped_acquire gil;
    try {
      arguments_.progress(record_of(progress));
    } catch (...) {
      raised_ = std::current_exception();
      cancel_.cancel();
    }
  }

  const RunArguments& arguments_;
  CancelToken cancel_;
  Run run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_, signal_, raised_;
  std::vector<std::string> warnings_;  // of the work, which calls from one thread
};

}  // namespace

void LongLoop::look() {
  if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  const auto now = std::chrono::steady_clock::now();
  if (now - turn_ < kTurn) return;
  { const nb::gil_scoped_release no_gil; }
  turn_ = std::chrono::steady_clock::now();
}

void bind_phases(nb::module_& module) {
  module.def("begin_phases", &begin_phases);
  module.def("end_phases", &end_phases);
}

RunArguments take_run_arguments(nb::dict& options) {
  RunArguments arguments;
  take_argument(options, "time_limit", arguments.time_limit);
  take_argument(options, "budget", arguments.budget);
  take_argument(options, "seed", arguments.seed);
  take_argument(options, "threads", arguments.threads);
  take_argument(options, "progress", arguments.progress);
  return arguments;
}

bool run_beside(const RunArguments& arguments, const char* stream, const std::function<void(const Run&)>& work,
                bool must_be_whole) {
  Worker worker(arguments, stream);
  const bool interrupted = worker.wait(work);
  if (phase_log) phase_log->end();
  worker.finish(must_be_whole);
  return interrupted;
}

}  // namespace fovea::python
