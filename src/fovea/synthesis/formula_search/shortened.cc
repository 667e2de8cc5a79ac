// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/shortened.h"

namespace fovea::synthesis {

Dnf shortened(const Dnf& formula, const ExampleSet& examples) {
  Dnf shortest = formula;
  std::size_t errors = examples.errors(shortest);
  const auto try_instead = [&](Dnf shorter) {
    const std::size_t more = examples.errors(shorter);
    if (more > errors) return false;
    errors = more;
    shortest = std::move(shorter);
    return true;
  };
  for (std::size_t i = shortest.disjuncts.size(); i-- > 0;) {
    Dnf shorter = shortest;
    shorter.disjuncts.erase(shorter.disjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    try_instead(std::move(shorter));
  }
  for (std::size_t i = 0; i < shortest.disjuncts.size(); ++i)
    for (std::size_t j = shortest.disjuncts[i].size(); j-- > 0;) {
      Dnf shorter = shortest;
      Dnf::Conjunction& atoms = shorter.disjuncts[i];
      atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(j));
      try_instead(std::move(shorter));
    }
  return shortest;
}

}  // namespace fovea::synthesis
