// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/forest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::regress {
namespace {

/// Number of latest examples that a leaf keeps, from which it may be split.
constexpr std::size_t kMostKept = 512;
/// Each half of a split has at least this many examples, and at least this many per monomial.
constexpr double kLeastExamples = 10, kExamplesPerMonomial = 1.3;
/// A leaf that was not split may be split once the examples it has seen have grown by this factor.
constexpr double kGrowth = 1.3;

std::size_t next_split(std::size_t seen) { return static_cast<std::size_t>(kGrowth * static_cast<double>(seen)); }

std::size_t least_examples(const PolynomialRegression& regression) {
  return static_cast<std::size_t>(
      std::max(kLeastExamples, kExamplesPerMonomial * static_cast<double>(regression.monomials())));
}

/// The examples on one side of a threshold.
template <class Examples>
Examples side_of(const Examples& examples, std::uint32_t feature, double threshold, bool is_left) {
  Examples side;
  for (const auto& example : examples)
    if ((example->tree[feature] <= threshold) == is_left) side.push_back(example);
  return side;
}

/// The features that are not the same in all examples.
template <class Examples>
std::vector<std::uint32_t> varying_features(const Examples& examples) {
  std::vector<std::uint32_t> varying;
  for (std::uint32_t feature = 0; feature < examples[0]->tree.size(); ++feature)
    for (const auto& example : examples)
      if (example->tree[feature] != examples[0]->tree[feature]) {
        varying.push_back(feature);
        break;
      }
  return varying;
}

}  // namespace

Forest::Forest(const ForestOptions& options, RegressionResidual residual, const Random& random,
               std::size_t major_inputs)
    : options_(options), residual_(std::move(residual)), major_inputs_(major_inputs) {
  validate(options);
  for (int t = 0; t < options.trees; ++t)
    trees_.push_back({.random = random.child("tree", static_cast<std::uint64_t>(t)), .nodes = {}, .leaves = {}});
}

void Forest::add(const RegressionExample& example) {
  const auto shared = std::make_shared<const RegressionExample>(example);
  for (Tree& tree : trees_) {
    if (tree.nodes.empty()) {
      tree.nodes.push_back({.right = 0});
      tree.leaves.push_back(leaf_of({shared}, fit({shared})));
      continue;
    }
    for (std::uint64_t copies = tree.random.poisson(1); copies > 0; --copies) add_to(tree, shared);
  }
}

std::size_t Forest::leaf_count() const {
  std::size_t count = 0;
  for (const Tree& tree : trees_) count += tree.leaves.size();
  return count;
}

void Forest::predict(std::span<const double> features, std::span<const double> inputs, Votes& votes) const {
  const bool is_empty = trees_[0].nodes.empty();
  votes.clear(is_empty ? 0 : trees_[0].leaves[0].examples[0]->target.size());
  if (is_empty) return;
  for (const Tree& tree : trees_) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(tree.nodes[leaf_node(tree, features)].right)];
    votes.set_doubt(leaf.expected.doubt(leaf.regression.predict(inputs, votes.add())));
  }
}

std::size_t Forest::leaf_node(const Tree& tree, std::span<const double> features) {
  std::size_t at = 0;
  while (tree.nodes[at].left >= 0) {
    const Node& split = tree.nodes[at];
    at = static_cast<std::size_t>(features[split.feature] <= split.threshold ? split.left : split.right);
  }
  return at;
}

void Forest::add_to(Tree& tree, const Examples::value_type& example) {
  const std::size_t node = leaf_node(tree, example->tree);
  Leaf& leaf = tree.leaves[static_cast<std::size_t>(tree.nodes[node].right)];
  const bool is_known = leaf.regression.knows(example->inputs);
  if (is_known) observe(leaf, *example);
  if (leaf.examples.size() < kMostKept) leaf.examples.push_back(example);
  else leaf.examples[leaf.seen % kMostKept] = example;
  ++leaf.seen;
  if (leaf.seen >= leaf.next_split) learn_again(tree, node);
  else if (!is_known) leaf = leaf_of(leaf.examples, fit(leaf.examples));
}

