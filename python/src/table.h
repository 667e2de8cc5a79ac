// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fovea/linkage.h>
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fovea::python {

/// Columns of results, which NumPy's arrays and Arrow's streams share.
struct Columns {
  explicit Columns(std::vector<io::ArrowColumn> columns)
      : table(std::make_shared<const io::ArrowTable>("the table", std::move(columns))) {}

  std::vector<std::string> names() const;

  std::shared_ptr<const io::ArrowTable> table;
};

}  // namespace fovea::python
