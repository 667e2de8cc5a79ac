// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/block_elimination.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::graph {

void BlockElimination::clear() {
  bags_.clear();
  scopes_.clear();
  entries_.clear();
}

bool BlockElimination::fits(std::span<const Place> parents) const {
  if (parents.empty()) return true;
  const std::span<const Place> of_latest = scope(parents.back());
  return std::ranges::includes(of_latest, parents);
}

BlockElimination::Place BlockElimination::add(std::size_t cardinality, std::span<const Place> parents) {
  Bag bag{.table = entries_.size(),
          .scope = scopes_.size(),
          .entries = cardinality,
          .scope_size = static_cast<std::uint32_t>(parents.size() + 1),
          .cardinality = static_cast<std::uint32_t>(cardinality)};
  for (const Place parent : parents) bag.entries *= bags_[parent].cardinality;
  scopes_.insert(scopes_.end(), parents.begin(), parents.end());
  scopes_.push_back(static_cast<Place>(bags_.size()));
  entries_.resize(entries_.size() + bag.entries, 0);
  bags_.push_back(bag);
  return scopes_.back();
}

void BlockElimination::add_scores(Place p, const double* source, std::span<const std::size_t> strides,
                                  double impossible) {
  const Bag& bag = bags_[p];
  const std::size_t parents = bag.scope_size - 1, step = strides[parents];
  counter_.assign(parents, 0);
  double* row = entries_.data() + bag.table;
  for (const double* const end = row + bag.entries;;) {
    for (std::size_t k = 0; k < bag.cardinality; ++k) {
      const double score = source[k * step];
      row[k] += score == kImpossible ? impossible : score;
    }
    if ((row += bag.cardinality) == end) return;
    for (std::size_t d = parents; d-- > 0;) {
      source += strides[d];
      const std::uint32_t cardinality = bags_[scopes_[bag.scope + d]].cardinality;
      if (++counter_[d] < cardinality) break;
      source -= strides[d] * cardinality;
      counter_[d] = 0;
    }
  }
}

void BlockElimination::scale(Place p, double factor) {
  const Bag& bag = bags_[p];
  for (std::size_t i = 0; i < bag.entries; ++i) entries_[bag.table + i] *= factor;
}

template <class Reduce>
void BlockElimination::eliminate(const Reduce& reduce) {
  for (auto p = static_cast<Place>(bags_.size()); p-- > 0;) {
    const Bag& bag = bags_[p];
    if (bag.scope_size == 1) continue;
    message_.clear();
    for (std::size_t i = 0; i < bag.entries; i += bag.cardinality)
      message_.push_back(reduce(std::span<const double>(entries_.data() + bag.table + i, bag.cardinality)));
    send_message(p);
  }
}

void BlockElimination::eliminate_by_maximum() {
  eliminate([](std::span<const double> scores) { return *std::ranges::max_element(scores); });
}

void BlockElimination::eliminate_by_sum() { eliminate(log_sum); }

/// Adds the message, which lies over parents(p) with the latest fastest, to the table of the latest.
void BlockElimination::send_message(Place p) {
  const std::span<const Place> from = parents(p);
  const Place to = from.back();
  const std::span<const Place> target = scope(to);
  strides_.assign(target.size(), 0);
  std::size_t stride = 1, at = target.size();
  for (std::size_t i = from.size(); i-- > 0; stride *= bags_[from[i]].cardinality) {
    while (target[--at] != from[i]) continue;
    strides_[at] = stride;
  }
  add_scores(to, message_.data(), strides_, kImpossible);
}

std::span<const double> BlockElimination::row(Place p, std::span<const Value> values) const {
  const Bag& bag = bags_[p];
  std::size_t index = 0;
  for (const Place parent : parents(p)) index = index * bags_[parent].cardinality + values[parent];
  return {entries_.data() + bag.table + index * bag.cardinality, bag.cardinality};
}

}  // namespace fovea::graph
