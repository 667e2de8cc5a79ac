// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/tagging/model/tagger_family.h"
#include "fovea/tagging/train/gp_training_options.h"

namespace fovea::tagging {

/// What to train, on which files.
struct TrainOptions {
  std::string output;
  TaggerFamily family = TaggerFamily::kCrf;
  std::string template_file;
  ItemKind features = ItemKind::kText;
  TextFormat format = TextFormat::kColumns;
  std::string unknown_label;
  std::string dev;
  int folds = 0;
  std::string warm_start;
  std::string checkpoint;
  std::string resume;

  template <class V>
  static void describe(V&& visit) {
    using O = TrainOptions;
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Model to write.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
    visit(&O::family,
          OptionInfo{.name = "family",
                     .description =
                         "crf: a linear-chain CRF. doeblin: Gibbs sweeps in the model of all label n-grams "
                         "with restarts from the chain of label pairs, trained as they will be run. gp: Gaussian "
                         "processes, whose posterior says how sure each label is. svm: a structured support vector "
                         "machine, a chain of label pairs whose scores tell labelings apart but are no log "
                         "probabilities, so that its marginals say little."});
    visit(&O::template_file, OptionInfo{.name = "template",
                                        .description = "Feature template (CRF++'s syntax and more); without it the "
                                                       "built-in one.",
                                        .value_name = "FILE",
                                        .file = FileRole::kInput});
    visit(
        &O::features,
        OptionInfo{.name = "features",
                   .description = "What items are: text, by option 'template' or option 'format'; or the pixels of handwritten "
                                  "letters, word by word (id, letter, next id, word, position, fold, 16 x 8 pixels)."});
    visit(&O::format, OptionInfo{.name = "format",
                                 .description = "Columns with the label last, or CRFsuite's attributes with the label "
                                                "first."});
    visit(&O::unknown_label, OptionInfo{.name = "unknown-label",
                                        .description = "Stands for a label that is not known: training sums over all "
                                                       "labels there.",
                                        .value_name = "TEXT"});
    visit(&O::dev, OptionInfo{.name = "dev",
                              .description = "Labelled sequences to score the model on, as it is trained and at the "
                                             "end.",
                              .value_name = "FILE",
                              .file = FileRole::kInput});
    visit(&O::folds, OptionInfo{.name = "folds",
                                .description = "Cross-validate first: train on all but one of K parts and score that, "
                                               "for each; 0: do not.",
                                .min = 0,
                                .max = 1000,
                                .value_name = "K"});
    describe_continuing(visit);
  }

 private:
  /// Where training begins, and may begin again.
  template <class V>
  static void describe_continuing(V&& visit) {
    using O = TrainOptions;
    visit(&O::warm_start,
          OptionInfo{.name = "warm-start",
                     .description = "Model to go on from: its labels, attributes and template are kept, "
                                    "its weights are the start.",
                     .value_name = "MODEL",
                     .file = FileRole::kInput});
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "Where to keep the state of training, written once a minute; "
                                                    "with option 'family gp', the tagger as it stands; option 'family svm' has none.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same training on the same files, to go on from; "
                                                "with option 'family gp' any tagger, by every option 'inference' but "
                                                "natural-gradient.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
  }
};

/// Labelled files, and how a tagger is fitted to them.
struct TrainJob {
  std::vector<std::string> files = {};  ///< "-" is standard input
  TrainOptions options = {};
  sequence::CrfTrainerOptions crf = {};  ///< of every family but Gaussian processes
  GpModelOptions gp = {};
  GpInferenceOptions gp_inference = {};
};

/// What a training did.
struct TrainReport {
  std::string text;  ///< for people
  std::string json;  ///< the same and more: one object
};

/// Reads the files, cross-validates if asked to, fits a tagger of the job's family and writes it to options.output.
/// Stopped by the run, it writes the tagger as it stands. Throws UsageError for options that contradict each other,
/// InputError (file:line) for what is not labelled text, CancelledError where it was stopped before there was anything
/// to write, and LimitError where the objective is not finite.
TrainReport train(TrainJob job, const Run& run);

}  // namespace fovea::tagging
