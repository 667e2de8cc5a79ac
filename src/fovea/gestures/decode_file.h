// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"

namespace fovea::gestures {

/// Options for reading swipes and writing their words.
struct DecodeFileOptions {
  int n_best = 1;
  std::string budget = "20 transitions/item";
  std::string output = "";

  template <class V>
  static void describe(V&& visit) {
    using O = DecodeFileOptions;
    visit(&O::n_best,
          OptionInfo{.name = "n-best", .description = "Maximum number of words per gesture.", .min = 1, .max = 1e6});
    visit(&O::budget,
          OptionInfo{.name = "budget",
                     .description = "Work for each gesture: 'N transitions/item'. A transition updates one label "
                                    "(alignment) or scores one word in full (path).",
                     .value_name = "TEXT"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "File to write to; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
  }
};

/// A keyboard model and swipes, in files.
struct DecodeFileJob {
  std::string model = "", input = "";  ///< input: "-" or "" is standard input
  DecodeFileOptions options = {};
  bool as_json = false;  ///< lines of JSON instead of a table
};

/// Counts of what was read, the speed and, if the input has the words, the accuracy.
struct DecodeFileReport {
  std::string text;
  std::string json;  ///< one object
};

/// Writes the most likely words of each swipe, in order. A run that is stopped leaves no output file.
DecodeFileReport decode_file(const DecodeFileJob& job, const Run& run);

}  // namespace fovea::gestures
