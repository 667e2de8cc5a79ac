// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/decode/decode_options.h"
#include "fovea/tagging/model/tagger_kinds.h"
#include "fovea/tagging/stream/tag_options.h"

namespace fovea::tagging {

/// The files of tagging other than model and text, and the picture of where it sampled.
struct TagFileOptions {
  std::string policy = "";
  std::string output = "";
  bool show_sampling = false;
  std::string svg = "";

  template <class V>
  static void describe(V&& visit) {
    using O = TagFileOptions;
    visit(&O::policy, OptionInfo{.name = "policy",
                                 .description = "Policy that 'fovea tune' learned for this model.",
                                 .value_name = "FILE",
                                 .file = FileRole::kInput});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::show_sampling,
          OptionInfo{.name = "show-sampling",
                     .description = "Write the text instead of columns: darker for more visits (on a terminal), or "
                                    "with the number of visits after each token."});
    visit(&O::svg, OptionInfo{.name = "svg",
                              .description = "With option 'show-sampling', also write the picture as SVG.",
                              .value_name = "FILE",
                              .file = FileRole::kOutput});
  }
};

/// A tagger in a file, of any family, and a text to tag.
struct TagFileJob {
  std::string model = "", input = "";  ///< input: "-" or "" is standard input
  TagFileOptions files = {};
  FeaturesOption features = {};
  TagOptions options = {};
  sequence::DecodeOptions decode = {};
  bool color = false;  ///< the output takes a terminal's colours
};

/// Report on tagging a file.
struct TagFileReport {
  std::string text;  ///< a table of what was given and used, counts and seconds
  std::string json;  ///< the same: one object
};

/// Tags the text into files.output (tag_stream); a cancelled run leaves no output file.
/// Warns about input that the model was not trained for. Throws InputError (file:line) on bad input, UsageError for
/// options that do not go together.
TagFileReport tag_file(const TagFileJob& job, const Run& run);

}  // namespace fovea::tagging
