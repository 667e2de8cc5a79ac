// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/atom_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/synthesis/formula_search/comparison_bits.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::synthesis::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using IntegerTag = hn::CappedTag<std::int64_t, 8>;  // at most a byte of mask bits
using Integers = hn::Vec<IntegerTag>;

constexpr std::size_t kWordBits = 64;

HWY_INLINE Integers form_values(const RowColumns& rows, std::span<const FormTerm> terms, std::size_t at) {
  const IntegerTag d;
  Integers sum = hn::Zero(d);
  for (const FormTerm& term : terms) {
    const Integers x = hn::LoadU(d, rows.columns + term.variable * kWordBits * rows.words + at);
    if (term.coefficient == 1) sum = hn::Add(sum, x);
    else if (term.coefficient == -1) sum = hn::Sub(sum, x);
    else sum = hn::Add(sum, hn::Mul(x, hn::Set(d, term.coefficient)));
  }
  return sum;
}

/// `limit` is the bound, or the bound + 1 for <=, which vectors of integers do not have.
template <Relation kRelation>
HWY_INLINE auto holds_at(Integers values, Integers limit) {
  if constexpr (kRelation == Relation::kAtMost) return hn::Lt(values, limit);
  else if constexpr (kRelation == Relation::kEqual) return hn::Eq(values, limit);
  else return hn::Ne(values, limit);
}

template <Relation kRelation>
void compare_all(const RowColumns& rows, std::span<const FormTerm> terms, std::int64_t bound, std::uint64_t* set) {
  const IntegerTag d;
  const Integers limit = hn::Set(d, kRelation == Relation::kAtMost ? bound + 1 : bound);
  for (std::size_t w = 0; w < rows.words; ++w) {
    std::uint64_t word = 0;
    for (std::size_t bit = 0; bit < kWordBits; bit += hn::Lanes(d)) {
      std::uint8_t bits[8] = {};  // one is used; StoreMaskBits may write more
      const Integers values = form_values(rows, terms, w * kWordBits + bit);
      hn::StoreMaskBits(d, holds_at<kRelation>(values, limit), bits);
      word |= std::uint64_t{bits[0]} << bit;
    }
    set[w] = word;
  }
}

void compare_by_relation(const RowColumns& rows, std::span<const FormTerm> terms, Relation relation, std::int64_t bound,
                         std::uint64_t* set) {
  switch (relation) {
    case Relation::kAtMost:
      return compare_all<Relation::kAtMost>(rows, terms, bound, set);
    case Relation::kEqual:
      return compare_all<Relation::kEqual>(rows, terms, bound, set);
    case Relation::kDifferent:
      return compare_all<Relation::kDifferent>(rows, terms, bound, set);
  }
}

}  // namespace fovea::synthesis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::synthesis {

HWY_EXPORT(compare_by_relation);

void compare_rows(const RowColumns& rows, std::span<const FormTerm> terms, Relation relation, std::int64_t bound,
                  std::uint64_t* set) {
  HWY_DYNAMIC_DISPATCH(compare_by_relation)(rows, terms, relation, bound, set);
}

}  // namespace fovea::synthesis
#endif  // HWY_ONCE
