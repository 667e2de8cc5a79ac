// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fovea::testing {

/// Two loops, one after the other: x counts to n, then y does; at the end x + y = 2 n. `most`: the clause that says so
/// compares with this.
inline std::string two_loops(const std::string& most = "(* 2 n)") {
  return R"((set-logic HORN)
(declare-fun first (Int Int) Bool)
(declare-fun second (Int Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (> n 0)) (first x n))))
(assert (forall ((x Int) (n Int) (x1 Int)) (=> (and (first x n) (< x n) (= x1 (+ x 1))) (first x1 n))))
(assert (forall ((x Int) (n Int)) (=> (and (first x n) (>= x n)) (second x n 0))))
(assert (forall ((x Int) (n Int) (y Int)) (=> (and (second x n y) (< y n)) (second x n (+ y 1)))))
(assert (forall ((x Int) (n Int) (y Int))
  (not (and (second x n y) (>= y n) (not (= (+ x y) )" +
         most + R"())))))
(check-sat)
)";
}

/// Sums of numbers from 1 on, with an array and a clause of two predicates in its body: beyond loops. All are at least
/// `least`, if that is 1 or less.
inline std::string beyond_loops(const std::string& least = "1") {
  return R"((set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int (Array Int Int)) Bool)
(assert (forall ((x Int)) (=> (= x 1) (P x))))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (P x) (Q x a))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (Q x a) (< x )" +
         least + R"()) false)))
(check-sat)
)";
}

}  // namespace fovea::testing
