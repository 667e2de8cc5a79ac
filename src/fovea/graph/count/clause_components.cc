// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/clause_components.h"

#include <algorithm>
#include <span>
#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::graph::internal {
namespace {

constexpr double kActivityWeight = 10;  // relative to the number of open clauses
/// Offsets of the members of a hash, which give atoms, clauses and tables numbers of their own.
constexpr std::uint64_t kClauseMembers = std::uint64_t{1} << 32, kSoftMembers = std::uint64_t{1} << 33;

}  // namespace

ClauseComponents::ClauseComponents(const FactorGraph& graph, const ClauseModel& model, const ClauseIndex& index,
                                   const ClauseTrail& trail)
    : graph_(graph),
      model_(model),
      index_(index),
      trail_(trail),
      seen_atoms_(model.atom_count(), 0),
      seen_soft_(model.soft_factors.size(), 0),
      seen_clauses_(model.clauses.size(), 0) {}

ClauseComponent ClauseComponents::whole() const {
  ClauseComponent all;
  for (Atom a = 0; a < model_.atom_count(); ++a) all.atoms.push_back(a);
  for (std::uint32_t s = 0; s < model_.soft_factors.size(); ++s) all.soft.push_back(s);
  return all;
}

double ClauseComponents::split(const ClauseComponent& parent, std::vector<ClauseComponent>& parts) {
  ++stamp_;
  double weight = decided_weight(parent);
  for (const Atom a : parent.atoms) {
    if (!trail_.is_open(a) || seen_atoms_[a] == stamp_) continue;
    ClauseComponent part = grow(a);
    const bool is_free = part.atoms.size() == 1 && part.soft.empty();
    if (is_free) weight += add_logs(model_.weights[2 * a], model_.weights[2 * a + 1]);
    else parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, {}, [](const ClauseComponent& part) { return part.atoms.size(); });
  return weight;
}

double ClauseComponents::decided_weight(const ClauseComponent& parent) const {
  double weight = 0;
  for (const Atom a : parent.atoms)
    if (!trail_.is_open(a)) weight += model_.weights[trail_.is_true(2 * a) ? 2 * a : 2 * a + 1];
  for (const std::uint32_t s : parent.soft)
    if (is_decided(s)) weight += graph_.table(model_.soft_factors[s])[offset(s)];
  return weight;
}

ClauseComponent ClauseComponents::grow(Atom start) {
  ClauseComponent component;
  add_atom(start, component);
  double highest = -1;
  for (std::size_t i = 0; i < component.atoms.size(); ++i) {
    const Atom a = component.atoms[i];
    component.hash.add(a);
    for (const std::uint32_t s : index_.soft_of[a])
      if (std::exchange(seen_soft_[s], stamp_) != stamp_) visit_soft(s, component);
    const std::size_t positive = visit_occurrences(2 * a, component);
    const std::size_t negative = visit_occurrences(2 * a + 1, component);
    const double score =
        static_cast<double>(positive + negative + index_.soft_of[a].size()) + kActivityWeight * trail_.activity(a);
    if (score <= highest) continue;
    highest = score;
    component.decision = positive >= negative ? 2 * a : 2 * a + 1;
  }
  return component;
}

/// Adds what clauses connect to an open literal; returns the number of these clauses.
std::size_t ClauseComponents::visit_occurrences(Literal l, ClauseComponent& component) {
  std::size_t active = 0;
  for (const Atom other : index_.partners[l]) {
    if (seen_atoms_[other] != stamp_ && !trail_.is_open(other)) continue;
    add_atom(other, component);
    ++active;
  }
  for (const std::uint32_t c : index_.clauses_of[l]) {
    const std::uint64_t seen = seen_clauses_[c] >= 2 * stamp_ ? seen_clauses_[c] : visit_clause(c, component);
    active += seen & 1;
  }
  return active;
}

/// Visits a clause; returns its new entry in seen_clauses_.
std::uint64_t ClauseComponents::visit_clause(std::uint32_t clause, ClauseComponent& component) {
  const std::span<const Literal> literals = index_.literals[clause];
  const bool is_active = std::ranges::none_of(literals, [&](Literal l) { return trail_.is_true(l); });
  seen_clauses_[clause] = 2 * stamp_ + is_active;
  if (!is_active) return seen_clauses_[clause];
  component.hash.add(kClauseMembers | clause);
  for (const Literal l : literals)
    if (!trail_.is_true(negation(l))) add_atom(atom_of(l), component);
  return seen_clauses_[clause];
}

void ClauseComponents::visit_soft(std::uint32_t soft, ClauseComponent& component) {
  component.soft.push_back(soft);
  SetHash left;
  left.add(kSoftMembers | soft);
  left.add(offset(soft));
  for (const Atom a : model_.atoms_of_soft(soft))
    if (trail_.is_open(a)) add_atom(a, component);
  component.hash.add(left.low ^ (left.high << 1));
}

void ClauseComponents::add_atom(Atom a, ClauseComponent& component) {
  if (std::exchange(seen_atoms_[a], stamp_) != stamp_) component.atoms.push_back(a);
}

bool ClauseComponents::is_decided(std::uint32_t soft) const {
  return std::ranges::none_of(model_.atoms_of_soft(soft), [&](Atom a) { return trail_.is_open(a); });
}

std::size_t ClauseComponents::offset(std::uint32_t soft) const {
  const FactorId f = model_.soft_factors[soft];
  std::size_t offset = 0;
  for (std::size_t i = 0; i < graph_.scope(f).size(); ++i) {
    const VariableId v = graph_.scope(f)[i];
    for (std::size_t k = 1; k < graph_.cardinality(v); ++k)
      if (trail_.is_true(model_.literal(v, k))) offset += std::size_t{graph_.strides(f)[i]} * k;
  }
  return offset;
}

}  // namespace fovea::graph::internal
