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

  static void describe(auto&& visit) {
    visit(&AttributesOptions::features,
          option("features", "Kind of items: text by the template, or the pixels of handwritten letters."));
    visit(&AttributesOptions::template_file, input_file("template", "Feature template; default: the built-in one."));
    visit(&AttributesOptions::output, output_file("output", "Where to write; - or none is standard output.", 'o'));
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
