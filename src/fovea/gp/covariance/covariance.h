// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/sparse_rows.h"
#include "fovea/gp/matrix/matrix.h"

namespace fovea::gp {

/// Features of one item: ascending columns with their values.
class SparseRow {
 public:
  SparseRow(const SparseRows& rows, std::size_t r)
      : columns_(rows.row(r)), values_(rows.values.empty() ? nullptr : rows.values.data() + rows.offsets[r]) {}

  std::size_t size() const { return columns_.size(); }
  std::uint32_t column(std::size_t e) const { return columns_[e]; }
  float value(std::size_t e) const { return values_ ? values_[e] : 1.0f; }

 private:
  std::span<const std::uint32_t> columns_;
  const float* values_;
};

/// x^T y; O(nonzeros).
double inner_product(SparseRow x, SparseRow y);

/// Rows sorted by column: the (row, value) pairs of column c are the entries offsets[c] .. offsets[c + 1], rows
/// ascending.
struct ByColumn {
  explicit ByColumn(const SparseRows& rows);
  std::size_t columns() const { return offsets.size() - 1; }

  std::vector<std::uint32_t> offsets;
  std::vector<std::pair<std::uint32_t, float>> entries;
};

/// The facts about two items that most covariance functions need.
struct InnerProducts {
  double xy, xx, yy;  ///< x^T y, x^T x, y^T y
};

/// A covariance function of inner products; positive definite. Both kinds below may have
///   std::vector<double*> parameters();   positive numbers that learning may change
///   std::string text() const;            as `--kernel` reads it, for reports and model files
template <class F>
concept InnerProductCovariance = requires(const F& f, InnerProducts products) {
  { f(products) } -> std::convertible_to<double>;
};
/// Any other covariance function, of two sparse rows.
template <class F>
concept RowCovariance = requires(const F& f, SparseRow x, SparseRow y) {
  { f(x, y) } -> std::convertible_to<double>;
};
template <class F>
concept CovarianceFunction = InnerProductCovariance<F> || RowCovariance<F>;

/// A covariance function k(x, x') of sparse rows, as a value. Rows are never made dense.
class Covariance {
 public:
  template <CovarianceFunction F>
  Covariance(F function);  // NOLINT(google-explicit-constructor): a covariance function is a Covariance

  /// out(r, c) = k(x_r, y_c). O(nonzeros of x * rows of y that share a column) for functions of inner products.
  void cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const;
  /// out[r] = k(x_r, x_r).
  void diagonal(const SparseRows& x, std::span<double> out) const;

  /// The positive numbers on which the function depends, in an order of its own.
  std::vector<double> parameters() const;
  void set_parameters(std::span<const double> values);

  /// Variance of linear(variance); nothing for any other function.
  std::optional<double> linear_variance() const;

  /// Text that covariance_of_text() reads; it contains the word "own" for a function that cannot be read back.
  std::string text() const;

  friend Covariance operator+(const Covariance& a, const Covariance& b);
  friend Covariance operator*(const Covariance& a, const Covariance& b);
  /// k of rows whose column c is multiplied by scales[c] (1 beyond the end): automatic relevance determination.
  friend Covariance of_scaled_columns(const Covariance& inner, std::vector<double> scales);

  /// For the implementation.
  class Node {
   public:
    virtual ~Node() = default;
    virtual void cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const = 0;
    virtual void diagonal(const SparseRows& x, std::span<double> out) const = 0;
    virtual std::vector<double*> parameters() = 0;
    virtual std::string text() const = 0;
    virtual std::shared_ptr<Node> clone() const = 0;
  };

 private:
  explicit Covariance(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;  // never changed once shared
};

/// See the friends of Covariance.
Covariance operator+(const Covariance& a, const Covariance& b);
Covariance operator*(const Covariance& a, const Covariance& b);
Covariance of_scaled_columns(const Covariance& inner, std::vector<double> scales);

namespace internal {

/// out(r, c) = x_r^T y_c.
void inner_products(const SparseRows& x, const SparseRows& y, Matrix<double> out);
/// x_r^T x_r of all rows.
std::vector<double> squared_norms(const SparseRows& x);

template <CovarianceFunction F>
class CovarianceLeaf : public Covariance::Node {
 public:
  explicit CovarianceLeaf(F function) : function_(std::move(function)) {}

  void cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const override {
    if constexpr (InnerProductCovariance<F>) {
      inner_products(x, y, out);
      const std::vector<double> xx = squared_norms(x), yy = squared_norms(y);
      for (std::size_t r = 0; r < out.rows(); ++r)
        for (std::size_t c = 0; c < out.columns(); ++c) out(r, c) = function_(InnerProducts{out(r, c), xx[r], yy[c]});
    } else {
      for (std::size_t r = 0; r < out.rows(); ++r)
        for (std::size_t c = 0; c < out.columns(); ++c) out(r, c) = function_(SparseRow(x, r), SparseRow(y, c));
    }
  }
  void diagonal(const SparseRows& x, std::span<double> out) const override {
    if constexpr (InnerProductCovariance<F>) {
      const std::vector<double> xx = squared_norms(x);
      for (std::size_t r = 0; r < out.size(); ++r) out[r] = function_(InnerProducts{xx[r], xx[r], xx[r]});
    } else {
      for (std::size_t r = 0; r < out.size(); ++r) out[r] = function_(SparseRow(x, r), SparseRow(x, r));
    }
  }
  std::vector<double*> parameters() override {
    if constexpr (requires { function_.parameters(); }) return function_.parameters();
    else return {};
  }
  std::string text() const override {
    if constexpr (requires { function_.text(); }) return function_.text();
    else return "own";
  }
  std::shared_ptr<Node> clone() const override { return std::make_shared<CovarianceLeaf>(*this); }

 private:
  F function_;
};

}  // namespace internal

template <CovarianceFunction F>
Covariance::Covariance(F function) : node_(std::make_shared<internal::CovarianceLeaf<F>>(std::move(function))) {}

}  // namespace fovea::gp
