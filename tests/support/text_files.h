// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fovea/io/output_file.h"

namespace fovea::testing {

/// The text that write(OutputFile&) writes.
template <class Write>
std::string written(const Write& write) {
  std::string bytes;
  io::OutputFile output = io::OutputFile::to_memory(bytes);
  write(output);
  output.finish();
  return bytes;
}

/// `text` with the first `good`, which it must hold, replaced by `bad`.
inline std::string with_replaced(std::string_view text, std::string_view good, std::string_view bad) {
  std::string result(text);
  return result.replace(result.find(good), good.size(), bad);
}

}  // namespace fovea::testing
