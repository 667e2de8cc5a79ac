// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "fovea/base/stop.h"

namespace fovea::synthesis {

/// Asks the solvers of one Z3 context, until `stop` asks to end: Z3 itself knows limits of time only. From then on
/// every answer is `unknown`; terms of the context may still be built and read. Internal to this folder; belongs to one
/// thread at a time.
class Z3Calls {
 public:
  Z3Calls(z3::context& context, const Stop& stop);

  /// Also `unknown` where the solver runs out of some resource.
  z3::check_result check(z3::solver& solver);
  /// Under the assumption that these literals are true.
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
