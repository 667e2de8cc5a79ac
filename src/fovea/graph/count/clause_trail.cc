// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/clause_trail.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::graph::internal {
namespace {

constexpr std::uint64_t kContradictionsPerDecay = 128;
constexpr double kDecay = .5;
constexpr std::size_t kWatchesBetweenLooks = 4096;  // at the clock

}  // namespace

ClauseTrail::ClauseTrail(const ClauseModel& model, std::size_t max_learned, const Stop& stop)
    : max_learned_(max_learned),
      watches_(2 * model.atom_count()),
      is_true_(2 * model.atom_count(), 0),
      levels_(model.atom_count(), 0),
      reasons_(model.atom_count(), kNone),
      activities_(model.atom_count(), 0),
      is_marked_(model.atom_count(), 0) {
  for (std::size_t c = 0; c < model.clauses.size(); ++c) {
    if (c % kWatchesBetweenLooks == 0 && stop.requested()) throw LimitError("no time was left to watch clauses");
    add_clause(model.clauses[c]);
  }
  model_clauses_ = clauses_.size();
}

void ClauseTrail::add_clause(std::vector<Literal> literals) {
  if (literals.size() == 1) {
    units_.push_back(literals[0]);
    return;
  }
  const auto id = static_cast<std::uint32_t>(clauses_.size());
  watches_[literals[0]].push_back({.clause = id, .other = literals[1]});
  watches_[literals[1]].push_back({.clause = id, .other = literals[0]});
  clauses_.push_back(std::move(literals));
}

bool ClauseTrail::start() {
  if (!adopt_learned()) return false;
  for (const Literal l : trail_) reasons_[atom_of(l)] = kNone;
  return true;
}

bool ClauseTrail::assign(Literal literal, std::uint32_t reason) {
  if (is_true_[literal]) return true;
  if (is_true_[negation(literal)]) return false;
  is_true_[literal] = 1;
  levels_[atom_of(literal)] = static_cast<std::uint32_t>(level_begins_.size());
  reasons_[atom_of(literal)] = reason;
  trail_.push_back(literal);
  return true;
}

bool ClauseTrail::propagate() {
  while (propagated_ < trail_.size())
    if (!visit_watches(negation(trail_[propagated_++]))) return false;
  return true;
}

bool ClauseTrail::visit_watches(Literal false_literal) {
  std::vector<Watch>& watches = watches_[false_literal];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    const Watch watch = watches[i];
    watches[kept++] = watch;
    if (is_true_[watch.other]) continue;
    std::vector<Literal>& literals = clauses_[watch.clause];
    if (literals[0] == false_literal) std::swap(literals[0], literals[1]);
    if (is_true_[literals[0]]) continue;
    const auto next =
        std::find_if(literals.begin() + 2, literals.end(), [&](Literal l) { return !is_true_[negation(l)]; });
    if (next != literals.end()) {
      std::swap(literals[1], *next);
      watches_[literals[1]].push_back({.clause = watch.clause, .other = literals[0]});
      --kept;
    } else if (!assign(literals[0], watch.clause)) {
      conflict_ = watch.clause;
      while (++i < watches.size()) watches[kept++] = watches[i];
    }
  }
  watches.resize(kept);
  return conflict_ == kNone;
}

bool ClauseTrail::decide(Literal literal) {
  level_begins_.push_back(trail_.size());
  return assert_units() && assign(literal, kNone) && assert_learned();
}

bool ClauseTrail::assert_units() {
  for (const Literal l : units_) {
    if (is_true_[l]) continue;
    if (!assign(l, kNone)) return false;
    levels_[atom_of(l)] = 0;
  }
  if (level_begins_.empty()) units_.clear();
  return true;
}

bool ClauseTrail::assert_learned() {
  if (pending_ != kNone) {
    const std::uint32_t clause = std::exchange(pending_, kNone);
    const std::vector<Literal>& literals = clauses_[clause];
    const bool is_unit =
        std::all_of(literals.begin() + 1, literals.end(), [&](Literal l) { return is_true_[negation(l)] != 0; });
    if (is_unit && !assign(literals[0], clause)) return false;
  }
  if (propagate()) return true;
  learn();
  return false;
}

