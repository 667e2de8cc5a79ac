// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/count/clause_probing.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace fovea::graph::internal {
namespace {

constexpr std::size_t kMaxCandidates = 10;

}  // namespace

ClauseProbing::ClauseProbing(const ClauseIndex& index, ClauseTrail& trail)
    : index_(index), trail_(trail), collected_(index.clauses_of.size(), 0) {}

bool ClauseProbing::probe_all(const Stop& stop) {
  for (Literal l = 0; l < collected_.size() && !stop.requested(); ++l)
    if (!probe(l)) return false;
  return true;
}

bool ClauseProbing::probe_last_level() {
  ++stamp_;
  for (std::size_t done = 0; done < trail_.last_level().size();) {
    candidates_.clear();
    for (; done < trail_.last_level().size(); ++done) collect(negation(trail_.last_level()[done]));
    keep_most_active();
    for (const Literal l : candidates_)
      if (!probe(l)) return false;
  }
  return true;
}

void ClauseProbing::collect(Literal false_literal) {
  for (const std::uint32_t c : index_.clauses_of[false_literal]) collect_from(c);
}

void ClauseProbing::collect_from(std::uint32_t clause) {
  std::array<Literal, 2> open = {};
  std::size_t count = 0;
  for (const Literal l : index_.literals[clause]) {
    if (trail_.is_true(l)) return;
    if (trail_.is_true(negation(l))) continue;
    if (count == open.size()) return;
    open[count++] = l;
  }
  for (const Literal l : std::span(open).first(count))
    if (std::exchange(collected_[negation(l)], stamp_) != stamp_) candidates_.push_back(negation(l));
}

void ClauseProbing::keep_most_active() {
  if (candidates_.size() <= kMaxCandidates) return;
  const auto is_more_active = [&](Literal a, Literal b) {
    const double activity_of_a = trail_.activity(atom_of(a)), activity_of_b = trail_.activity(atom_of(b));
    return activity_of_a > activity_of_b || (activity_of_a == activity_of_b && a < b);
  };
  std::partial_sort(candidates_.begin(), candidates_.begin() + kMaxCandidates, candidates_.end(), is_more_active);
  candidates_.resize(kMaxCandidates);
}

bool ClauseProbing::probe(Literal l) {
  if (!trail_.is_open(atom_of(l))) return true;
  const bool holds = trail_.decide(l);
  trail_.retract();
  return holds || trail_.adopt_learned();
}

}  // namespace fovea::graph::internal
