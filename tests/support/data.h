// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fovea::testing {

/// The path of a file of the public data sets, below the folder that the environment variable FOVEA_DATA names, else
/// below ./data; "" if the file does not exist.
inline std::string find_data(const std::string& name) {
  const char* folder = std::getenv("FOVEA_DATA");
  const std::filesystem::path path = std::filesystem::path(folder ? folder : "data") / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

}  // namespace fovea::testing

/// In a test body: declares `path` as the data file `name`, or skips the test, visibly.
#define FOVEA_DATA_OR_SKIP(path, name)                        \
  const std::string path = ::fovea::testing::find_data(name); \
  if (path.empty()) GTEST_SKIP() << "needs the data file " << (name) << ": set FOVEA_DATA"
