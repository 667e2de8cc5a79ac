// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/covariance/covariance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/matrix/dense.h"
#include "tests/support/expect_error.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;

constexpr std::size_t kColumns = 7;

/// Some rows empty, some values not 1.
SparseRows random_rows(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  SparseRows rows;
  for (std::size_t r = 0; r < count; ++r) {
    for (std::uint32_t c = 0; r > 0 && c < kColumns; ++c) {
      if (!random.bernoulli(.4)) continue;
      rows.columns.push_back(c);
      rows.values.push_back(static_cast<float>(random.normal()));
    }
    rows.end_row();
  }
  return rows;
}

std::vector<double> dense(const SparseRows& rows, std::size_t r) {
  std::vector<double> result(kColumns);
  const SparseRow row(rows, r);
  for (std::size_t e = 0; e < row.size(); ++e) result[row.column(e)] = row.value(e);
  return result;
}

double product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

RowMatrix cross_of(const Covariance& covariance, const SparseRows& x, const SparseRows& y) {
  RowMatrix result(index(x.row_count()), index(y.row_count()));
  covariance.cross(x, y, view(result));
  return result;
}

template <class Expected>
void expect_covariance(const Covariance& covariance, const Expected& expected) {
  const SparseRows x = random_rows(9, 1), y = random_rows(6, 2);
  const RowMatrix cross = cross_of(covariance, x, y);
  for (std::size_t r = 0; r < x.row_count(); ++r)
    for (std::size_t c = 0; c < y.row_count(); ++c)
      EXPECT_NEAR(cross(index(r), index(c)), expected(dense(x, r), dense(y, c)), 1e-6) << covariance.text();
  std::vector<double> diagonal(x.row_count());
  covariance.diagonal(x, diagonal);
  for (std::size_t r = 0; r < x.row_count(); ++r)
    EXPECT_NEAR(diagonal[r], expected(dense(x, r), dense(x, r)), 1e-6) << covariance.text();
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  return std::sqrt(std::max(0.0, product(x, x) + product(y, y) - 2 * product(x, y)));
}

TEST(CovarianceTest, IsWhatItsFormulaSays) {
  expect_covariance(Linear{.variance = 2}, [](const auto& x, const auto& y) { return 2 * product(x, y); });
  expect_covariance(Constant{.variance = 3}, [](const auto&, const auto&) { return 3; });
  expect_covariance(Rbf{.variance = 2, .length_scale = 1.5},
                    [](const auto& x, const auto& y) { return 2 * std::exp(-.5 * std::pow(distance(x, y) / 1.5, 2)); });
  expect_covariance(Matern{.variance = 2, .length_scale = 1.5, .half_integer = 0},
                    [](const auto& x, const auto& y) { return 2 * std::exp(-distance(x, y) / 1.5); });
  expect_covariance(Matern{.half_integer = 1}, [](const auto& x, const auto& y) {
    const double r = std::sqrt(3.0) * distance(x, y);
    return (1 + r) * std::exp(-r);
  });
  expect_covariance(Matern{.half_integer = 2}, [](const auto& x, const auto& y) {
    const double r = std::sqrt(5.0) * distance(x, y);
    return (1 + r + r * r / 3) * std::exp(-r);
  });
  expect_covariance(Polynomial{.variance = .5, .offset = 2, .degree = 3},
                    [](const auto& x, const auto& y) { return .5 * std::pow(2 + product(x, y), 3); });
  expect_covariance(Cosine(), [](const auto& x, const auto& y) {
    return product(x, y) == 0 ? 0 : product(x, y) / std::sqrt(product(x, x) * product(y, y));
  });
}

TEST(CovarianceTest, AddsMultipliesAndScalesColumns) {
  const std::vector<double> scales = {1, 2, .5};
  const auto scaled = [&](std::vector<double> x) {
    for (std::size_t c = 0; c < scales.size(); ++c) x[c] *= scales[c];
    return x;
  };
  const Covariance both = Covariance(Linear{2}) + Covariance(Constant{3}) * Linear{.5};
  expect_covariance(both, [](const auto& x, const auto& y) { return 3.5 * product(x, y); });
  expect_covariance(of_scaled_columns(Linear(), scales),
                    [&](const auto& x, const auto& y) { return product(scaled(x), scaled(y)); });
}

struct SharedColumns {
  double operator()(SparseRow x, SparseRow y) const {
    double shared = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j) shared += x.column(i) == y.column(j);
    return shared;
  }
};

TEST(CovarianceTest, TakesAFunctionOfOnesOwn) {
  expect_covariance(SharedColumns(), [](const auto& x, const auto& y) {
    double shared = 0;
    for (std::size_t c = 0; c < x.size(); ++c) shared += x[c] != 0 && y[c] != 0;
    return shared;
  });
}

TEST(CovarianceTest, IsPositiveSemidefinite) {
  for (const char* text : {"linear", "rbf(1, 2)", "matern1/2", "matern3/2(2, 1)", "matern5/2", "polynomial2(1, 1)",
                           "cosine * rbf(1, 3) + constant(2)"}) {
    const SparseRows rows = random_rows(12, 4);
    const RowMatrix k = cross_of(covariance_of_text(text), rows, rows);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<ColumnMatrix>(k).eigenvalues().minCoeff(), -1e-6) << text;
  }
}

TEST(CovarianceTest, TextComesBackAsItWas) {
  for (const std::string text : {"linear(2)", "linear(1) + rbf(0.5, 3)", "(linear(1) + constant(2)) * matern3/2(1, 2)",
                                 "polynomial3(1, 0.5) * cosine"})
    EXPECT_EQ(covariance_of_text(text).text(), text);
  EXPECT_EQ(covariance_of_text(" linear+rbf( 2 )").text(), "linear(1) + rbf(2, 1)");
}

TEST(CovarianceTest, ParametersCanBeChangedWithoutChangingCopies) {
  Covariance covariance = covariance_of_text("linear(2) + rbf(3, 4)");
  const Covariance copy = covariance;
  EXPECT_EQ(covariance.parameters(), (std::vector<double>{2, 3, 4}));
  covariance.set_parameters(std::vector<double>{5, 6, 7});
  EXPECT_EQ(covariance.text(), "linear(5) + rbf(6, 7)");
  EXPECT_EQ(copy.text(), "linear(2) + rbf(3, 4)");
}

TEST(CovarianceTest, BadTextIsRefusedWhereItGoesWrong) {
  const auto message = [](const std::string& text) {
    return message_of<UsageError>([&] { covariance_of_text(text); });
  };
  testing::expect_messages(message, {{"linear(1) + rfb", "from character 13: must be linear, constant"},
                                     {"linear(-1)", "a positive number"},
                                     {"linear(1", "a closing bracket"},
                                     {"(linear", "a closing bracket"},
                                     {"linear linear", "from character 8: must be +, * or the end"},
                                     {"", "from character 1"}});
}

}  // namespace
}  // namespace fovea::gp
