// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"

namespace fovea::synthesis {

/// A context of Z3, which is set to give up before the process runs out of memory: Z3 may crash if an allocation fails.
class Z3Context {
 public:
  /// Throws std::bad_alloc if memory for it is lacking.
  Z3Context();

  z3::context& operator()() { return scoped_(); }

 private:
  struct Delete {
    void operator()(Z3_context context) const { Z3_del_context(context); }
  };
  static Z3_context make();

  std::unique_ptr<std::remove_pointer_t<Z3_context>, Delete> raw_;
  z3::scoped_context scoped_;
};

/// Throws std::bad_alloc if there is little memory left. To be called before Z3 reads a text, too: that part of it ends
/// the process, with a code of its own, if an allocation fails.
void require_memory_for_z3();

/// Tells Z3 once how much memory it may take, if the process has a limit. To be called before threads start that use
/// Z3.
void limit_z3_memory();

/// Calls f() and throws errors of Z3 as LimitError: for well-formed terms, the only possible error is lack of memory.
template <class F>
auto within_z3_limits(F&& f) {
  limit_z3_memory();
  try {
    return f();
  } catch (const z3::exception& error) {
    throw LimitError(std::string("Z3: ") + error.msg() + ". Allow more memory (ulimit -v, -d)");
  }
}

/// Calls the solvers of one Z3 context until `stop` asks to end: Z3 itself knows only time limits. From then on every
/// answer is `unknown`; terms of the context may still be built and read. Internal to this folder; for one thread at a
/// time.
class Z3Calls {
 public:
  Z3Calls(z3::context& context, const Stop& stop);

  /// Checks the solver's assertions. Returns `unknown` also if the solver runs out of some resource.
  z3::check_result check(z3::solver& solver);
  /// Does the same under the assumption that these literals are true.
  z3::check_result check(z3::solver& solver, const z3::expr_vector& assumptions);

 private:
  void watch(const std::stop_token& end);

  z3::context& context_;
  Stop stop_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool is_running_ = false, is_interrupted_ = false;
  std::jthread watcher_;  // the last member: it uses the others
};

}  // namespace fovea::synthesis
