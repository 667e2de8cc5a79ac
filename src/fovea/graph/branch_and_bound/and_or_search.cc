// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/and_or_search.h"

#include <algorithm>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::uint64_t kStepsPerLook = 256;  // at the clock

/// The finaliser of SplitMix64 (Steele, Lea & Flood, 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

SubproblemKey numbered_key(std::uint64_t number) {
  return {.place = mix(2 * number * 0x9e3779b97f4a7c15ULL + 1),
          .check = mix(mix((2 * number + 1) ^ 0x6a09e667f3bcc908ULL))};
}

}  // namespace

AndOrSearch::AndOrSearch(const PseudoTree& tree, const SubproblemBounds& bounds, BoundCache& cache,
                         double overestimation, double tolerance)
    : tree_(&tree),
      bounds_(&bounds),
      cache_(&cache),
      overestimation_(overestimation),
      tolerance_(tolerance),
      values_(tree.root() + std::size_t{1}, 0) {
  std::uint64_t number = 0;
  for (VariableId v = 0; v <= tree.root(); ++v) {
    variable_keys_.push_back(numbered_key(number++));
    pair_begin_.push_back(pair_keys_.size());
    for (std::size_t k = 0; k < tree.cardinalities()[v]; ++k) pair_keys_.push_back(numbered_key(number++));
  }
}

SubproblemKey AndOrSearch::context_key(VariableId v, VariableId without) const {
  SubproblemKey key = variable_keys_[v];
  if (v == tree_->root()) return key;
  for (const VariableId above : tree_->context(v))
    if (above != without) key.toggle(pair_key(above, values_[above]));
  return key;
}

void AndOrSearch::start(VariableId v, double threshold) { open(v, threshold, context_key(v, v)); }

void AndOrSearch::open(VariableId v, double threshold, const SubproblemKey& key) {
  const std::size_t cardinality = tree_->cardinalities()[v];
  const auto children = tree_->children(v);
  const Frame frame{.variable = v,
                    .threshold = threshold,
                    .key = key,
                    .start_count = node_count_++,
                    .doubles = doubles_.size(),
                    .flags = flags_.size(),
                    .keys = keys_.size()};
  doubles_.resize(frame.doubles + (2 + children.size()) * cardinality);
  flags_.resize(frame.flags + (1 + children.size()) * cardinality, 0);
  bounds_->own_scores(v, values_, std::span(doubles_).subspan(frame.doubles, cardinality));
  for (std::size_t c = 0; c < children.size(); ++c) {
    bounds_->child_bounds(children[c], values_, std::span(child_bounds(frame, c), cardinality));
    keys_.push_back(context_key(children[c], v));
  }
  for (std::size_t k = 0; k < cardinality; ++k) add_up(frame, static_cast<Value>(k));
  frames_.push_back(frame);
}

void AndOrSearch::add_up(const Frame& frame, Value k) {
  double bound = doubles_[frame.doubles + k];
  for (std::size_t c = 0; c < tree_->children(frame.variable).size(); ++c) bound += child_bounds(frame, c)[k];
  doubles_[frame.doubles + cardinality(frame) + k] = bound;
}

void AndOrSearch::ask_cache(const Frame& frame, Value k) {
  flags_[frame.flags + k] = 1;
  for (std::size_t c = 0; c < tree_->children(frame.variable).size(); ++c) {
    SubproblemKey key = keys_[frame.keys + c];
    if (frame.variable != tree_->root()) key.toggle(pair_key(frame.variable, k));
    const BoundCache::Entry* const known = cache_->find(key);
    if (!known) continue;
    double& bound = child_bounds(frame, c)[k];
    bound = known->is_solved ? known->bound : std::min(bound, known->bound);
    child_flags(frame, c)[k] = static_cast<char>(known->is_solved);
  }
  add_up(frame, k);
}

