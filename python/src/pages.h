// SPDX-License-Identifier: Apache-2.0
// Pages for people.
#pragma once

#include <string>

#include "long_call.h"

namespace fovea::python {

/// The HTML of the page that make() makes, on a thread of its own, as long calls are made.
template <class Make>
std::string html_of(const Make& make) {
  return call_whole({}, "", [&](const Run&) { return make().html(); });
}

}  // namespace fovea::python
