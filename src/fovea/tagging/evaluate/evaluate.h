// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/tagging/metrics/calibration.h"
#include "fovea/tagging/metrics/paired_bootstrap.h"
#include "fovea/tagging/stream/marginal_columns.h"

namespace fovea::tagging {

/// Score that option 'against' compares.
enum class ScoreChoice { kAuto, kF1, kAccuracy };
constexpr auto words_of(ScoreChoice) {
  using enum ScoreChoice;
  return std::array{Word{kAuto, "auto"}, Word{kF1, "f1"}, Word{kAccuracy, "accuracy"}};
}

/// Options for evaluating a tagged file.
struct EvaluateOptions {
  std::string against = "";
  ScoreChoice score = ScoreChoice::kAuto;
  std::string unknown_label = "";
  bool brief = false;
  MarginalsIn marginals = MarginalsIn::kAuto;
  int bins = Calibration::kDefaultBins;
  std::string reliability = "";
  std::string out_of_domain = "";
  std::string report_html = "";

  static void describe(auto&& visit) {
    describe_scores(visit);
    describe_probabilities(visit);
  }

 private:
  static void describe_scores(auto&& visit) {
    visit(&EvaluateOptions::against,
          input_file("against",
                     "Another tagging of the same text: reports the difference, FILE's score minus this one's, with an "
                     "interval from a paired bootstrap over sentences."));
    visit(&EvaluateOptions::score,
          option("score", "Score that option 'against' compares; auto: f1 if labels mark entities."));
    visit(&EvaluateOptions::unknown_label, option("unknown-label",
                                                  "Text that stands for an unknown gold label: such items are not "
                                                  "scored, nor are the entities of their sentences.",
                                                  "TEXT"));
    visit(&EvaluateOptions::brief, option("brief", "One line instead of tables."));
  }

  static void describe_probabilities(auto&& visit) {
    using O = EvaluateOptions;
    visit(
        &O::marginals,
        option(
            "marginals",
            "Says if probabilities follow the prediction; auto: they do if the first line ends with label:probability "
            "in six digits, as 'fovea tag' writes it; yes: they do, with numbers of any spelling."));
    visit(&O::bins,
          number_in(1, 100, "bins", "Number of bins of confidence, of equal width, for the calibration error."));
    visit(&O::reliability, output_file("reliability",
                                       "SVG picture to draw: the accuracy in each bin of confidence, and the share of "
                                       "mistakes among the surest items."));
    visit(&O::out_of_domain, input_file("out-of-domain",
                                        "Another text, tagged with probabilities by the same tagger: reports how well "
                                        "its doubt (entropy, or 1 - confidence) tells the two texts apart."));
    visit(&O::report_html,
          output_file("report-html",
                      "Also write a page for people: scores, mistakes by label, sentences with mistakes and, with "
                      "probabilities, reliability and the share of mistakes among the surest items; with "
                      "option 'against' of both taggings. It needs no network."));
  }
};

/// A tagged file with gold labels, as `fovea tag` writes it.
struct EvaluateJob {
  std::string file = "";  ///< "-" or "" is standard input
  EvaluateOptions options = {};
  BootstrapOptions bootstrap = {};
};

/// Results of an evaluation.
struct EvaluateReport {
  std::string text;
  std::string json;  ///< one object
};

/// Scores the file, or compares it with another tagging of the same text. Writes the picture if one is asked for. Warns
/// about labels that look like mistakes. Throws InputError (file:line) for input that is not tagged text, UsageError
/// for options that do not go together.
EvaluateReport evaluate(const EvaluateJob& job, const Run& run);

}  // namespace fovea::tagging
