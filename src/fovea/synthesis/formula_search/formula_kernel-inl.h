// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SYNTHESIS_SEARCH_FORMULA_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SYNTHESIS_SEARCH_FORMULA_KERNEL_INL_H_
#undef FOVEA_SYNTHESIS_SEARCH_FORMULA_KERNEL_INL_H_
#else
#define FOVEA_SYNTHESIS_SEARCH_FORMULA_KERNEL_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <numeric>

#include "fovea/synthesis/formula_search/formula_kernel.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::synthesis::HWY_NAMESPACE {

/// Number of words of a set: those of labelled examples and twice those of implications. If kLabelled is above 0, the
/// compiler knows the numbers, and the loops unroll.
template <std::size_t kLabelled>
struct SetWidth {
  explicit SetWidth(const ExampleLayout&) {}
  static constexpr std::size_t labelled() { return kLabelled; }
  static constexpr std::size_t implications() { return 0; }
  static constexpr std::size_t words() { return kLabelled; }
};

template <>
struct SetWidth<0> {
  explicit SetWidth(const ExampleLayout& layout)
      : labelled_(layout.labelled_words()), implications_(layout.implication_words()) {}
  std::size_t labelled() const { return labelled_; }
  std::size_t implications() const { return implications_; }
  std::size_t words() const { return labelled_ + 2 * implications_; }

 private:
  std::size_t labelled_, implications_;
};

inline std::uint64_t bit_count(std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); }

/// I(f), the number of examples that f, the OR of one disjunct and the others, violates.
template <class Width>
class FullCost {
 public:
  static constexpr bool kIsFull = true;
  FullCost(const ExampleLayout& layout, const FormulaCosts&) : width_(layout), expected_(layout.expected().data()) {}

  HWY_INLINE std::uint64_t operator()(const std::uint64_t* set, const std::uint64_t* rest,
                                      const std::uint64_t* others) const {
    std::uint64_t errors = 0;
    for (std::size_t w = 0; w < width_.labelled(); ++w)
      errors += bit_count(((set[w] & rest[w]) | others[w]) ^ expected_[w]);
    for (std::size_t w = width_.labelled(); w < width_.labelled() + width_.implications(); ++w) {
      const std::size_t to = w + width_.implications();
      errors += bit_count(((set[w] & rest[w]) | others[w]) & ~((set[to] & rest[to]) | others[to]));
    }
    return errors;
  }

 private:
  Width width_;
  const std::uint64_t* expected_;
};

/// Simplified cost of one disjunct; a formula's is the sum over its disjuncts.
template <class Width>
class SimplifiedCost {
 public:
  static constexpr bool kIsFull = false;
  SimplifiedCost(const ExampleLayout& layout, const FormulaCosts& costs)
      : width_(layout), costs_(costs), expected_(layout.expected().data()), bad_(layout.bad().data()) {}

  HWY_INLINE std::uint64_t operator()(const std::uint64_t* set, const std::uint64_t* rest, const std::uint64_t*) const {
    std::uint64_t wrong = 0, incomplete = 0;
    for (std::size_t w = 0; w < width_.labelled(); ++w) {
      wrong += bit_count(set[w] & rest[w] & bad_[w]);
      incomplete += bit_count(expected_[w] & ~(set[w] & rest[w]));
    }
    for (std::size_t w = width_.labelled(); w < width_.labelled() + width_.implications(); ++w) {
      const std::size_t to = w + width_.implications();
      incomplete += bit_count(set[w] & rest[w] & ~(set[to] & rest[to]));
    }
    return wrong * costs_.wrong + incomplete * costs_.incomplete;
  }

 private:
  Width width_;
  FormulaCosts costs_;
  const std::uint64_t *expected_, *bad_;
};

/// A run of steps.
template <class Width, class Cost, class R>
class FormulaRun {
 public:
  FormulaRun(FormulaState& formula, AtomSets& sets, FormulaSets& work, const EditTable& edits,
             const FormulaCosts& costs, const Acceptance& acceptance, R& random, BestFormula& best)
      : formula_(formula),
        sets_(sets),
        work_(work),
        edits_(edits),
        acceptance_(acceptance),
        random_(random),
        best_(best),
        width_(sets.layout()),
        term_cost_(sets.layout(), costs) {
    evaluate();
  }

  FormulaKernel::Run steps(std::uint64_t count) {
    std::uint64_t taken = 0;
    for (; taken < count && cost_ > 0; ++taken) step();
    return {.steps = taken, .cost = cost_};
  }

 private:
  using Slot = FormulaState::Slot;

  HWY_INLINE void step() {
    const EditTable::Edit edit = edits_.edit(random_.uniform_index(edits_.size()));
    if (edit.kind == edits_.redraw()) redraw(edit.slot);
    else change(edit.slot, edits_.change(formula_.slots[edit.slot].family, edit.kind));
  }

  HWY_INLINE void change(std::uint32_t slot, const EditTable::Change& change) {
    if (change.others == 0) return;
    Slot& now = formula_.slots[slot];
    std::uint32_t& digit = formula_.digits[slot * formula_.places + change.place];
    std::uint32_t proposed = 0;
    if (change.to_neighbour) {
      proposed = digit - 1 + 2 * random_.uniform_index(2);
      if (proposed > change.others) return;  // beyond an end, below 0 too
    } else {
      proposed = random_.uniform_index(change.others);
      proposed += proposed >= digit;
    }
    const std::uint64_t number = now.number + (std::uint64_t{proposed} - digit) * change.stride;
    if (!takes(slot, number)) return;
    digit = proposed;
    now.number = number;
    note_best();
  }

