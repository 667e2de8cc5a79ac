// SPDX-License-Identifier: Apache-2.0
// Every kernel can be given restarts: long runs of the chain and exact draws have the same law.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>

#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/graph/colour/graph_gibbs.h"
#include "fovea/graph/grid/checkerboard_kernel.h"
#include "fovea/graph/temper/tempered_chain.h"
#include "fovea/linkage/clustering/clustering_kernel.h"
#include "fovea/mcmc/gibbs.h"
#include "fovea/mcmc/restart/restart_kernel.h"
#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/partition_chains.h"
#include "tests/support/random_graphs.h"
#include "tests/support/random_grid.h"
#include "tests/support/random_sequences.h"

namespace fovea {
namespace {

/// A kernel that holds its model and state.
struct RestartedKernel {
  const char* name;
  std::function<void(Random&)> restart, step;
  std::function<double()> figure;  ///< a figure of the state
};

void PrintTo(const RestartedKernel& kernel, std::ostream* out) { *out << kernel.name; }

Random stream_of(Random& random) { return Random(random.uniform_index(1U << 31)); }

void toss(Assignment& values, Random& random) {
  for (Value& value : values) value = static_cast<Value>(random.uniform_index(3));
}

double share_of_ones(const Assignment& values) {
  return static_cast<double>(std::count(values.begin(), values.end(), 1)) / static_cast<double>(values.size());
}

std::vector<VariableId> all_of(std::size_t count) {
  std::vector<VariableId> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

/// The positions of all tokens. The pads between the sequences are not variables.
std::vector<VariableId> tokens_of(const sequence::LabelSequences& sequences) {
  std::vector<VariableId> order;
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t position = sequences.begin(s); position < sequences.end(s); ++position)
      order.push_back(static_cast<VariableId>(position));
  return order;
}

/// A kernel whose step visits the variables of `order`, of three values each; others in `start` stay as they are.
template <class Kernel, class Model>
RestartedKernel visiting(const char* name, std::shared_ptr<Model> model, const Assignment& start,
                         const std::vector<VariableId>& order) {
  const auto values = std::make_shared<Assignment>(start);
  const auto kernel = std::make_shared<Kernel>(*model);
  return {.name = name,
          .restart =
              [values, order](Random& random) {
                for (const VariableId v : order) (*values)[v] = static_cast<Value>(random.uniform_index(3));
              },
          .step = [values, kernel, model, order](Random& random) { kernel->step(*values, order, random); },
          .figure = [values] { return share_of_ones(*values); }};
}

/// A kernel of chains with their own state and stream; a restart makes a new chain.
template <class Make>
RestartedKernel sweeping(const char* name, std::size_t variables, Make make) {
  using Chain = decltype(make(Assignment(), Random(1)));
  const auto chain = std::make_shared<std::optional<Chain>>();
  return {.name = name,
          .restart =
              [chain, variables, make](Random& random) {
                Assignment start(variables);
                toss(start, random);
                chain->emplace(make(std::move(start), stream_of(random)));
              },
          .step = [chain](Random&) { (*chain)->sweep(); },
          .figure = [chain] { return share_of_ones((*chain)->values()); }};
}

RestartedKernel clustering() {
  using Pairs = fovea::testing::PairTable;
  const auto model = std::make_shared<Pairs>(6, 1.5);
  const auto state = std::make_shared<std::optional<linkage::PairClustering<Pairs>>>();
  return {.name = "ClusteringKernel",
          .restart = [model, state](Random&) { state->emplace(*model, linkage::Partition(6)); },
          .step =
              [state](Random& random) {
                linkage::ClusteringKernel(linkage::CompanionProposal(.2), mcmc::ExactRule(), .3).step(**state, random);
              },
          .figure =
              [state] {
                const auto entities = fovea::testing::canonical((*state)->partition().clusters());
                return static_cast<double>(std::count(entities.begin(), entities.end(), entities[0]));
              }};
}

RestartedKernel checkerboard() {
  const auto model =
      std::make_shared<graph::GridModel>(fovea::testing::random_grid(graph::GridShape{.rows = 3, .columns = 4}, 3, 5));
  const auto sampler = std::make_shared<std::optional<graph::CheckerboardSampler>>();
  return {.name = "CheckerboardSampler",
          .restart =
              [model, sampler](Random& random) {
                Assignment start(12);
                toss(start, random);
                sampler->emplace(*model, stream_of(random));
                (*sampler)->assign(start);
              },
          .step = [sampler](Random&) { (*sampler)->sweep(); },
          .figure = [sampler] { return share_of_ones((*sampler)->labels()); }};
}

std::vector<RestartedKernel> kernels() {
  const auto graph = std::make_shared<graph::FactorGraph>(fovea::testing::random_grid(3, 3, 3, 4));
  const auto sequences = std::make_shared<fovea::testing::RandomSequences>(
      fovea::testing::random_sequences({.factor_size = 3, .lengths = {6, 3}}, 2));
  const std::shared_ptr<const sequence::LabelSequences> tagged(sequences, sequences->sequences.get());
  const auto gibbs = std::make_shared<const graph::ColourGibbs>(graph::ColourGibbs::build(*graph).value());
  const auto tables = std::make_shared<const graph::SoftTables>(graph::SoftTables::build(*graph, 3).value());
  const Assignment blank = tagged->make_labeling();
  const std::vector<VariableId> tokens = tokens_of(*tagged);
  return {visiting<graph::GraphGibbs>("GraphGibbs", graph, Assignment(9), all_of(9)),
          visiting<sequence::SequenceGibbs>("ChainGibbs", tagged, blank, tokens),
          visiting<sequence::SequenceIcm>("ChainIcm", tagged, blank,
                                          tokens),  // without a law of its own: restarts give it one
          sweeping("ColourChain", 9,
                   [graph, gibbs](Assignment start, const Random& random) {
                     return graph::ColourChain(*gibbs, std::move(start), random);
                   }),
          sweeping("TemperedChain", 9,
                   [graph, tables](Assignment start, const Random& random) {
                     return graph::TemperedChain(*tables, {1, .5}, std::move(start), random);
                   }),
          clustering(),
          checkerboard()};
}

struct Estimate {
  double mean = 0, error = 0;
};

Estimate estimate_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .error = std::sqrt(squares / (n - 1) / n)};
}

