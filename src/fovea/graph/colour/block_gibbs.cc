// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/block_gibbs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kLargestBlock = 64;
constexpr std::size_t kMostNodes = 300;  // of an enumeration: more of them leave less time for other blocks

std::uint32_t any(std::size_t count, Random& random) { return random.uniform_index(static_cast<std::uint32_t>(count)); }

}  // namespace

BlockGibbs::BlockGibbs(const FactorGraph& graph)
    : graph_(&graph),
      place_(graph.variable_count(), kNone),
      open_count_(graph.factor_count(), 0),
      ties_(graph.variable_count(), 0) {}

void BlockGibbs::step(Assignment& values, Random& random) {
  choose_block(random);
  open(values);
  const Assignment before = values;
  nodes_ = 0;
  total_ = kImpossible;
  drawn_.resize(block_.size());
  for (std::size_t i = 0; i < block_.size(); ++i) drawn_[i] = before[block_[i]];
  enumerate(0, 0, values, random);
  const bool is_whole = nodes_ < kMostNodes && total_ > kImpossible;
  for (std::size_t i = 0; i < block_.size(); ++i) values[block_[i]] = is_whole ? drawn_[i] : before[block_[i]];
  close();
}

void BlockGibbs::choose_block(Random& random) {
  block_.clear();
  const auto most = static_cast<double>(std::min(graph_->variable_count(), kLargestBlock));
  const auto size = static_cast<std::size_t>(2 * std::pow(most / 2, random.threshold(1.0)) + .5);
  const std::uint32_t growth = random.uniform_index(3);
  add(any(graph_->variable_count(), random));
  for (std::size_t tries = 4 * size; block_.size() < size && tries > 0; --tries) {
    const VariableId next = growth == 0   ? any(graph_->variable_count(), random)
                            : growth == 1 ? any_neighbour(random)
                                          : closest_neighbour(random);
    if (place_[next] == kNone) add(next);
  }
  for (const VariableId v : block_)
    for (const VariableId u : graph_->markov_blanket(v)) ties_[u] = 0;
}

void BlockGibbs::add(VariableId v) {
  place_[v] = static_cast<std::uint32_t>(block_.size());
  block_.push_back(v);
  for (const VariableId u : graph_->markov_blanket(v)) ++ties_[u];
}

/// Random neighbour of a random variable of the block; that variable itself if it has none.
VariableId BlockGibbs::any_neighbour(Random& random) const {
  const VariableId member = block_[any(block_.size(), random)];
  const auto neighbours = graph_->markov_blanket(member);
  return neighbours.empty() ? member : neighbours[any(neighbours.size(), random)];
}

/// Variable outside the block with the most neighbours inside; ties go to the first after a random place. Blocks become
/// rows of a square, or other sets whose variables constrain each other most.
VariableId BlockGibbs::closest_neighbour(Random& random) const {
  VariableId closest = block_[0];
  std::uint32_t most = 0;
  for (std::size_t i = 0, begin = any(block_.size(), random); i < block_.size(); ++i) {
    const auto neighbours = graph_->markov_blanket(block_[(begin + i) % block_.size()]);
    if (neighbours.empty()) continue;
    const std::size_t first = any(neighbours.size(), random);
    for (std::size_t j = 0; j < neighbours.size(); ++j) {
      const VariableId u = neighbours[(first + j) % neighbours.size()];
      if (place_[u] == kNone && ties_[u] > most) {
        most = ties_[u];
        closest = u;
      }
    }
  }
  return closest;
}

/// Takes the block's values away, and scores each of its values by the factors that mention no other variable of the
/// block.
void BlockGibbs::open(const Assignment& values) {
  begin_.assign(1, 0);
  for (const VariableId v : block_) {
    begin_.push_back(begin_.back() + graph_->cardinality(v));
    for (const auto& incidence : graph_->incidences(v)) ++open_count_[incidence.factor];
  }
  levels_.resize(std::max(levels_.size(), block_.size() + 1));
  levels_[0].assign(begin_.back(), 0);
  for (const VariableId v : block_)
    for (const auto& [factor, position] : graph_->incidences(v))
      if (open_count_[factor] == 1) add_slice(factor, position, values, levels_[0]);
}

void BlockGibbs::close() {
  for (const VariableId v : block_) {
    place_[v] = kNone;
    for (const auto& incidence : graph_->incidences(v)) open_count_[incidence.factor] = 0;
  }
}

/// Adds the factor's scores to the values of the only variable of its scope that has none.
void BlockGibbs::add_slice(FactorId factor, std::size_t position, const Assignment& values,
                           std::vector<double>& scores) const {
  const VariableId v = graph_->scope(factor)[position];
  const std::size_t stride = graph_->strides(factor)[position];
  const double* entry = graph_->table(factor).data() + graph_->entry_index(factor, values) - stride * values[v];
  double* score = scores.data() + begin_[place_[v]];
  for (std::size_t k = 0; k < graph_->cardinality(v); ++k) score[k] += entry[k * stride];
}

/// Enumerates depth first. At any time, drawn_ is a draw from the assignments met so far, in proportion to their
/// weights.
void BlockGibbs::enumerate(std::size_t depth, double score, Assignment& values, Random& random) {
  if (++nodes_ >= kMostNodes) return;
  if (depth == block_.size()) {
    total_ = add_logs(total_, score);
    if (!random.bernoulli_log(std::min(score - total_, 0.0))) return;
    for (std::size_t i = 0; i < block_.size(); ++i) drawn_[i] = values[block_[i]];
    return;
  }
  const std::size_t at = most_constrained(levels_[depth]);
  for (std::size_t k = 0; k < begin_[at + 1] - begin_[at] && nodes_ < kMostNodes; ++k) {
    const double gain = levels_[depth][begin_[at] + k];
    if (gain > kImpossible) try_value(depth, at, static_cast<Value>(k), score + gain, values, random);
  }
}

/// Place in the block of the variable with the fewest values left.
std::size_t BlockGibbs::most_constrained(const std::vector<double>& scores) const {
  std::size_t best = block_.size(), fewest = kNone;
  for (std::size_t i = 0; i < block_.size(); ++i) {
    if (place_[block_[i]] == kNone) continue;
    const auto left = static_cast<std::size_t>(std::count_if(
        scores.begin() + static_cast<std::ptrdiff_t>(begin_[i]),
        scores.begin() + static_cast<std::ptrdiff_t>(begin_[i + 1]), [](double s) { return s > kImpossible; }));
    if (left < fewest) {
      fewest = left;
      best = i;
    }
  }
  return best;
}

void BlockGibbs::try_value(std::size_t depth, std::size_t at, Value value, double score, Assignment& values,
                           Random& random) {
  const VariableId v = block_[at];
  values[v] = value;
  place_[v] = kNone;
  levels_[depth + 1] = levels_[depth];
  for (const auto& incidence : graph_->incidences(v)) {
    if (--open_count_[incidence.factor] != 1) continue;
    const auto scope = graph_->scope(incidence.factor);
    const auto last = std::find_if(scope.begin(), scope.end(), [&](VariableId u) { return place_[u] != kNone; });
    add_slice(incidence.factor, static_cast<std::size_t>(last - scope.begin()), values, levels_[depth + 1]);
  }
  enumerate(depth + 1, score, values, random);
  for (const auto& incidence : graph_->incidences(v)) ++open_count_[incidence.factor];
  place_[v] = static_cast<std::uint32_t>(at);
}

}  // namespace fovea::graph
