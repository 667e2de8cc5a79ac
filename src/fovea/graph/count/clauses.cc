// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/clauses.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/tables/nogoods.h"

namespace fovea::graph::internal {
namespace {

constexpr double kMaxExclusions = 1 << 22;          // clauses that exclude two values at once
constexpr std::size_t kClausesBetweenLooks = 4096;  // at the clock
constexpr std::size_t kValuesBetweenLooks = 16;
constexpr const char* kNoTimeToWrite = "no time was left to write clauses down";

void number_atoms(const FactorGraph& graph, ClauseModel& model) {
  double exclusions = 0;
  for (const std::uint32_t cardinality : graph.cardinalities()) {
    const std::uint32_t atoms = cardinality > 2 ? cardinality : cardinality - 1;
    model.first_atom.push_back(model.first_atom.back() + atoms);
    if (cardinality > 2) exclusions += .5 * cardinality * (cardinality - 1.0);
  }
  if (exclusions > kMaxExclusions) throw LimitError("variables have too many values for counting by search");
  model.weights.assign(2 * model.atom_count(), 0.0);
}

void add_values(const FactorGraph& graph, const NogoodModel& nogoods, VariableId v, const Stop& stop,
                ClauseModel& model) {
  const std::span<const double> weights =
      std::span(nogoods.weights).subspan(nogoods.first_literal[v], graph.cardinality(v));
  if (weights.size() == 1) {
    model.constant += weights.front();
    return;
  }
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (weights[k] == kImpossible) model.clauses.push_back({negation(model.literal(v, k))});
    else model.weights[model.literal(v, k)] = weights[k];
  if (weights.size() == 2) return;
  model.clauses.emplace_back();
  std::vector<Literal>& one_of_them = model.clauses.back();
  for (std::size_t k = 0; k < weights.size(); ++k) one_of_them.push_back(model.literal(v, k));
  for (std::size_t k = 1; k < weights.size(); ++k) {
    if (k % kValuesBetweenLooks == 0 && stop.requested()) throw LimitError(kNoTimeToWrite);
    for (std::size_t j = 0; j < k; ++j)
      model.clauses.push_back({negation(model.literal(v, j)), negation(model.literal(v, k))});
  }
}

void add_nogood(const NogoodModel& nogoods, std::span<const LiteralId> nogood, ClauseModel& model) {
  model.clauses.emplace_back();
  for (const LiteralId l : nogood) {
    const VariableId v = nogoods.variable_of[l];
    model.clauses.back().push_back(negation(model.literal(v, l - nogoods.first_literal[v])));
  }
}

void add_soft_factor(const FactorGraph& graph, FactorId f, ClauseModel& model) {
  model.soft_factors.push_back(f);
  for (const VariableId v : graph.scope(f))
    for (Atom a = model.first_atom[v]; a < model.first_atom[v + 1]; ++a) model.soft_atoms.push_back(a);
  model.soft_begins.push_back(static_cast<std::uint32_t>(model.soft_atoms.size()));
}

/// Makes the lists that visit(clause, its place, add) fills.
template <class Visit>
NumberLists list_clauses(std::size_t lists, const ClauseModel& model, const Stop& stop, const Visit& visit) {
  return NumberLists(lists, [&](const auto& add) {
    for (std::size_t c = 0; c < model.clauses.size(); ++c) {
      if (c % kClausesBetweenLooks == 0 && stop.requested()) throw LimitError("no time was left to index clauses");
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

ClauseModel make_clauses(const FactorGraph& graph, const Stop& stop) {
  const NogoodModel nogoods = extract_nogoods(graph, stop);
  const auto look = [&](std::size_t i) {
    if (i % kClausesBetweenLooks == 0 && stop.requested()) throw LimitError(kNoTimeToWrite);
  };
  ClauseModel model;
  model.constant = nogoods.constant;
  number_atoms(graph, model);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    look(v);
    add_values(graph, nogoods, v, stop, model);
  }
  for (std::size_t n = 0; n < nogoods.nogoods.size(); ++n) {
    look(n);
    add_nogood(nogoods, nogoods.nogoods[n], model);
  }
  for (const FactorId f : nogoods.soft_factors) add_soft_factor(graph, f, model);
  return model;
}

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
