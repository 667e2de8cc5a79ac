// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"

namespace fovea::cli {

/// The option that all `fovea generate` commands share.
struct GenerateOptions {
  std::string output;

  template <class V>
  static void describe(V&& visit) {
    visit(&GenerateOptions::output, OptionInfo{.name = "output",
                                               .description = "Where to write; standard output if omitted or -.",
                                               .value_name = "FILE",
                                               .letter = 'o',
                                               .file = FileRole::kOutput});
  }
};

}  // namespace fovea::cli
