// SPDX-License-Identifier: Apache-2.0
// Posteriors, draws from them and leave-one-out posteriors, against dense formulas.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/posterior/averaged_marginals.h"
#include "fovea/gp/posterior/latent_draws.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kLabels = 2, kItems = 12;

/// Sequences of 1, 4 and 7 items over six columns; the second item of each is the same.
Sequences small_sequences() {
  Random random(4);
  Sequences sequences;
  for (const std::uint32_t length : {1u, 4u, 7u}) {
    for (std::uint32_t t = 0; t < length; ++t) {
      for (std::uint32_t c = 0; c < 6; ++c) {
        if (t == 1 ? c > 1 : random.bernoulli(.5)) continue;
        sequences.features.columns.push_back(c);
        sequences.features.values.push_back(t == 1 ? 1 : static_cast<float>(random.normal()));
      }
      sequences.features.end_row();
    }
    sequences.begin.push_back(sequences.begin.back() + length);
  }
  return sequences;
}

class PosteriorTest : public ::testing::Test {
 protected:
  PosteriorTest() {
    Random random(5);
    sites_ = {RowMatrix(kItems, kLabels), RowMatrix(kItems, kLabels)};
    for (double& x : sites_.precision.reshaped()) x = 2 * random.exponential();
    for (double& x : sites_.linear.reshaped()) x = random.normal();
    sites_.precision(3, 0) = 0;
  }

  /// Dense: (I + sum_t precision a a^T)^{-1} of a label, without the sequence `left_out`.
  ColumnMatrix covariance(Index label, std::optional<std::size_t> left_out = {}) const {
    return precision(label, left_out).inverse();
  }
  Vector mean(Index label, std::optional<std::size_t> left_out = {}) const {
    Vector sum = Vector::Zero(index(points_.size()));
    for_each_item(left_out, [&](Index t) { sum += sites_.linear(t, label) * row(t); });
    return covariance(label, left_out) * sum;
  }

  template <class Visit>
  void for_each_item(std::optional<std::size_t> left_out, const Visit& visit) const {
    for (std::size_t n = 0; n < projected_.sequence_count(); ++n)
      for (std::size_t t = 0; n != left_out && t < projected_.length(n); ++t) visit(index(projected_.begin(n) + t));
  }
  Vector row(Index t) const { return projected_.rows().row(t).cast<double>().transpose(); }

  ColumnMatrix precision(Index label, std::optional<std::size_t> left_out = {}) const {
    ColumnMatrix sum = ColumnMatrix::Identity(index(points_.size()), index(points_.size()));
    for_each_item(left_out, [&](Index t) { sum += sites_.precision(t, label) * row(t) * row(t).transpose(); });
    return sum;
  }

  Sequences sequences_ = small_sequences();
  InducingPoints points_{Covariance(Rbf{.variance = 2, .length_scale = 1.5}),
                         rows_at(sequences_.features, std::vector<std::uint32_t>{0, 3, 6, 9})};
  ProjectedSequences projected_{sequences_, points_, 1};
  Sites sites_;
};

TEST_F(PosteriorTest, ProjectionAndResidualMakeUpTheCovariance) {
  for (std::size_t n = 0; n < 3; ++n) {
    const Index begin = index(projected_.begin(n)), length = index(projected_.length(n));
    const auto rows = projected_.rows().middleRows(begin, length).cast<double>().eval();
    const RowMatrix sum = rows * rows.transpose() + projected_.residual(n);
    for (Index a = 0; a < length; ++a)
      for (Index b = 0; b < length; ++b) {
        RowMatrix expected(1, 1);
        const auto at = [&](Index t) {
          const std::uint32_t which = static_cast<std::uint32_t>(begin + t);
          return rows_at(sequences_.features, std::span(&which, 1));
        };
        points_.covariance().cross(at(a), at(b), view(expected));
        EXPECT_NEAR(sum(a, b), expected(0, 0), 1e-5);
      }
  }
}

