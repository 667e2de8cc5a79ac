// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "fovea/base/options.h"

namespace fovea::cli {

/// A file that a command was given: by which option or argument, and what for.
struct NamedFile {
  std::string option = "";  ///< "--output", "FILE"
  FileRole role = FileRole::kNone;
  std::string path = "";
};

/// Throws UsageError where an output would replace a file that is read (also through links, and standard input), or
/// two outputs would be one file; InputError where an output cannot be written. So a command that runs for hours knows
/// before it begins. Outputs that are pipes or devices are not looked at, nor is "-".
void check_files(std::span<const NamedFile> files);

}  // namespace fovea::cli