void ClauseTrail::retract() {
  while (trail_.size() > level_begins_.back()) {
    is_true_[trail_.back()] = 0;
    trail_.pop_back();
  }
  level_begins_.pop_back();
  propagated_ = trail_.size();
  conflict_ = kNone;
}

/// Marks the literals of a clause that led to the contradiction; those of earlier levels join the learned clause.
void ClauseTrail::mark_literals(std::uint32_t clause, Literal except, std::vector<Literal>& learned,
                                std::size_t& at_level) {
  for (const Literal l : clauses_[clause]) {
    const Atom a = atom_of(l);
    if (l == except || is_marked_[a] || levels_[a] == 0) continue;
    is_marked_[a] = 1;
    activities_[a] += 1;
    if (levels_[a] == level_begins_.size()) ++at_level;
    else learned.push_back(l);
  }
}

void ClauseTrail::learn() {
  if (++contradictions_ % kContradictionsPerDecay == 0)
    for (double& activity : activities_) activity *= kDecay;
  std::vector<Literal> learned = {0};
  std::size_t at_level = 0;
  mark_literals(conflict_, 2 * static_cast<Literal>(is_marked_.size()), learned, at_level);
  for (std::size_t i = trail_.size(); at_level > 0; --at_level) {
    do --i;
    while (!is_marked_[atom_of(trail_[i])] || levels_[atom_of(trail_[i])] != level_begins_.size());
    const Atom a = atom_of(trail_[i]);
    is_marked_[a] = 0;
    if (at_level == 1) {
      learned[0] = negation(trail_[i]);
      break;
    }
    mark_literals(reasons_[a], trail_[i], learned, at_level);
  }
  for (std::size_t i = 1; i < learned.size(); ++i) is_marked_[atom_of(learned[i])] = 0;
  if (at_level == 1) keep_learned(std::move(learned));
}

/// Adds a learned clause. As the watches need, its second literal is the one of the rest that was assigned last.
void ClauseTrail::keep_learned(std::vector<Literal> learned) {
  if (learned.size() > 2)
    std::iter_swap(learned.begin() + 1, std::max_element(learned.begin() + 1, learned.end(), [&](Literal a, Literal b) {
                     return levels_[atom_of(a)] < levels_[atom_of(b)];
                   }));
  if (clauses_.size() - model_clauses_ >= max_learned_) forget_half();
  if (learned.size() > 1) pending_ = static_cast<std::uint32_t>(clauses_.size());
  add_clause(std::move(learned));
}

/// Keeps the newer half of the learned clauses, the short ones and those that are reasons.
void ClauseTrail::forget_half() {
  std::vector<char> is_reason(clauses_.size(), 0);
  for (const Literal l : trail_)
    if (reasons_[atom_of(l)] != kNone) is_reason[reasons_[atom_of(l)]] = 1;
  std::vector<std::uint32_t> new_ids(clauses_.size(), kNone);
  const std::size_t newer = model_clauses_ + (clauses_.size() - model_clauses_) / 2;
  std::size_t kept = model_clauses_;
  for (std::size_t c = 0; c < clauses_.size(); ++c) {
    if (c < model_clauses_) {
      new_ids[c] = static_cast<std::uint32_t>(c);
      continue;
    }
    if (c < newer && !is_reason[c] && clauses_[c].size() > 2) continue;
    new_ids[c] = static_cast<std::uint32_t>(kept);
    if (kept != c) clauses_[kept] = std::move(clauses_[c]);
    ++kept;
  }
  clauses_.resize(kept);
  for (std::vector<Watch>& watches : watches_) {
    std::erase_if(watches, [&](const Watch& watch) { return new_ids[watch.clause] == kNone; });
    for (Watch& watch : watches) watch.clause = new_ids[watch.clause];
  }
  for (const Literal l : trail_)
    if (reasons_[atom_of(l)] != kNone) reasons_[atom_of(l)] = new_ids[reasons_[atom_of(l)]];
  max_learned_ = std::max(max_learned_ + max_learned_ / 20, 2 * (kept - model_clauses_));
}

}  // namespace fovea::graph::internal
