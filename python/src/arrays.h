// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fovea::python {

template <class T>
using Row = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Rows = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// A NumPy array that owns the vector's numbers, without a copy.
template <class T>
nanobind::object array_of(std::vector<T> numbers, std::vector<std::size_t> shape = {}) {
  auto owned = std::make_unique<std::vector<T>>(std::move(numbers));
  if (shape.empty()) shape = {owned->size()};
  T* data = owned->data();
  const nanobind::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(data, shape.size(), shape.data(), owner));
}

}  // namespace fovea::python
