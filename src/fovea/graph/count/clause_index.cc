// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/clause_index.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::graph::internal {
namespace {

constexpr std::size_t kEntriesBetweenLooks = 4096;  // at the clock

/// Makes the lists that visit(clause, its place, add) fills.
template <class Visit>
NumberLists list_clauses(std::size_t lists, const ClauseModel& model, const Stop& stop, const Visit& visit) {
  return NumberLists(lists, [&](const auto& add) {
    for (std::size_t c = 0; c < model.clauses.size(); ++c) {
      if (c % kEntriesBetweenLooks == 0 && stop.requested()) throw LimitError("no time was left to index clauses");
      visit(model.clauses[c], static_cast<std::uint32_t>(c), add);
    }
  });
}

NumberLists list_soft_factors(const ClauseModel& model) {
  return NumberLists(model.atom_count(), [&](const auto& add) {
    for (std::size_t s = 0; s < model.soft_factors.size(); ++s)
      for (const Atom a : model.atoms_of_soft(s)) add(a, static_cast<std::uint32_t>(s));
  });
}

}  // namespace

ClauseIndex index_clauses(const ClauseModel& model, const Stop& stop) {
  using Literals = std::vector<Literal>;
  const std::size_t literals = 2 * model.atom_count();
  return {.partners = list_clauses(literals, model, stop,
                                   [](const Literals& clause, std::uint32_t, const auto& add) {
                                     if (clause.size() != 2) return;
                                     add(clause[0], atom_of(clause[1]));
                                     add(clause[1], atom_of(clause[0]));
                                   }),
          .literals = list_clauses(model.clauses.size(), model, stop,
                                   [](const Literals& clause, std::uint32_t c, const auto& add) {
                                     for (const Literal l : clause) add(c, l);
                                   }),
          .clauses_of = list_clauses(literals, model, stop,
                                     [](const Literals& clause, std::uint32_t c, const auto& add) {
                                       if (clause.size() < 3) return;
                                       for (const Literal l : clause) add(l, c);
                                     }),
          .soft_of = list_soft_factors(model)};
}

}  // namespace fovea::graph::internal
