// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/forest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/infinity.h"

namespace fovea {
namespace {

/// A leaf keeps the last so many examples, from which it may be split.
constexpr std::size_t kMostKept = 512;
/// A leaf is split into two that have at least this many times as many examples as features.
constexpr std::size_t kExamplesPerFeature = 5;

}  // namespace

Forest::Forest(const ForestOptions& options, ForestResidual residual, const Random& random)
    : options_(options), residual_(std::move(residual)) {
  validate(options);
  for (int t = 0; t < options.trees; ++t)
    trees_.push_back({.random = random.child("tree", static_cast<std::uint64_t>(t)), .nodes = {}, .leaves = {}});
}

void Forest::add(const ForestExample& example) {
  for (Tree& tree : trees_) {
    if (tree.nodes.empty()) {
      tree.nodes.push_back({.right = 0});
      tree.leaves.push_back(new_leaf(example));
    }
    const std::uint64_t copies = examples_ == 0 ? 1 : tree.random.poisson(1);
    for (std::uint64_t copy = 0; copy < copies; ++copy) add_to(tree, example);
  }
  ++examples_;
}

std::size_t Forest::leaf_count() const {
  std::size_t count = 0;
  for (const Tree& tree : trees_) count += tree.leaves.size();
  return count;
}

bool Forest::predict(std::size_t number, std::span<const double> tree_features, std::span<const double> features,
                     Vote& vote) const {
  const Tree& tree = trees_[number];
  if (tree.nodes.empty()) return false;
  const RecursiveLeastSquares& regression = tree.leaves[leaf_of(tree, tree_features)].regression;
  if (regression.examples() == 0) return false;
  regression.predict(features, vote.predicted);
  vote.leverage = regression.leverage(features);
  return true;
}

std::size_t Forest::leaf_of(const Tree& tree, std::span<const double> features, std::size_t* node) const {
  std::size_t at = 0;
  while (tree.nodes[at].left >= 0) {
    const Node& split = tree.nodes[at];
    at = static_cast<std::size_t>(features[split.feature] <= split.threshold ? split.left : split.right);
  }
  if (node) *node = at;
  return static_cast<std::size_t>(tree.nodes[at].right);
}

Forest::Leaf Forest::new_leaf(const ForestExample& like) const {
  const std::size_t features = like.features.size();
  return {.regression = RecursiveLeastSquares(features, like.target.size(), options_.ridge),
          .examples = {},
          .next_split = 2 * kExamplesPerFeature * features};
}

void Forest::add_to(Tree& tree, const ForestExample& example) {
  std::size_t node = 0;
  Leaf& leaf = tree.leaves[leaf_of(tree, example.tree, &node)];
  leaf.regression.add(example.features, example.target);
  if (leaf.examples.size() < kMostKept) leaf.examples.push_back(example);
  else leaf.examples[leaf.regression.examples() % kMostKept] = example;
  if (leaf.examples.size() >= leaf.next_split) try_split(tree, node);
}

/// Equation (5): the best of some random splits, if it is good enough; else not again until twice as much is known.
void Forest::try_split(Tree& tree, std::size_t node) {
  const auto number = static_cast<std::size_t>(tree.nodes[node].right);
  Leaf& leaf = tree.leaves[number];
  std::vector<const ForestExample*> all;
  for (const ForestExample& example : leaf.examples) all.push_back(&example);
  Split best = {.residual = residual_of(all) * (1 - options_.split_gain)};
  bool is_found = false;
  for (int candidate = 0; candidate < options_.candidates; ++candidate) {
    const Split split = random_split(leaf, tree.random);
    if (!(split.residual < best.residual)) continue;
    best = split;
    is_found = true;
  }
  leaf.next_split = std::min(2 * leaf.examples.size(), kMostKept + 1);
  if (!is_found) return;
  const std::vector<ForestExample> examples = std::move(leaf.examples);
  leaf = new_leaf(examples[0]);
  tree.leaves.push_back(new_leaf(examples[0]));
  const auto left = static_cast<std::int32_t>(tree.nodes.size());
  tree.nodes.push_back({.right = static_cast<std::int32_t>(number)});
  tree.nodes.push_back({.right = static_cast<std::int32_t>(tree.leaves.size() - 1)});
  tree.nodes[node] = {.feature = best.feature, .threshold = best.threshold, .left = left, .right = left + 1};
  for (const ForestExample& example : examples) {
    Leaf& child = tree.leaves[leaf_of(tree, example.tree)];
    child.regression.add(example.features, example.target);
    child.examples.push_back(example);
  }
}

Forest::Split Forest::random_split(const Leaf& leaf, Random& random) const {
  const auto count = static_cast<std::uint32_t>(leaf.examples.size());
  Split split;
  split.feature = random.uniform_index(static_cast<std::uint32_t>(leaf.examples[0].tree.size()));
  split.threshold = leaf.examples[random.uniform_index(count)].tree[split.feature];
  std::vector<const ForestExample*> left, right;
  for (const ForestExample& example : leaf.examples)
    (example.tree[split.feature] <= split.threshold ? left : right).push_back(&example);
  const std::size_t least = kExamplesPerFeature * leaf.regression.features();
  split.residual = std::min(left.size(), right.size()) < least ? kInfinity : residual_of(left) + residual_of(right);
  return split;
}

/// Equation (6), where each example is predicted by a regression on the others: its residual over 1 - leverage.
double Forest::residual_of(std::span<const ForestExample* const> examples) const {
  RecursiveLeastSquares regression(examples[0]->features.size(), examples[0]->target.size(), options_.ridge);
  for (const ForestExample* example : examples) regression.add(example->features, example->target);
  double sum = 0;
  std::vector<double> predicted(regression.outputs());
  for (const ForestExample* example : examples) {
    regression.predict(example->features, predicted);
    const double kept = std::max(1e-6, 1 - regression.leverage(example->features));
    for (std::size_t k = 0; k < predicted.size(); ++k)
      predicted[k] = example->target[k] - (example->target[k] - predicted[k]) / kept;
    sum += residual_(example->target, predicted);
  }
  return sum;
}

}  // namespace fovea
