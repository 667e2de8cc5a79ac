// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/covariance/covariance.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/gp/covariance/functions.h"

namespace fovea::gp {

double inner_product(SparseRow x, SparseRow y) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x.column(i) == y.column(j)) sum += double{x.value(i++)} * y.value(j++);
    else if (x.column(i) < y.column(j)) ++i;
    else ++j;
  }
  return sum;
}

ByColumn::ByColumn(const SparseRows& rows) {
  std::uint32_t columns = 0;
  for (const std::uint32_t column : rows.columns) columns = std::max(columns, column + 1);
  offsets.assign(columns + 1, 0);
  for (const std::uint32_t column : rows.columns) ++offsets[column + 1];
  for (std::size_t c = 0; c < columns; ++c) offsets[c + 1] += offsets[c];
  entries.resize(rows.columns.size());
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::uint32_t r = 0; r < rows.row_count(); ++r)
    for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
      entries[next[rows.columns[e]]++] = {r, rows.value(e)};
}

namespace internal {
void inner_products(const SparseRows& x, const SparseRows& y, Matrix<double> out) {
  const ByColumn by_column(y);
  const std::size_t columns = by_column.columns();
  std::fill(out.all().begin(), out.all().end(), 0);
  for (std::size_t r = 0; r < x.row_count(); ++r) {
    const std::span<double> sums = out.row(r);
    for (std::uint32_t e = x.offsets[r]; e < x.offsets[r + 1]; ++e) {
      const std::uint32_t column = x.columns[e];
      if (column >= columns) continue;
      const double value = x.value(e);
      for (std::uint32_t i = by_column.offsets[column]; i < by_column.offsets[column + 1]; ++i)
        sums[by_column.entries[i].first] += value * by_column.entries[i].second;
    }
  }
}

std::vector<double> squared_norms(const SparseRows& x) {
  std::vector<double> norms(x.row_count());
  for (std::size_t r = 0; r < norms.size(); ++r)
    for (std::uint32_t e = x.offsets[r]; e < x.offsets[r + 1]; ++e) norms[r] += double{x.value(e)} * x.value(e);
  return norms;
}

}  // namespace internal

namespace {

/// k_a + k_b or k_a k_b.
template <class Operation>
class Composed : public Covariance::Node {
 public:
  using NodePtr = std::shared_ptr<Covariance::Node>;

  Composed(NodePtr a, NodePtr b) : a_(std::move(a)), b_(std::move(b)) {}

  void cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const override {
    std::vector<double> other(out.all().size());
    a_->cross(x, y, out);
    b_->cross(x, y, Matrix<double>(other.data(), out.rows(), out.columns()));
    combine(out.all(), other);
  }
  void diagonal(const SparseRows& x, std::span<double> out) const override {
    std::vector<double> other(out.size());
    a_->diagonal(x, out);
    b_->diagonal(x, other);
    combine(out, other);
  }
  std::vector<double*> parameters() override {
    std::vector<double*> all = a_->parameters();
    const std::vector<double*> more = b_->parameters();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string text() const override {
    return Operation::kIsProduct ? bracketed(*a_) + " * " + bracketed(*b_) : a_->text() + " + " + b_->text();
  }
  NodePtr clone() const override { return std::make_shared<Composed>(a_->clone(), b_->clone()); }

 private:
  static void combine(std::span<double> out, std::span<const double> other) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Operation()(out[i], other[i]);
  }
  static std::string bracketed(const Covariance::Node& node) {
    const std::string text = node.text();
    return text.find(" + ") == std::string::npos ? text : "(" + text + ")";
  }

  NodePtr a_, b_;
};

struct Sum {
  static constexpr bool kIsProduct = false;
  double operator()(double a, double b) const { return a + b; }
};
struct Product {
  static constexpr bool kIsProduct = true;
  double operator()(double a, double b) const { return a * b; }
};

class ScaledColumns : public Covariance::Node {
 public:
  ScaledColumns(std::shared_ptr<Covariance::Node> inner, std::vector<double> scales)
      : inner_(std::move(inner)), scales_(std::move(scales)) {}

  void cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const override {
    inner_->cross(scaled(x), scaled(y), out);
  }
  void diagonal(const SparseRows& x, std::span<double> out) const override { inner_->diagonal(scaled(x), out); }
  std::vector<double*> parameters() override {
    std::vector<double*> all = inner_->parameters();
    for (double& scale : scales_) all.push_back(&scale);
    return all;
  }
  std::string text() const override { return "own scales of (" + inner_->text() + ")"; }
  std::shared_ptr<Node> clone() const override { return std::make_shared<ScaledColumns>(inner_->clone(), scales_); }

 private:
  SparseRows scaled(const SparseRows& rows) const {
    SparseRows result = rows;
    result.values.resize(rows.columns.size());
    for (std::size_t e = 0; e < rows.columns.size(); ++e) {
      const std::uint32_t column = rows.columns[e];
      result.values[e] = rows.value(e) * static_cast<float>(column < scales_.size() ? scales_[column] : 1);
    }
    return result;
  }

  std::shared_ptr<Covariance::Node> inner_;
  std::vector<double> scales_;
};

}  // namespace

void Covariance::cross(const SparseRows& x, const SparseRows& y, Matrix<double> out) const {
  FOVEA_CHECK(out.rows() == x.row_count() && out.columns() == y.row_count());
  node_->cross(x, y, out);
}

void Covariance::diagonal(const SparseRows& x, std::span<double> out) const {
  FOVEA_CHECK(out.size() == x.row_count());
  node_->diagonal(x, out);
}

std::vector<double> Covariance::parameters() const {
  std::vector<double> values;
  for (const double* parameter : node_->parameters()) values.push_back(*parameter);
  return values;
}

void Covariance::set_parameters(std::span<const double> values) {
  std::shared_ptr<Node> changed = node_->clone();
  const std::vector<double*> parameters = changed->parameters();
  FOVEA_CHECK(parameters.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) *parameters[i] = values[i];
  node_ = std::move(changed);
}

std::optional<double> Covariance::linear_variance() const {
  auto* linear = dynamic_cast<internal::CovarianceLeaf<Linear>*>(node_.get());
  if (!linear) return std::nullopt;
  return *linear->parameters()[0];
}

std::string Covariance::text() const { return node_->text(); }

Covariance operator+(const Covariance& a, const Covariance& b) {
  return Covariance(std::make_shared<Composed<Sum>>(a.node_, b.node_));
}

Covariance operator*(const Covariance& a, const Covariance& b) {
  return Covariance(std::make_shared<Composed<Product>>(a.node_, b.node_));
}

Covariance of_scaled_columns(const Covariance& inner, std::vector<double> scales) {
  return Covariance(std::make_shared<ScaledColumns>(inner.node_, std::move(scales)));
}

}  // namespace fovea::gp