  HWY_NOINLINE void redraw(std::uint32_t slot) {
    std::uint32_t* digits = work_.scratch.data();
    std::fill_n(digits, formula_.places, 0);
    const Slot proposed = draw_comparison(sets_.space(), digits, random_);
    if (!takes(slot, proposed.number)) return;
    std::copy_n(digits, formula_.places, formula_.digits.data() + slot * formula_.places);
    formula_.slots[slot] = proposed;
    note_best();
  }

  /// Computes the proposal's cost, decides, and updates the sets and the cost accordingly.
  HWY_INLINE bool takes(std::uint32_t slot, std::uint64_t number) {
    const std::size_t term = slot_term(slot);
    const std::uint64_t* set = sets_.set(number);
    const std::uint64_t* rest = work_.rest.data() + slot * width_.words();
    const std::uint64_t* others = work_.others.data() + term * width_.words();
    const std::uint64_t proposed = term_cost_(set, rest, others);
    const std::uint64_t before = Cost::kIsFull ? cost_ : work_.costs[term];
    if (proposed > before && !acceptance_.accepts(proposed - before, random_)) return false;
    cost_ += proposed - before;
    if constexpr (!Cost::kIsFull) work_.costs[term] = proposed;
    put(slot, term, set);
    return true;
  }

  std::size_t slot_term(std::uint32_t slot) const { return slot / formula_.atoms; }

  HWY_INLINE void put(std::size_t slot, std::size_t term, const std::uint64_t* set) {
    std::uint64_t* here = work_.slot.data() + slot * width_.words();
    std::uint64_t difference = 0;
    for (std::size_t w = 0; w < width_.words(); ++w) {
      difference |= here[w] ^ set[w];
      here[w] = set[w];
    }
    if (difference != 0 && refresh_term(term) && Cost::kIsFull) refresh_others();
  }

  /// Returns true if the disjunct now holds at other rows.
  HWY_INLINE bool refresh_term(std::size_t term) {
    const std::size_t words = width_.words(), first = term * formula_.atoms * words;
    const std::size_t end = first + formula_.atoms * words;
    std::uint64_t difference = 0;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t all = ~std::uint64_t{0};
      for (std::size_t s = first + w; s < end; s += words) {
        work_.rest[s] = all;
        all &= work_.slot[s];
      }
      difference |= work_.term[term * words + w] ^ all;
      work_.term[term * words + w] = all;
      all = ~std::uint64_t{0};
      for (std::size_t s = end - words + w + words; s > first + w;) {
        s -= words;
        work_.rest[s] &= all;
        all &= work_.slot[s];
      }
    }
    return difference != 0;
  }

  HWY_INLINE void refresh_others() {
    const std::size_t words = width_.words(), end = formula_.terms * words;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t any = 0;
      for (std::size_t t = w; t < end; t += words) {
        work_.others[t] = any;
        any |= work_.term[t];
      }
      any = 0;
      for (std::size_t t = end + w; t > w;) {
        t -= words;
        work_.others[t] |= any;
        any |= work_.term[t];
      }
    }
  }

  void evaluate() {
    const std::size_t words = width_.words();
    work_.slot.assign(formula_.slots.size() * words, 0);
    work_.rest.assign(formula_.slots.size() * words, 0);
    work_.term.assign(formula_.terms * words, 0);
    work_.others.assign(formula_.terms * words, 0);
    work_.costs.assign(formula_.terms, 0);
    work_.scratch.resize(formula_.places);
    for (std::size_t slot = 0; slot < formula_.slots.size(); ++slot)
      std::copy_n(sets_.set(formula_.slots[slot].number), words, work_.slot.data() + slot * words);
    for (std::size_t term = 0; term < formula_.terms; ++term) refresh_term(term);
    refresh_others();
    for (std::size_t term = 0; term < formula_.terms; ++term) work_.costs[term] = present_cost(term);
    cost_ = Cost::kIsFull ? work_.costs[0] : std::accumulate(work_.costs.begin(), work_.costs.end(), std::uint64_t{0});
    note_best();
  }

  std::uint64_t present_cost(std::size_t term) const {
    const std::size_t words = width_.words(), slot = term * formula_.atoms;
    return term_cost_(work_.slot.data() + slot * words, work_.rest.data() + slot * words,
                      work_.others.data() + term * words);
  }

  HWY_INLINE void note_best() {
    if (!Cost::kIsFull || cost_ >= best_.cost) return;
    best_.cost = cost_;
    best_.slots = formula_.slots;
  }

  FormulaState& formula_;
  AtomSets& sets_;
  FormulaSets& work_;
  const EditTable& edits_;
  const Acceptance& acceptance_;
  R& random_;
  BestFormula& best_;
  Width width_;
  Cost term_cost_;
  std::uint64_t cost_ = 0;
};

/// FormulaKernel::run, for any stream of random decisions.
template <class Width, class R>
FormulaKernel::Run run_formula(FormulaState& formula, AtomSets& sets, FormulaSets& work, const EditTable& edits,
                               const FormulaCosts& costs, const Acceptance& acceptance, std::uint64_t steps, R& random,
                               BestFormula& best) {
  if (costs.is_simplified)
    return FormulaRun<Width, SimplifiedCost<Width>, R>(formula, sets, work, edits, costs, acceptance, random, best)
        .steps(steps);
  return FormulaRun<Width, FullCost<Width>, R>(formula, sets, work, edits, costs, acceptance, random, best)
      .steps(steps);
}

}  // namespace fovea::synthesis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
