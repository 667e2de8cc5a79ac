// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/tagging/model/tagger_kinds.h"

namespace fovea::tagging {

/// Kind of the items, their template, and the output for their attributes.
struct AttributesOptions {
  ItemKind features = ItemKind::kText;
  std::string template_file = "";
  std::string output = "";

  template <class V>
  static void describe(V&& visit) {
    visit(&AttributesOptions::features, OptionInfo{.name = "features",
                                                   .description = "Kind of items: text by the template, or the pixels "
                                                                  "of handwritten letters."});
    visit(&AttributesOptions::template_file, OptionInfo{.name = "template",
                                                        .description = "Feature template; default: the built-in one.",
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

/// Writes the attributes that a tagger sees, in CRFsuite's format. Throws InputError (file:line) for bad input and
/// CancelledError if it was stopped, and then leaves no output.
void write_attributes(const AttributesJob& job, const Run& run);

}  // namespace fovea::tagging