TEST_F(PosteriorTest, IsPriorTimesSites) {
  const UnaryPosterior q(projected_.rows(), sites_, 2);
  double products = 0, divergence = 0;
  for (Index j = 0; j < 2; ++j) {
    const ColumnMatrix factor = q.factor(size(j)).cast<double>(), s = covariance(j);
    EXPECT_LT((factor * factor.transpose() - precision(j)).norm(), 1e-5 * precision(j).norm());
    EXPECT_LT((q.means().row(j).transpose() - mean(j)).norm(), 1e-9);
    for (Index t = 0; t < index(kItems); ++t) products += sites_.precision(t, j) * row(t).dot(s * row(t));
    divergence +=
        .5 * (s.trace() + mean(j).squaredNorm() - static_cast<double>(points_.size()) - std::log(s.determinant()));
  }
  EXPECT_NEAR(q.divergence(products), divergence, 1e-4);
  EXPECT_EQ(UnaryPosterior(2, 4).divergence(0), 0);
}

TEST_F(PosteriorTest, DrawsHaveItsMomentsAndComeInPairs) {
  const UnaryPosterior q(projected_.rows(), sites_, 1);
  LatentDraws draws(projected_, 0, 3, kLabels, 20000, LatentDraws::Use::kTraining, Random(6));
  draws.draw(projected_, q, 2);
  for (std::size_t n = 0; n < 3; ++n) {
    const Index begin = index(projected_.begin(n)), length = index(projected_.length(n));
    const auto rows = projected_.rows().middleRows(begin, length).cast<double>().eval();
    for (std::size_t j = 0; j < kLabels; ++j) {
      const Vector expected_mean = rows * mean(index(j));
      const RowMatrix expected = rows * covariance(index(j)) * rows.transpose() + projected_.residual(n);
      RowMatrix sum = RowMatrix::Zero(length, length);
      for (std::size_t s = 0; s < draws.count(); ++s) {
        Vector f(length);
        for (Index t = 0; t < length; ++t) {
          f[t] = draws.unary(n, s)(size(t), j) - expected_mean[t];
          EXPECT_NEAR(f[t], expected_mean[t] - draws.unary(n, (s + 10000) % 20000)(size(t), j), 1e-6);
        }
        sum += f * f.transpose() / static_cast<double>(draws.count());
      }
      // Ten standard errors of a covariance from 10,000 independent draws.
      EXPECT_LT((sum - expected).cwiseAbs().maxCoeff(), 10 * std::sqrt(2.0 / 10000) * expected.diagonal().maxCoeff());
    }
  }
}

TEST_F(PosteriorTest, LeavingOneOutIsThePosteriorOfTheOthers) {
  const PairwisePosterior pairwise(kLabels, .5);
  const ChainLikelihood chain;
  const auto mixture_of = [&](const Sites& sites) {
    return MixturePosterior{{.unary = UnaryPosterior(projected_.rows(), sites, 1), .pairwise = pairwise}};
  };
  const auto predictive = [&](const MixturePosterior& posterior) {
    return PredictiveDistribution{.posterior = posterior, .likelihood = chain, .draws = 64, .random = Random(7)};
  };
  std::vector<double> left_out(kItems * kLabels), others(kItems * kLabels);
  const MixturePosterior all = mixture_of(sites_);
  leave_one_out_marginals(projected_, predictive(all), sites_, {}, left_out, 1);
  for (std::size_t n = 0; n < 3; ++n) {
    Sites rest = sites_;
    rest.precision.middleRows(index(projected_.begin(n)), index(projected_.length(n))).setZero();
    rest.linear.middleRows(index(projected_.begin(n)), index(projected_.length(n))).setZero();
    std::fill(others.begin(), others.end(), 0);
    const MixturePosterior without = mixture_of(rest);
    average_marginals(projected_, predictive(without), others, 1);
    for (std::size_t i = projected_.begin(n) * kLabels; i < (projected_.begin(n) + projected_.length(n)) * kLabels; ++i)
      EXPECT_NEAR(left_out[i], others[i], 1e-4);
  }
}

TEST(PairwisePosteriorTest, DivergenceIsThatOfGaussians) {
  PairwisePosterior q(2, 3);
  EXPECT_NEAR(q.divergence(), 0, 1e-14);
  q.means[1] = 2;
  q.deviations[2] = .5;
  EXPECT_NEAR(q.divergence(), .5 * 4 / 3 + .5 * (.25 / 3 - 1 - std::log(.25 / 3)), 1e-12);
}

}  // namespace
}  // namespace fovea::gp
