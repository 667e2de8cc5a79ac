// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <memory>
#include <string>
#include <type_traits>

#include "fovea/base/error.h"

namespace fovea::synthesis {

/// A context of Z3, which is told to end before the process has no memory left: where an allocation fails Z3 may crash.
class Z3Context {
 public:
  /// Throws std::bad_alloc where there is no memory for it.
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

/// f(), with errors of Z3 as LimitError: of well-formed terms there is none but that it has no memory left.
template <class F>
auto within_z3_limits(F&& f) {
  try {
    return f();
  } catch (const z3::exception& error) {
    throw LimitError(std::string("Z3: ") + error.msg() + ". Allow more memory (ulimit -v, -d)");
  }
}

}  // namespace fovea::synthesis
