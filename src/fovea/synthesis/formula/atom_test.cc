// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/atom.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(AtomTest, IsExactWhereSumsOverflow) {
  const Atom sum = {.coefficients = {1, 1}, .bound = 0};
  EXPECT_FALSE(sum.holds(std::vector{kMost, kMost}));
  EXPECT_TRUE(sum.holds(std::vector{kLeast, kLeast}));
  EXPECT_TRUE(sum.holds(std::vector{kMost, kLeast}));  // -1
  const Atom products = {.coefficients = {kLeast, kLeast, kMost}, .bound = kLeast};
  EXPECT_FALSE(products.holds(std::vector{kLeast, kLeast, std::int64_t{1}}));
  EXPECT_TRUE(products.holds(std::vector{kMost, kMost, std::int64_t{-1}}));
  // 2 (-2^63) + 2^63 - 1 + (-2^63) (-1) = -1 - 2^63 + 2^63 = -1, by way of sums beyond 64 bits.
  const Atom cancelling = {.coefficients = {2, 1, kLeast}, .bound = -1};
  EXPECT_TRUE(cancelling.holds(std::vector{kLeast, kMost, std::int64_t{-1}}));
  EXPECT_FALSE((Atom{.coefficients = {2, 1, kLeast}, .bound = -2}).holds(std::vector{kLeast, kMost, std::int64_t{-1}}));
}

rc::Gen<Atom> small_atoms() {
  return rc::gen::construct<Atom>(rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange(-6, 7)),
                                  rc::gen::inRange<std::int64_t>(-20, 21));
}
rc::Gen<std::vector<std::int64_t>> small_rows() {
  return rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange(-6, 7));
}

RC_GTEST_PROP(AtomTest, NegationHoldsWhereItDoesNot, ()) {
  const Atom atom = *small_atoms();
  const auto row = *small_rows();
  RC_ASSERT(negation(atom).holds(row) != atom.holds(row));
}

RC_GTEST_PROP(AtomTest, ReducedHoldsForTheSameRows, ()) {
  const Atom atom = *small_atoms();
  const auto row = *small_rows();
  RC_ASSERT(reduced(atom).holds(row) == atom.holds(row));
}

TEST(AtomTest, ReducedRoundsTheBoundDown) {
  EXPECT_EQ(reduced({.coefficients = {2, -4}, .bound = 3}), (Atom{.coefficients = {1, -2}, .bound = 1}));
  EXPECT_EQ(reduced({.coefficients = {2, -4}, .bound = -3}), (Atom{.coefficients = {1, -2}, .bound = -2}));
  EXPECT_EQ(reduced({.coefficients = {0, 0}, .bound = 7}), (Atom{.coefficients = {0, 0}, .bound = 7}));
}

}  // namespace
}  // namespace fovea::synthesis