void Forest::observe(Leaf& leaf, const RegressionExample& example) const {
  std::vector<double> predicted(example.target.size());
  const double leverage = leaf.regression.predict(example.inputs, predicted);
  leaf.expected.observe(residual_(example, predicted), example.chance, leverage, 1 + leaf.seen);
  leaf.regression.add(example.inputs, example.target);
}

/// Equation (6), where each example is predicted by a regression on the others: its error divided by 1 - leverage.
Forest::Fit Forest::fit(const Examples& examples) const {
  std::vector<const RegressionExample*> pointers;
  for (const auto& example : examples) pointers.push_back(example.get());
  RecursiveLeastSquares::InSample with;
  Fit result = {.regression = PolynomialRegression(pointers, major_inputs_, options_.degree, options_.ridge, with)};
  const std::size_t outputs = examples[0]->target.size();
  std::vector<double> without(outputs);
  double told = 0, expected = 0, chance = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const RegressionExample& example = *examples[i];
    const double kept = std::max(1e-6, 1 - with.leverage[i]);
    for (std::size_t k = 0; k < outputs; ++k)
      without[k] = example.target[k] - (example.target[k] - with.predicted[i * outputs + k]) / kept;
    const double residual = residual_(example, without);
    result.sum += residual;
    if (kept < .5) continue;
    expected += residual * kept;
    chance += example.chance;
    ++told;
  }
  if (told > 0) result.expected = {.residual = expected / told, .chance = chance / told};
  return result;
}

Forest::Leaf Forest::leaf_of(Examples examples, Fit fit) const {
  const std::size_t seen = examples.size(), least = 2 * least_examples(fit.regression);
  return {.regression = std::move(fit.regression),
          .expected = fit.expected,
          .examples = std::move(examples),
          .seen = seen,
          .next_split = std::max(next_split(seen), least)};
}

/// Equation (5): makes the best of some random splits, if it is good enough; otherwise waits for more examples.
void Forest::learn_again(Tree& tree, std::size_t node) {
  const auto number = static_cast<std::size_t>(tree.nodes[node].right);
  Leaf& leaf = tree.leaves[number];
  leaf.next_split = next_split(leaf.seen);
  const Examples examples = leaf.examples;
  Fit whole = fit(examples);
  Split best = {.residual = whole.sum * (1 - options_.split_gain)};
  bool is_found = false;
  const std::vector<std::uint32_t> features = varying_features(examples);
  for (int candidate = 0; candidate < options_.candidates && !features.empty(); ++candidate) {
    const Split split = random_split(examples, features, least_examples(leaf.regression), tree.random);
    if (!(split.residual < best.residual)) continue;
    best = split;
    is_found = true;
  }
  if (!is_found) {
    if (leaf.seen <= kMostKept) leaf = leaf_of(examples, std::move(whole));  // scaled again
    return;
  }
  const auto left = static_cast<std::int32_t>(tree.nodes.size());
  for (const bool is_left : {true, false}) {
    Examples side = side_of(examples, best.feature, best.threshold, is_left);
    Fit fitted = fit(side);
    const auto leaf_number = static_cast<std::int32_t>(is_left ? number : tree.leaves.size());
    tree.nodes.push_back({.right = leaf_number});
    if (is_left) tree.leaves[number] = leaf_of(std::move(side), std::move(fitted));
    else tree.leaves.push_back(leaf_of(std::move(side), std::move(fitted)));
  }
  tree.nodes[node] = {.feature = best.feature, .threshold = best.threshold, .left = left, .right = left + 1};
}

Forest::Split Forest::random_split(const Examples& examples, std::span<const std::uint32_t> features, std::size_t least,
                                   Random& random) const {
  Split split;
  split.feature = features[random.uniform_index(static_cast<std::uint32_t>(features.size()))];
  split.threshold = examples[random.uniform_index(static_cast<std::uint32_t>(examples.size()))]->tree[split.feature];
  const Examples left = side_of(examples, split.feature, split.threshold, true);
  const Examples right = side_of(examples, split.feature, split.threshold, false);
  split.residual = std::min(left.size(), right.size()) < least ? kInfinity : fit(left).sum + fit(right).sum;
  return split;
}

}  // namespace fovea::regress