class RestartedKernels : public ::testing::TestWithParam<RestartedKernel> {
 protected:
  static constexpr double kEpsilon = .2;
  static constexpr int kDraws = 4000, kBatches = 200, kBatch = 100;

  /// The kernel itself holds the state.
  auto restarted() const {
    const auto& kernel = GetParam();
    return mcmc::with_restarts([&](auto&, Random& random) { kernel.step(random); },
                               [&](auto&, Random& random) { kernel.restart(random); }, kEpsilon);
  }
};

INSTANTIATE_TEST_SUITE_P(All, RestartedKernels, ::testing::ValuesIn(kernels()));

TEST_P(RestartedKernels, LongRunsAndExactDrawsHaveOneLaw) {
  Random random(7);
  auto kernel = restarted();
  int none = 0;
  std::vector<double> drawn, restarts, batches(kBatches);
  for (int i = 0; i < kDraws; ++i) {
    kernel.draw(none, random);
    drawn.push_back(GetParam().figure());
    GetParam().restart(random);
    restarts.push_back(GetParam().figure());
  }
  for (int i = 0; i < kBatches * kBatch; ++i) {
    kernel.step(none, random);
    batches[static_cast<std::size_t>(i / kBatch)] += GetParam().figure() / kBatch;
  }
  const Estimate exact = estimate_of(drawn), run = estimate_of(batches), u = estimate_of(restarts);
  // 5 standard errors give each a false failure in 2e6 runs.
  EXPECT_NEAR(exact.mean, run.mean, 5 * std::hypot(exact.error, run.error));
  EXPECT_GT(std::abs(exact.mean - u.mean), 5 * std::hypot(exact.error, u.error)) << "steps change nothing";
}

}  // namespace
}  // namespace fovea
