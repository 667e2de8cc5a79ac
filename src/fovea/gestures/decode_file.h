// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"

namespace fovea::gestures {

/// How swipes are read, and where the words go.
struct DecodeFileOptions {
  int n_best = 1;
  std::string budget = "20 transitions/item";
  std::string output = "";

  template <class V>
  static void describe(V&& visit) {
    using O = DecodeFileOptions;
    visit(&O::n_best,
          OptionInfo{.name = "n-best", .description = "Words for a gesture, at most.", .min = 1, .max = 1e6});
    visit(&O::budget,
          OptionInfo{.name = "budget",
                     .description = "Work for each gesture: 'N transitions/item'. A transition updates one label "
                                    "(alignment) or scores one word in full (path).",
                     .value_name = "TEXT"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write; - or none is standard output.",
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

/// What was read, how fast, and how often rightly where the input has the words.
struct DecodeFileReport {
  std::string text;
  std::string json;  ///< one object
};

/// Writes the likeliest words of each swipe, in order. A run that is stopped leaves no output file.
DecodeFileReport decode_file(const DecodeFileJob& job, const Run& run);

}  // namespace fovea::gestures