AndOrSearch::Ranking AndOrSearch::rank(const Frame& frame) const {
  const double* const bounds = value_bounds(frame);
  Ranking ranking{.best = 0, .first = bounds[0], .second = kImpossible};
  for (std::size_t k = 1; k < cardinality(frame); ++k)
    if (bounds[k] > ranking.first) {
      ranking = {.best = static_cast<Value>(k), .first = bounds[k], .second = ranking.first};
    } else {
      ranking.second = std::max(ranking.second, bounds[k]);
    }
  return ranking;
}

bool AndOrSearch::is_solved(const Frame& frame, Value k) {
  if (!flags_[frame.flags + k]) return false;
  for (std::size_t c = 0; c < tree_->children(frame.variable).size(); ++c)
    if (!child_flags(frame, c)[k]) return false;
  return true;
}

bool AndOrSearch::advance(std::uint64_t max_nodes, const Stop& stop) {
  std::uint64_t steps = 0;
  while (!frames_.empty()) {
    if (node_count_ >= max_nodes || (++steps % kStepsPerLook == 0 && stop.requested())) return false;
    step();
  }
  return true;
}

void AndOrSearch::step() {
  Frame& frame = frames_.back();
  const Ranking ranking = rank(frame);
  if (ranking.first <= frame.threshold + tolerance_) return close(ranking);
  if (!flags_[frame.flags + ranking.best]) return ask_cache(frame, ranking.best);
  if (is_solved(frame, ranking.best)) return close(ranking);
  frame.child = 0;
  while (child_flags(frame, frame.child)[ranking.best]) ++frame.child;
  values_[frame.variable] = ranking.best;
  const double floor = std::max(frame.threshold, ranking.second - overestimation_);
  const double elsewhere = ranking.first - child_bounds(frame, frame.child)[ranking.best];
  SubproblemKey key = keys_[frame.keys + frame.child];
  if (frame.variable != tree_->root()) key.toggle(pair_key(frame.variable, ranking.best));
  open(tree_->children(frame.variable)[frame.child], floor - elsewhere, key);
}

void AndOrSearch::close(const Ranking& ranking) {
  const Frame frame = frames_.back();
  const bool solved = ranking.first == kImpossible || is_solved(frame, ranking.best);
  cache_->store(frame.key, ranking.first, solved, node_count_ - frame.start_count);
  result_ = {.bound = ranking.first, .is_solved = solved, .value = ranking.best};
  frames_.pop_back();
  doubles_.resize(frame.doubles);
  flags_.resize(frame.flags);
  keys_.resize(frame.keys);
  if (frames_.empty()) return;
  const Frame& parent = frames_.back();
  const Value k = values_[parent.variable];
  double& bound = child_bounds(parent, parent.child)[k];
  bound = solved ? ranking.first : std::min(bound, ranking.first);
  child_flags(parent, parent.child)[k] = static_cast<char>(solved);
  add_up(parent, k);
}

double AndOrSearch::bound() const {
  if (frames_.empty()) return result_.bound;
  double below = rank(frames_.back()).first;
  for (std::size_t i = frames_.size() - 1; i-- > 0;) {
    const Frame& frame = frames_[i];
    const Value searched = values_[frame.variable];
    const double* const bounds = value_bounds(frame);
    const double before = bounds[(1 + frame.child) * cardinality(frame) + searched];
    double highest = bounds[searched] - before + std::min(before, below);
    for (std::size_t k = 0; k < cardinality(frame); ++k)
      if (k != searched) highest = std::max(highest, bounds[k]);
    below = highest;
  }
  return below;
}

AndOrSearch::Result AndOrSearch::finish() {
  while (!frames_.empty()) close(rank(frames_.back()));
  return result_;
}

AndOrSearch::Result AndOrSearch::look(VariableId v) {
  open(v, kImpossible, context_key(v, v));
  for (std::size_t k = 0; k < tree_->cardinalities()[v]; ++k) ask_cache(frames_.back(), static_cast<Value>(k));
  return finish();
}

}  // namespace fovea::graph
