// SPDX-License-Identifier: Apache-2.0
// Why is a loop right? A chain over formulas finds an inductive invariant with the help of Z3's counterexamples.
#include <cstdio>
#include <string_view>

#include "fovea/synthesis.h"

namespace {

// x := i; y := j; while (x != 0) { x := x - 1; y := y - 1; } assert(i != j || y == 0);
constexpr std::string_view kLoop = R"(
(set-logic LIA)
(synth-inv Inv ((i Int) (j Int) (x Int) (y Int)))
(define-fun start ((i Int) (j Int) (x Int) (y Int)) Bool (and (= x i) (= y j)))
(define-fun step ((i Int) (j Int) (x Int) (y Int) (i! Int) (j! Int) (x! Int) (y! Int)) Bool
  (and (distinct x 0) (= x! (- x 1)) (= y! (- y 1)) (= i! i) (= j! j)))
(define-fun end ((i Int) (j Int) (x Int) (y Int)) Bool (=> (and (= x 0) (= i j)) (= y 0)))
(inv-constraint Inv start step end)
(check-synth))";

}  // namespace

int main() {
  const fovea::synthesis::InvariantProblem loop =
      fovea::synthesis::read_problem(fovea::io::ByteSource::from_memory(kLoop, "loop"));
  const fovea::synthesis::InvariantAnswer answer =
      fovea::synthesis::find_invariant(loop, {}, fovea::Stop().within(/*seconds=*/60));
  if (answer.verdict != fovea::synthesis::ProgramVerdict::kProved) return 1;
  std::printf("Inv(i, j, x, y) = %s\n", answer.bodies[0].c_str());
  return 0;
}
