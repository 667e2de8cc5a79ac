// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/site_network.h"

#include <gtest/gtest.h>

#include "tests/support/random_graphs.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

std::vector<VariableId> sites_of(std::span<const SiteNetwork::Neighbour> neighbours) {
  std::vector<VariableId> sites;
  for (const SiteNetwork::Neighbour& neighbour : neighbours) sites.push_back(neighbour.site);
  return sites;
}

/// Following a link back leads to where it came from.
void expect_links_lead_back(const SiteNetwork& network) {
  std::vector<VariableId> owner(network.neighbour_count());
  for (VariableId v = 0; v < network.site_count(); ++v)
    std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(network.first_neighbour(v)), network.neighbours(v).size(),
                v);
  for (VariableId v = 0; v < network.site_count(); ++v)
    for (const auto& neighbour : network.neighbours(v)) {
      EXPECT_EQ(owner[neighbour.back], neighbour.site);
      const auto& back = network.neighbours(neighbour.site)[neighbour.back - network.first_neighbour(neighbour.site)];
      EXPECT_EQ(back.site, v);
    }
}

TEST(SiteNetworkTest, SequencesHaveTheirBlanketsAndPadsNone) {
  for (int q = 1; q <= 4; ++q) {
    const auto made = testing::random_sequences({.factor_size = q, .lengths = {6, 0, 1, 3}}, 4);
    const LabelSequences& sequences = *made.sequences;
    const SiteNetwork network(sequences);
    ASSERT_EQ(network.site_count(), sequences.position_count());
    EXPECT_EQ(network.value_count(), 3u);
    ASSERT_EQ(network.instance_count(), 4u);
    std::size_t links = 0;
    for (std::size_t s = 0; s < 4; ++s) {
      const auto begin = static_cast<VariableId>(sequences.begin(s));
      EXPECT_EQ(network.begin(s), begin);
      EXPECT_EQ(network.end(s), sequences.end(s));
      for (VariableId p = begin; p < sequences.end(s); ++p) {
        std::vector<VariableId> expected = SequenceView(sequences, s).markov_blanket(p - begin);
        for (VariableId& v : expected) v += begin;
        EXPECT_EQ(sites_of(network.neighbours(p)), expected);
        links += expected.size();
      }
    }
    EXPECT_EQ(network.neighbour_count(), links);
    expect_links_lead_back(network);
  }
}

TEST(SiteNetworkTest, GraphsHaveTheirBlankets) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const graph::FactorGraph graph = testing::random_graph({.variable_count = 9, .factor_count = 8}, seed);
    const SiteNetwork network(graph);
    ASSERT_EQ(network.site_count(), 9u);
    EXPECT_EQ(network.value_count(), graph.max_cardinality());
    for (VariableId v = 0; v < 9; ++v) {
      const auto blanket = graph.markov_blanket(v);
      EXPECT_EQ(sites_of(network.neighbours(v)), std::vector<VariableId>(blanket.begin(), blanket.end()));
    }
    expect_links_lead_back(network);
  }
}

TEST(SiteNetworkTest, CertainSitesAreThoseOfOneValueByTheirOwnScores) {
  graph::FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor(std::vector<VariableId>{0}, std::vector{0.0, 9.0});
  builder.add_factor(std::vector<VariableId>{0}, std::vector{0.0, 9.0});  // 18 nats together
  builder.add_factor(std::vector<VariableId>{1}, std::vector{0.0, 9.0});
  builder.add_factor(std::vector<VariableId>{1, 2}, std::vector{0.0, 50.0, 50.0, 0.0});
  const graph::FactorGraph graph = builder.build();
  const SiteNetwork network(graph, {2, 3}, 5);
  EXPECT_EQ(network.value_count(), 5u);
  EXPECT_TRUE(network.certain(0));
  EXPECT_FALSE(network.certain(1));
  EXPECT_FALSE(network.certain(2));
  ASSERT_EQ(network.instance_count(), 2u);
  EXPECT_EQ(network.begin(1), 2u);
  EXPECT_EQ(network.end(1), 3u);
}

}  // namespace
}  // namespace fovea::sequence
