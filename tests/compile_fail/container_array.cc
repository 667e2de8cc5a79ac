// SPDX-License-Identifier: Apache-2.0
// Only trivially copyable values may be stored as raw bytes.
// refused: static assertion failed|static_assert failed
#include <string>

#include "fovea/base/container.h"

#if FOVEA_MISUSE
using Element = std::string;
#else
using Element = float;
#endif

void add(fovea::ContainerWriter& writer, const std::vector<Element>& values) {
  writer.add_array("values", std::span<const Element>(values));
}
