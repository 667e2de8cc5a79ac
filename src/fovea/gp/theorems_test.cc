// SPDX-License-Identifier: Apache-2.0
// Results that Galliani, Dezfouli, Bonilla, Quadrianto (2017), "Gray-box inference for structured Gaussian process
// models", prove, on models that are small enough for dense matrices over all items.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/training/mixture_expectation.h"
#include "fovea/gp/training/slice_sampling.h"
#include "tests/support/gp_problem.h"
#include "tests/support/statistics.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;

constexpr std::size_t kTheoremLabels = 2, kTheoremItems = 6;
constexpr double kVariance = 2, kLengthScale = 1.5;

/// The covariance function, written out: of items a and b of `sequences`, or of inducing points.
double kernel(const SparseRows& rows, std::size_t a, std::size_t b) {
  double distance = 0;
  for (std::uint32_t c = 0; c < 6; ++c) {
    const auto value = [&](std::size_t r) {
      for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
        if (rows.columns[e] == c) return double{rows.values[e]};
      return 0.0;
    };
    distance += (value(a) - value(b)) * (value(a) - value(b));
  }
  return kVariance * std::exp(-distance / (2 * kLengthScale * kLengthScale));
}

/// Dense matrices over all items, with inducing points at some of them.
struct DenseModel {
  explicit DenseModel(std::vector<std::uint32_t> rows)
      : data(fovea::testing::random_gp_sequences({1, 3, 2}, kTheoremLabels, 3), chain, rows,
             Rbf{.variance = kVariance, .length_scale = kLengthScale}) {
    data.pairwise_variance = 1;
    ColumnMatrix zz(index(rows.size()), index(rows.size())), xz(index(kTheoremItems), index(rows.size()));
    k.resize(index(kTheoremItems), index(kTheoremItems));
    const SparseRows& features = data.sequences.features;
    for (std::size_t t = 0; t < kTheoremItems; ++t) {
      for (std::size_t u = 0; u < kTheoremItems; ++u) k(index(t), index(u)) = kernel(features, t, u);
      for (std::size_t z = 0; z < rows.size(); ++z) xz(index(t), index(z)) = kernel(features, t, rows[z]);
    }
    for (std::size_t y = 0; y < rows.size(); ++y)
      for (std::size_t z = 0; z < rows.size(); ++z) zz(index(y), index(z)) = kernel(features, rows[y], rows[z]);
    factor = zz.llt().matrixL();
    a = xz * zz.inverse();
    left_open = k - a * xz.transpose();
  }

  ChainLikelihood chain;
  GpProblem data;
  ColumnMatrix k, factor, a, left_open;  // kappa(X, X); kappa(Z, Z) = factor factor^T; A and K tilde of equation (14)
};

/// Theorem 1: a clique is a triple (t, x_t, y_t) or a pair (y_t, y_t+1), with the covariances of equations (2) and (3).
class CliqueTest : public ::testing::Test {
 protected:
  struct Clique {
    bool is_pair;
    std::size_t item, first, second;  // the label of a unary clique is `first`
  };

  CliqueTest() {
    for (std::size_t item = 0; item < kTheoremItems; ++item)
      for (std::size_t y = 0; y < kTheoremLabels; ++y) cliques_.push_back({false, item, y, 0});
    for (std::size_t y = 0; y < kTheoremLabels; ++y)
      for (std::size_t z = 0; z < kTheoremLabels; ++z) cliques_.push_back({true, 0, y, z});
  }

  double covariance(const Clique& a, const Clique& b) const {
    if (a.is_pair != b.is_pair) return 0;
    if (a.is_pair) return a.first == b.first && a.second == b.second;
    return a.first == b.first ? kernel(model_.data.sequences.features, a.item, b.item) : 0;
  }

  DenseModel model_{{0, 1, 2, 3, 4, 5}};
  std::vector<Clique> cliques_;
};

TEST_F(CliqueTest, InducingPointsAtAllItemsLeaveNothingOpen) {
  const ColumnMatrix rows = model_.data.projected.rows().cast<double>();
  EXPECT_LT((rows * rows.transpose() - model_.k).cwiseAbs().maxCoeff(), 1e-5 * kVariance);
  for (std::size_t n = 0; n < 3; ++n)
    EXPECT_LT(model_.data.projected.residual(n).cwiseAbs().maxCoeff(), 1e-5 * kVariance);
}

