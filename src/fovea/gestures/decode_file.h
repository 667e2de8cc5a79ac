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

  static void describe(auto&& visit) {
    using O = DecodeFileOptions;
    visit(&O::n_best, number_in(1, 1e6, "n-best", "Maximum number of words per gesture."));
    visit(&O::budget, option("budget",
                             "Work for each gesture: 'N transitions/item'. A transition updates one label (alignment) "
                             "or scores one word in full (path).",
                             "TEXT"));
    visit(&O::output, output_file("output", "File to write to; - or none is standard output.", 'o'));
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
