// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/io/stream.h"
#include "fovea/synthesis/input/sygus.h"

namespace fovea::testing {

/// A loop that begins at x = 0 and adds 1 or, if the input b says so, the input u, 0 <= u <= 3. `post` is a condition
/// on x, u and b.
inline synthesis::TransitionSystem loop_with_inputs(const std::string& post) {
  return synthesis::read_sygus(
      io::ByteSource::from_memory("(set-logic LIA)\n"
                                  "(declare-var u Int)\n"
                                  "(synth-inv Inv ((x Int)))\n"
                                  "(declare-var x Int)\n"
                                  "(declare-var b Bool)\n"
                                  "(define-fun added () Int (ite b u 1))\n"
                                  "(define-fun pre ((x Int)) Bool (= x 0))\n"
                                  "(define-fun trans ((x Int) (x! Int)) Bool\n"
                                  "  (and (<= 0 u) (<= u 3) (= x! (+ x added))))\n"
                                  "(define-fun post ((x Int)) Bool " +
                                      post + ")\n(inv-constraint Inv pre trans post)\n(check-synth)\n",
                                  "inputs.sl"));
}

}  // namespace fovea::testing