TEST_F(CliqueTest, PriorHasTheCovariancesOfTheStructuredGaussianProcess) {
  constexpr std::size_t kDraws = 10000;
  const InferenceProblem problem = model_.data.problem();
  const LatentPrior prior(problem);
  std::vector<std::vector<double>> draws(cliques_.size());
  LatentState state;
  for (std::size_t s = 0; s < kDraws; ++s) {
    prior.draw(Random(4).child("draw", s), state);
    for (std::size_t c = 0; c < cliques_.size(); ++c) {
      const Clique& clique = cliques_[c];
      draws[c].push_back(clique.is_pair ? state.pairwise[clique.first * kTheoremLabels + clique.second]
                                        : state.unary(index(clique.item), index(clique.first)));
    }
  }
  const double tests = static_cast<double>(cliques_.size() * (cliques_.size() + 1)) / 2;
  std::vector<double> products(kDraws);
  for (std::size_t b = 0; b < cliques_.size(); ++b)
    for (std::size_t c = 0; c <= b; ++c) {
      for (std::size_t s = 0; s < kDraws; ++s) products[s] = draws[b][s] * draws[c][s];
      EXPECT_TRUE(fovea::testing::sample_has_mean(products, covariance(cliques_[b], cliques_[c]),
                                                  fovea::testing::kFalseFailureRate / tests))
          << b << " " << c;
    }
}

/// Equation (1) of the last two sequences, clique by clique.
TEST_F(CliqueTest, LikelihoodIsTheStructuredSoftmax) {
  const InferenceProblem problem = model_.data.problem();
  LatentState state;
  LatentPrior(problem).draw(Random(5), state);
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}}) {
    const std::size_t first = model_.data.projected.begin(n), length = model_.data.projected.length(n);
    const auto sum_of_cliques = [&](std::size_t code) {
      double sum = 0;
      for (std::size_t t = 0; t < length; ++t) {
        const std::size_t y = code >> t & 1, z = code >> (t + 1) & 1;
        sum += state.unary(index(first + t), index(y));
        if (t + 1 < length) sum += state.pairwise[y * kTheoremLabels + z];
      }
      return sum;
    };
    double total = 0;
    std::size_t gold = 0;
    for (std::size_t code = 0; code < std::size_t{1} << length; ++code) total += std::exp(sum_of_cliques(code));
    for (std::size_t t = 0; t < length; ++t) gold |= std::size_t{model_.data.sequences.labels[first + t]} << t;
    EXPECT_NEAR(model_.chain.log_density({state.unary.data() + first * kTheoremLabels, length, kTheoremLabels},
                                         {state.pairwise.data(), kTheoremLabels, kTheoremLabels},
                                         model_.data.sequences.labels_of(n)),
                sum_of_cliques(gold) - std::log(total), 1e-12);
  }
}

/// Theorem 2, if inducing points are all items and their distribution is a Gaussian over all items; Theorem 3, if they
/// are some of them.
class StatisticalEfficiencyTest : public ::testing::TestWithParam<std::vector<std::uint32_t>> {
 protected:
  StatisticalEfficiencyTest() {
    std::vector<double> x = mixture_.packed();
    Random random(6);
    for (double& each : x) each += .4 * random.normal();
    mixture_.unpack(x);
    for (double& mean : mixture_.pairwise.means) mean = random.normal();
  }

  std::size_t points() const { return GetParam().size(); }
  const UnaryGaussian& component() const { return mixture_.components[0]; }

  /// Equation (42): of all items, with u = factor v.
  Vector dense_mean(std::size_t label) const {
    return model_.a * model_.factor * component().means.row(index(label)).transpose();
  }
  /// Equation (43).
  ColumnMatrix dense_covariance(std::size_t label) const {
    const ColumnMatrix of_u = model_.factor * component().factors[label];
    return model_.left_open + model_.a * of_u * of_u.transpose() * model_.a.transpose();
  }

  /// Value and gradient with respect to means and factors, in one vector.
  std::vector<double> flattened(double value, const UnaryGaussian& gradient) const {
    std::vector<double> all = {value};
    all.insert(all.end(), gradient.means.data(), gradient.means.data() + gradient.means.size());
    for (const ColumnMatrix& factor : gradient.factors)
      for (Index c = 0; c < factor.cols(); ++c)
        for (Index r = c; r < factor.rows(); ++r) all.push_back(factor(r, c));
    return all;
  }

  /// sum_n <log p(y_n | f_n)> and its gradient, by expectations over T_n and |V|^2 dimensions.
  std::vector<double> by_sequence(const ScoreEstimator& estimator, std::uint64_t noise) const {
    const InferenceProblem problem = model_.data.problem();
    const ProjectedComponent projected(problem, component(), 0, 3);
    UnaryGaussian gradient = component().zeros();
    double value = 0;
    std::vector<SequenceExpectation> expectations;
    for (std::size_t n = 0; n < 3; ++n) {
      expectations.push_back(estimator.estimate(n, projected.at(n, mixture_.pairwise), noise, true, false, 1));
      value += expectations.back().value;
    }
    projected.add_gradient(expectations, 1, gradient);
    return flattened(value, gradient);
  }

