// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/regress/recursive_least_squares.h"

namespace fovea {

struct ForestOptions {
  int trees = 8;
  int candidates = 24;
  double split_gain = .2;
  double ridge = 1e-6;

  template <class V>
  static void describe(V&& visit) {
    using O = ForestOptions;
    visit(&O::trees, OptionInfo{.name = "trees", .description = "Trees of the forest", .min = 1, .max = 1024});
    visit(&O::candidates, OptionInfo{.name = "candidates",
                                     .description = "Random splits of which a leaf that may be split takes the best",
                                     .min = 1,
                                     .max = 1e4});
    visit(&O::split_gain, OptionInfo{.name = "split-gain",
                                     .description = "Share of a leaf's residual by which a split must lower it",
                                     .min = 0,
                                     .max = 1});
    visit(&O::ridge,
          OptionInfo{.name = "ridge", .description = "Of the leaves' regressions", .min = 1e-12, .max = 1e6});
  }
};

/// One example: what trees split on, what leaves regress from, and what they regress to.
struct ForestExample {
  std::vector<double> tree, features, target;
};

/// What a prediction is off by, 0 or more: the measure that splits are chosen by.
using ForestResidual = std::function<double(std::span<const double> target, std::span<const double> predicted)>;

/// A random forest that learns one example at a time (Eslami et al. 2014, "Just-in-time learning for fast and flexible
/// inference", section 5): trees split on one set of features, their leaves are linear regressions from another,
/// updated by recursive least squares. A leaf is split where that lowers the sum of residuals, equation (5), each
/// example being predicted without itself. Trees differ by the examples they draw (each counts Poisson(1) times) and
/// the splits that they try. The same examples in the same order give the same forest. Reading is thread-safe while
/// nothing is added.
class Forest {
 public:
  Forest(const ForestOptions& options, ForestResidual residual, const Random& random);

  /// All examples have the sizes of the first.
  void add(const ForestExample& example);
  std::size_t examples() const { return examples_; }
  std::size_t tree_count() const { return trees_.size(); }
  std::size_t leaf_count() const;

  /// What one tree says, and how far that is from what its leaf has seen; false while the leaf has seen nothing.
  struct Vote {
    std::span<double> predicted;
    double leverage = 0;
  };
  bool predict(std::size_t tree, std::span<const double> tree_features, std::span<const double> features,
               Vote& vote) const;

 private:
  struct Leaf {
    RecursiveLeastSquares regression;
    std::vector<ForestExample> examples;
    std::size_t next_split = 0;  // try once there are so many
  };
  struct Node {
    std::size_t feature = 0;
    double threshold = 0;
    std::int32_t left = -1, right = -1;  // nodes; of a leaf, left is -1 and right its number
  };
  struct Tree {
    Random random;
    std::vector<Node> nodes;
    std::vector<Leaf> leaves;
  };
  struct Split {
    std::size_t feature = 0;
    double threshold = 0, residual = 0;
  };

  std::size_t leaf_of(const Tree& tree, std::span<const double> features, std::size_t* node = nullptr) const;
  Leaf new_leaf(const ForestExample& like) const;
  void add_to(Tree& tree, const ForestExample& example);
  void try_split(Tree& tree, std::size_t node);
  Split random_split(const Leaf& leaf, Random& random) const;
  double residual_of(std::span<const ForestExample* const> examples) const;

  ForestOptions options_;
  ForestResidual residual_;
  std::vector<Tree> trees_;
  std::size_t examples_ = 0;
};

}  // namespace fovea
