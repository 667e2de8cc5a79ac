// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/tagging/model/tagger_family.h"

namespace fovea::tagging {

/// What items are, by which template, and where their attributes go.
struct AttributesOptions {
  ItemKind features = ItemKind::kText;
  std::string template_file = "";
  std::string output = "";

  template <class V>
  static void describe(V&& visit) {
    visit(&AttributesOptions::features, OptionInfo{.name = "features",
                                                   .description = "What items are: text by the template, or the pixels "
                                                                  "of handwritten letters."});
    visit(&AttributesOptions::template_file, OptionInfo{.name = "template",
                                                        .description = "Feature template; without it the built-in one.",
                                                        .value_name = "FILE",
                                                        .file = FileRole::kInput});
    visit(&AttributesOptions::output, OptionInfo{.name = "output",
                                                 .description = "Where to write; - or none is standard output.",
                                                 .value_name = "FILE",
                                                 .letter = 'o',
                                                 .file = FileRole::kOutput});
  }
};

/// Labelled text, whose attributes are to be written.
struct AttributesJob {
  std::string file = "";  ///< "-" or "" is standard input
  AttributesOptions options = {};
};

/// Writes the attributes that a tagger sees, in CRFsuite's format. Throws InputError (file:line) for bad input,
/// CancelledError where it was stopped, and leaves no output then.
void write_attributes(const AttributesJob& job, const Run& run);

}  // namespace fovea::tagging
