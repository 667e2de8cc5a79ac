// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/regress/expected_residual.h"
#include "fovea/regress/polynomial_regression.h"
#include "fovea/regress/regressor.h"

namespace fovea::regress {

struct ForestOptions {
  int trees = 8;
  int candidates = 24;
  int degree = 3;
  double split_gain = .2;
  double ridge = 1e-6;

  static void describe(auto&& visit) {
    using O = ForestOptions;
    visit(&O::trees, number_in(1, 1024, "trees", "Number of trees."));
    visit(&O::candidates, number_in(1, 1e4, "candidates", "Number of random splits of which a leaf takes the best."));
    visit(&O::degree, number_in(1, 6, "degree", "Maximum degree of the polynomials in the leaves."));
    visit(&O::split_gain, number_in(0, 1, "split-gain", "Share of a leaf's residual by which a split must lower it."));
    visit(&O::ridge, number_in(1e-12, 1e6, "ridge", "Ridge penalty of the leaves' regressions."));
  }
};

/// A random forest that learns one example at a time (Eslami et al. 2014, "Just-in-time learning for fast and flexible
/// inference", section 5). Trees split on one set of features; their leaves regress on another by polynomials, which
/// are updated by recursive least squares. A leaf is split if that lowers the sum of residuals, equation (5), where
/// each example is predicted without itself. Trees differ in the examples that they draw (each counts Poisson(1) times)
/// and in the splits that they try.
class Forest : public Regressor {
 public:
  /// Inputs after the first `major_inputs` are minor in the polynomials.
  Forest(const ForestOptions& options, RegressionResidual residual, const Random& random,
         std::size_t major_inputs = std::numeric_limits<std::size_t>::max());

  void add(const RegressionExample& example) override;
  /// Sets `votes` to one vote for each tree.
  void predict(std::span<const double> tree, std::span<const double> inputs, Votes& votes) const override;

  std::size_t leaf_count() const;

 private:
  using Examples = std::vector<std::shared_ptr<const RegressionExample>>;
  struct Leaf {
    PolynomialRegression regression;
    ExpectedResidual expected;
    Examples examples = {};  ///< the latest ones
    std::size_t seen = 0, next_split = 0;
  };
  struct Node {
    std::uint32_t feature = 0;
    double threshold = 0;
    std::int32_t left = -1, right = -1;  // nodes; for a leaf, left is -1 and right is its number
  };
  struct Tree {
    Random random;
    std::vector<Node> nodes;
    std::vector<Leaf> leaves;
  };
  struct Split {
    std::uint32_t feature = 0;
    double threshold = 0, residual = 0;
  };
  /// A regression and its residuals on examples, each predicted without itself.
  struct Fit {
    PolynomialRegression regression;
    double sum = 0;  ///< of residuals
    ExpectedResidual expected = {};
  };

  static std::size_t leaf_node(const Tree& tree, std::span<const double> features);
  void add_to(Tree& tree, const Examples::value_type& example);
  void observe(Leaf& leaf, const RegressionExample& example) const;
  Fit fit(const Examples& examples) const;
  Leaf leaf_of(Examples examples, Fit fit) const;
  void learn_again(Tree& tree, std::size_t node);
  Split random_split(const Examples& examples, std::span<const std::uint32_t> features, std::size_t least,
                     Random& random) const;

  ForestOptions options_;
  RegressionResidual residual_;
  std::size_t major_inputs_;
  std::vector<Tree> trees_;
};

}  // namespace fovea::regress
