// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/formula_kernel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/synthesis/formula_search/formula_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/synthesis/formula_search/formula_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::synthesis::HWY_NAMESPACE {

FormulaKernel::Run run_steps(FormulaState& formula, AtomSets& sets, FormulaSets& work, const EditTable& edits,
                             const FormulaCosts& costs, const Acceptance& acceptance, std::uint64_t steps,
                             Random& random, BestFormula& best) {
  Random own = random;  // a copy, to be kept in registers
  const auto run = [&](auto width) {
    return run_formula<decltype(width)>(formula, sets, work, edits, costs, acceptance, steps, own, best);
  };
  const ExampleLayout& layout = sets.layout();
  const std::size_t words = layout.implication_words() == 0 ? layout.labelled_words() : 0;
  const FormulaKernel::Run result = words == 1   ? run(SetWidth<1>(layout))
                                    : words == 2 ? run(SetWidth<2>(layout))
                                    : words == 4 ? run(SetWidth<4>(layout))
                                                 : run(SetWidth<0>(layout));
  random = own;
  return result;
}

}  // namespace fovea::synthesis::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::synthesis {

HWY_EXPORT(run_steps);

namespace {

constexpr double kLeastProbability = 0x1.0p-53;  // that a random draw can distinguish from 0
constexpr std::uint64_t kMostProbabilities = 1 << 20;

}  // namespace

Acceptance::Acceptance(double temperature) {
  for (std::uint64_t increase = 0; increase < kMostProbabilities; ++increase) {
    const double p = std::exp(-static_cast<double>(increase) / temperature);
    if (p < kLeastProbability) break;
    probabilities_.push_back(p);
  }
}

EditTable::EditTable(const AtomSpace& space, std::size_t slots) : kinds_(static_cast<std::uint32_t>(space.edits())) {
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    for (std::uint32_t kind = 0; kind <= kinds_; ++kind) edits_.push_back({.slot = slot, .kind = kind});
  for (const AtomSpace::Family& family : space.families())
    for (std::uint32_t kind = 0; kind < kinds_; ++kind) {
      if (family.edits.empty()) {
        changes_.push_back({.place = 0, .others = 0, .stride = 0, .to_neighbour = false});
        continue;
      }
      const AtomSpace::Edit& edit = family.edits[kind];
      const AtomSpace::Place& place = family.places[edit.place];
      changes_.push_back(
          {.place = edit.place, .others = place.digits - 1, .stride = place.stride, .to_neighbour = edit.to_neighbour});
    }
}

FormulaKernel::FormulaKernel(AtomSets& sets, std::size_t terms, std::size_t atoms)
    : sets_(&sets), edits_(sets.space(), terms * atoms) {}

FormulaKernel::Run FormulaKernel::run(FormulaState& formula, const FormulaCosts& costs, const Acceptance& acceptance,
                                      std::uint64_t steps, Random& random, BestFormula& best) {
  return HWY_DYNAMIC_DISPATCH(run_steps)(formula, *sets_, workspace_, edits_, costs, acceptance, steps, random, best);
}

}  // namespace fovea::synthesis
#endif  // HWY_ONCE
