// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace fovea::gp {

/// Non-owning view of a row-major matrix without gaps.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(T* data, std::size_t rows, std::size_t columns) : data_(data), rows_(rows), columns_(columns) {}
  /// Converts a writable matrix to a read-only one.
  template <class U>
  requires std::is_same_v<const U, T> Matrix(Matrix<U> other) : Matrix(other.data(), other.rows(), other.columns()) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  T* data() const { return data_; }
  std::span<T> all() const { return {data_, rows_ * columns_}; }
  std::span<T> row(std::size_t r) const { return {data_ + r * columns_, columns_}; }
  T& operator()(std::size_t row, std::size_t column) const { return data_[row * columns_ + column]; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, columns_ = 0;
};

}  // namespace fovea::gp
