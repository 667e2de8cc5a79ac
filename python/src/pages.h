// SPDX-License-Identifier: Apache-2.0
// Pages for people.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

namespace fovea::python {

/// The HTML of a page that `make` makes, without the GIL.
template <class Make>
std::string html_of(const Make& make) {
  const nanobind::gil_scoped_release no_gil;
  return make().html();
}

}  // namespace fovea::python
