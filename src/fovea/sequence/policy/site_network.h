// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Requirements of a network of sites on a model of factors, such as a FactorGraph: its variables with their Markov
/// blankets, and the tables of the factors that hold just one variable, in the log domain.
template <class Graph>
concept FactorModel = requires(const Graph& graph, VariableId v) {
  { graph.variable_count() } -> std::convertible_to<std::size_t>;
  { graph.max_cardinality() } -> std::convertible_to<std::size_t>;
  { graph.cardinality(v) } -> std::convertible_to<std::size_t>;
  graph.markov_blanket(v);
  graph.scope(graph.incidences(v)[0].factor);
  graph.table(graph.incidences(v)[0].factor);
};

/// The structure that learned schedules use of a model, whether label sequences or any factor graph: its instances, the
/// dependences between sites, and the sites that are certain without a look at others. Flat; safe to read from several
/// threads.
class SiteNetwork {
 public:
  /// A site of a blanket. `back` is the index, among all neighbours of all sites, at which that site names this one.
  struct Neighbour {
    VariableId site = 0;
    std::uint32_t back = 0;
  };

  /// Instances are the sequences; pads are sites without neighbours. Keeps no reference.
  explicit SiteNetwork(const LabelSequences& sequences);
  /// Instance i has the variables from instance_ends[i - 1] (0 for the first) up to, but not including,
  /// instance_ends[i]; without ends, there is one instance. No factor may join two instances. `value_count`: the least
  /// value_count(), for policies that serve several models. Keeps no reference.
  template <FactorModel Graph>
  explicit SiteNetwork(const Graph& graph, std::vector<std::size_t> instance_ends = {}, std::size_t value_count = 0);

  std::size_t site_count() const { return certain_.size(); }
  /// The largest number of values of a site, or the number requested if that is larger.
  std::size_t value_count() const { return value_count_; }

  std::size_t instance_count() const { return begin_.size(); }
  std::size_t begin(std::size_t instance) const { return begin_[instance]; }
  std::size_t end(std::size_t instance) const { return end_[instance]; }

  /// The Markov blanket, ascending.
  std::span<const Neighbour> neighbours(VariableId site) const {
    return {neighbours_.data() + neighbour_begin_[site], neighbour_begin_[site + 1] - neighbour_begin_[site]};
  }
  /// Index of the first of them among the neighbours of all sites.
  std::size_t first_neighbour(VariableId site) const { return neighbour_begin_[site]; }
  std::size_t neighbour_count() const { return neighbours_.size(); }

  /// True if the site's own scores alone leave less than 1e-4 nats of entropy, the paper's threshold.
  bool certain(VariableId site) const { return certain_[site] != 0; }

 private:
  void link_back();
  /// Appends a site with these neighbours in ascending order and these scores of its own.
  void add_site(std::span<const VariableId> neighbours, std::span<const float> own_scores);

  std::size_t value_count_ = 0;
  std::vector<std::size_t> begin_, end_;         // [instance]
  std::vector<std::size_t> neighbour_begin_{0};  // [site + 1]
  std::vector<Neighbour> neighbours_;
  std::vector<char> certain_;  // [site]
};

template <FactorModel Graph>
SiteNetwork::SiteNetwork(const Graph& graph, std::vector<std::size_t> instance_ends, std::size_t value_count)
    : value_count_(std::max<std::size_t>(graph.max_cardinality(), value_count)), end_(std::move(instance_ends)) {
  if (end_.empty()) end_.push_back(graph.variable_count());
  begin_.assign(1, 0);
  begin_.insert(begin_.end(), end_.begin(), end_.end() - 1);
  std::vector<float> scores;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    scores.assign(graph.cardinality(v), 0.0f);
    for (const auto& incidence : graph.incidences(v))
      if (graph.scope(incidence.factor).size() == 1)
        for (std::size_t k = 0; k < scores.size(); ++k)
          scores[k] += static_cast<float>(graph.table(incidence.factor)[k]);
    const auto blanket = graph.markov_blanket(v);
    add_site({blanket.begin(), blanket.end()}, scores);
  }
  link_back();
}

}  // namespace fovea::sequence
