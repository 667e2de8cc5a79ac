// SPDX-License-Identifier: Apache-2.0
#include "fovea/policy/site_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea {
namespace {

constexpr float kCertainEntropy = 1e-4f;  // nats

float softmax_entropy(std::span<const float> scores) {
  const float best = *std::max_element(scores.begin(), scores.end());
  if (!(best > -std::numeric_limits<float>::infinity())) return 0;
  float total = 0, mean = 0;
  for (const float s : scores) {
    const float weight = std::exp(s - best);
    total += weight;
    if (weight > 0) mean += weight * (s - best);
  }
  return std::log(total) - mean / total;
}

/// The sum of v's factors that hold no other variable.
void add_unary_scores(const FactorGraph& graph, VariableId v, std::span<float> scores) {
  std::fill(scores.begin(), scores.end(), 0.0f);
  for (const FactorGraph::Incidence& incidence : graph.incidences(v))
    if (graph.scope(incidence.factor).size() == 1)
      for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += static_cast<float>(graph.table(incidence.factor)[k]);
}

}  // namespace

SiteNetwork::SiteNetwork(const Chains& chains)
    : value_count_(static_cast<std::size_t>(chains.ngrams().label_count())), certain_(chains.position_count()) {
  const std::ptrdiff_t reach = chains.ngrams().order();
  const auto skip_to = [&](std::size_t position) { neighbour_begin_.resize(position + 1, neighbours_.size()); };
  for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
    begin_.push_back(chains.begin(s));
    end_.push_back(chains.end(s));
    skip_to(chains.begin(s));
    for (std::size_t p = chains.begin(s); p < chains.end(s); ++p) {
      const auto first = std::max(static_cast<std::ptrdiff_t>(chains.begin(s)), static_cast<std::ptrdiff_t>(p) - reach);
      const auto last =
          std::min(static_cast<std::ptrdiff_t>(chains.end(s)) - 1, static_cast<std::ptrdiff_t>(p) + reach);
      for (std::ptrdiff_t n = first; n <= last; ++n)
        if (n != static_cast<std::ptrdiff_t>(p)) neighbours_.push_back({.site = static_cast<VariableId>(n)});
      neighbour_begin_.push_back(neighbours_.size());
      certain_[p] = softmax_entropy({chains.unary(p), value_count_}) < kCertainEntropy;
    }
  }
  skip_to(chains.position_count());
  link_back();
}

SiteNetwork::SiteNetwork(const FactorGraph& graph, std::vector<std::size_t> instance_ends, std::size_t value_count)
    : value_count_(std::max(graph.max_cardinality(), value_count)),
      end_(std::move(instance_ends)),
      certain_(graph.variable_count()) {
  if (end_.empty()) end_.push_back(graph.variable_count());
  begin_.assign(1, 0);
  begin_.insert(begin_.end(), end_.begin(), end_.end() - 1);
  std::vector<float> scores;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    for (const VariableId n : graph.markov_blanket(v)) neighbours_.push_back({.site = n});
    neighbour_begin_.push_back(neighbours_.size());
    scores.resize(graph.cardinality(v));
    add_unary_scores(graph, v, scores);
    certain_[v] = softmax_entropy(scores) < kCertainEntropy;
  }
  link_back();
}

// Sites come in ascending order, and so do they in the lists of others: the k-th to arrive at a list is its k-th entry.
void SiteNetwork::link_back() {
  std::vector<std::size_t> next(neighbour_begin_.begin(), neighbour_begin_.end() - 1);
  for (std::size_t site = 0; site < site_count(); ++site)
    for (std::size_t i = neighbour_begin_[site]; i < neighbour_begin_[site + 1]; ++i)
      neighbours_[i].back = static_cast<std::uint32_t>(next[neighbours_[i].site]++);
}

}  // namespace fovea
