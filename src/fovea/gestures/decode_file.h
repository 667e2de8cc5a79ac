// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/gestures/gesture.h"
#include "fovea/gestures/keyboard_model.h"

namespace fovea::gestures {

/// The words before a swipe, for models that heed them.
enum class GestureContext : std::uint8_t {
  kColumn,  ///< those of the column `before`, if there is one
  kMeant,   ///< the words that the earlier swipes of the same uid meant
  kRead     ///< the words that were read there
};
constexpr auto words_of(GestureContext) {
  using enum GestureContext;
  return std::array{Word{kColumn, "column"}, Word{kMeant, "meant"}, Word{kRead, "read"}};
}

/// Options for reading swipes and writing their words.
struct DecodeFileOptions {
  int n_best = 1;
  GestureContext context = GestureContext::kColumn;
  AlignmentReading reading = AlignmentReading::kExact;
  std::string budget = "20 transitions/item";
  std::string output = "";

  static void describe(auto&& visit) {
    using O = DecodeFileOptions;
    visit(&O::n_best, number_in(1, 1e6, "n-best", "Maximum number of words per gesture."));
    visit(&O::context,
          option(
              "context",
              "Words before a swipe, for models that learned from text. column: those in the column 'before', if there "
              "is one; meant: the words (column 'word') of the same uid's earlier swipes that have not failed; read: "
              "the words that were read there."));
    visit(&O::reading,
          option("reading",
                 "How an alignment model reads: exact sums all alignments of every word of the dictionary; chain runs "
                 "the restarting chain, which is less often right but also finds words that the dictionary lacks."));
    visit(&O::budget, option("budget",
                             "Work for each gesture: 'N transitions/item'. A transition updates one label (alignment, "
                             "with 'reading chain') or scores one word in full (path).",
                             "TEXT"));
    visit(&O::output, output_file("output", "File to write to; - or none is standard output.", 'o'));
  }
};

/// The most likely words of each gesture in memory, best first, as decode_file writes them: [gesture][rank]. Results do
/// not depend on the number of threads. Throws CancelledError if the run is cancelled, and InputError, which names
/// gesture i "X[i]", if a path model gets a gesture without points.
std::vector<std::vector<DecodedWord>> decode_gestures(const KeyboardModel& model, std::span<const Gesture> gestures,
                                                      const DecodeFileOptions& options, const Run& run);

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
