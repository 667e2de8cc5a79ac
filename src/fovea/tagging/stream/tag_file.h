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
  std::string report_html = "";
  int explain = 0;

  static void describe(auto&& visit) {
    using O = TagFileOptions;
    visit(&O::policy, input_file("policy", "Policy that 'fovea tune' learned for this model."));
    visit(&O::output, output_file("output", "Where to write; - or none is standard output.", 'o'));
    visit(&O::show_sampling, option("show-sampling",
                                    "Write the text instead of columns: darker for more visits (on a terminal), or "
                                    "with the number of visits after each token."));
    visit(&O::svg, output_file("svg", "With option 'show-sampling', also write the picture as SVG."));
    visit(&O::report_html,
          output_file("report-html",
                      "Also write a page for people: the text with its labels in colours; with option 'marginals' how "
                      "sure they are, with option 'n-best' other labelings, with option 'show-sampling' the visits. It "
                      "needs no network."));
    visit(&O::explain,
          number_in(0, 1000, "explain",
                    "Write why each item has its label rather than the runner-up, instead of columns: the difference "
                    "in log score, then the N attributes and label n-grams that make the most of it, each with its "
                    "part, its weight for the label and its weight for the runner-up. 0: do not."));
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