  /// The same by one draw of the functions at all inducing points and items at once, and derivatives.
  std::vector<double> by_joint_draw(Random random) const {
    UnaryGaussian gradient = component().zeros();
    RowMatrix f(index(kTheoremItems), index(kTheoremLabels)), slopes = f;
    std::vector<Vector> normals;
    const auto draw = [&](std::size_t count) {
      Vector z(index(count));
      for (double& each : z) each = random.normal();
      return z;
    };
    const ColumnMatrix whitened = model_.a * model_.factor;
    for (std::size_t j = 0; j < kTheoremLabels; ++j) {
      normals.push_back(draw(points()));
      f.col(index(j)) =
          dense_mean(j) + whitened * (component().factors[j] * normals[j]) + open_factor_ * draw(kTheoremItems);
    }
    std::vector<double> pairwise(kTheoremLabels * kTheoremLabels);
    for (std::size_t e = 0; e < pairwise.size(); ++e)
      pairwise[e] = mixture_.pairwise.means[e] + mixture_.pairwise.deviations[e] * random.normal();
    double value = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t first = model_.data.projected.begin(n), length = model_.data.projected.length(n);
      value += model_.chain.gradients(
          {f.data() + first * kTheoremLabels, length, kTheoremLabels},
          {pairwise.data(), kTheoremLabels, kTheoremLabels}, model_.data.sequences.labels_of(n),
          {.unary = {slopes.data() + first * kTheoremLabels, length, kTheoremLabels}, .pairwise = {}, .curvature = {}});
    }
    for (std::size_t j = 0; j < kTheoremLabels; ++j) {
      const Vector of_v = whitened.transpose() * slopes.col(index(j));
      gradient.means.row(index(j)) = of_v.transpose();
      gradient.factors[j] = of_v * normals[j].transpose();
    }
    return flattened(value, gradient);
  }

  DenseModel model_{GetParam()};
  VariationalMixture mixture_{1, kTheoremLabels, points(), false, 1, Random(1)};
  /// Of a matrix that is 0 at inducing points.
  ColumnMatrix open_factor_ = (model_.left_open + 1e-9 * ColumnMatrix::Identity(6, 6)).llt().matrixL();
};

INSTANTIATE_TEST_SUITE_P(FullAndSparse, StatisticalEfficiencyTest,
                         ::testing::Values(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5},
                                           std::vector<std::uint32_t>{0, 4}));

TEST_P(StatisticalEfficiencyTest, MarginalsOfASequenceAreBlocksOfThePosteriorOfAllItems) {
  const InferenceProblem problem = model_.data.problem();
  const ProjectedComponent projected(problem, component(), 0, 3);
  for (std::size_t j = 0; j < kTheoremLabels; ++j) {
    const Vector mean = dense_mean(j);
    const ColumnMatrix covariance = dense_covariance(j);
    const double scale = covariance.diagonal().maxCoeff();
    for (std::size_t n = 0; n < 3; ++n) {
      const Index first = index(model_.data.projected.begin(n)), length = index(model_.data.projected.length(n));
      const SequenceGaussian q = projected.at(n, mixture_.pairwise);
      EXPECT_LT((q.means[j] - mean.segment(first, length)).cwiseAbs().maxCoeff(), 1e-5 * std::sqrt(scale));
      EXPECT_LT((q.factors[j] * q.factors[j].transpose() - covariance.block(first, first, length, length))
                    .cwiseAbs()
                    .maxCoeff(),
                2e-5 * scale);  // single precision, and 1e-5 of the variance by LatentGaussian::factorize
    }
  }
}

TEST_P(StatisticalEfficiencyTest, ExpectationsOverSequencesAreThoseOverAllItems) {
  constexpr std::size_t kRepetitions = 60, kDraws = 400, kJointDraws = 4000;
  const InferenceProblem problem = model_.data.problem();
  const ScoreEstimator estimator(problem, {.draws = kDraws}, Random(7));
  std::vector<std::vector<double>> low, joint;
  const auto append_to = [](std::vector<std::vector<double>>& samples, const std::vector<double>& all) {
    samples.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) samples[i].push_back(all[i]);
  };
  for (std::size_t r = 0; r < kRepetitions; ++r) append_to(low, by_sequence(estimator, r));
  for (std::size_t s = 0; s < kJointDraws; ++s) append_to(joint, by_joint_draw(Random(8).child("draw", s)));
  // The estimator takes its normals from a pool of 2^21: the same ones recur.
  const double stretch = std::sqrt(1 + static_cast<double>(kRepetitions * kDraws * kTheoremItems * 4) / (1 << 21)),
               rate = fovea::testing::kFalseFailureRate / static_cast<double>(low.size());
  for (std::size_t i = 0; i < low.size(); ++i)
    EXPECT_TRUE(fovea::testing::samples_have_one_mean(low[i], joint[i], rate, stretch)) << i;
}

}  // namespace
}  // namespace fovea::gp
