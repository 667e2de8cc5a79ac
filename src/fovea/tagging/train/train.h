// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/tagging/family/tagger.h"
#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/model/group_choice.h"
#include "fovea/tagging/model/tagger_kinds.h"
#include "fovea/tagging/train/gp_training_options.h"
#include "fovea/tagging/train/recipe.h"

namespace fovea::sequence {
struct TuneOptions;
}  // namespace fovea::sequence

namespace fovea::tagging {

/// Options for training: the model and the files.
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

  static void describe(auto&& visit) {
    using O = TrainOptions;
    visit(&O::output, output_file("output", "Model to write.", 'o'));
    visit(
        &O::family,
        option(
            "family",
            "Kind of tagger. crf: a linear-chain CRF. doeblin: Gibbs sweeps in the model of all label n-grams with "
            "restarts from the chain of label pairs, trained as they will run. gp: Gaussian processes, "
            "averaged over what the data leave open, for kernels and likelihoods of your own; on text, a CRF with "
            "option 'calibrate' is as good and much faster. svm: a structured support vector machine, a chain of label "
            "pairs "
            "whose scores tell labelings apart but are not log probabilities: its marginals mean little without option "
            "'calibrate'."));
    visit(&O::template_file,
          input_file("template", "Feature template (CRF++'s syntax and more); default: the built-in one."));
    visit(&O::features,
          option("features",
                 "Kind of items: text, by option 'template' or option 'format'; or handwritten letters, word by word "
                 "(id, letter, next id, word, position, fold, 16 x 8 pixels): pixels has an attribute for each black "
                 "pixel, pixel-values one for each pixel and its value."));
    visit(&O::format, option("format", "Columns with the label last, or CRFsuite's attributes with the label first."));
    visit(
        &O::unknown_label,
        option("unknown-label", "Text that stands for an unknown label: training sums over all labels there.", "TEXT"));
    visit(&O::dev, input_file("dev", "Labelled sequences to score the model on, as it is trained and at the end."));
    visit(&O::folds, OptionInfo{.name = "folds",
                                .description = "Cross-validate first: train on all but one of K parts and score that "
                                               "one, for each part; 0: do not.",
                                .min = 0,
                                .max = 1000,
                                .value_name = "K"});
    describe_continuing(visit);
  }

 private:
  /// Options for starting from a model and for going on after a stop.
  static void describe_continuing(auto&& visit) {
    using O = TrainOptions;
    visit(&O::warm_start,
          OptionInfo{.name = "warm-start",
                     .description = "Model to go on from: its labels, attributes and template are kept, and "
                                    "training starts from its weights.",
                     .value_name = "MODEL",
                     .file = FileRole::kInput});
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "File for the state of training, written once a minute; "
                                                    "with option 'family gp', the tagger as it stands; "
                                                    "option 'family svm' has none.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same training on the same files, to go on from; "
                                                "with option 'family gp', any tagger, for every option 'inference' "
                                                "except natural-gradient.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
  }
};

/// Probabilities that are as high as labels are often right.
struct CalibrationOptions {
  bool calibrate = false;
  std::string groups = "";

  static void describe(auto&& visit) {
    using O = CalibrationOptions;
    visit(&O::calibrate,
          option("calibrate",
                 "Make probabilities as high as labels are often right: divide all scores by the temperature that fits "
                 "labels left out best, those of option 'dev' or else of five parts, each predicted by a model of the "
                 "others. Labels stay as they are. Gaussian processes always do this."));
    visit(&O::groups,
          option("groups",
                 "Sequences that belong together, such as those of a document or a writer: option 'calibrate' and "
                 "option 'folds' never leave out a part of a group. file: those of a file; a number from 1 on: those "
                 "whose first items have the same cell in this column.",
                 "file|COLUMN"));
  }
};

/// Time for training of any family, cross-validation and calibration included.
struct TrainLimit {
  std::string time_limit = "";

  static void describe(auto&& visit) { visit(&TrainLimit::time_limit, time_limit_option()); }
};

/// Labelled files, and the options for fitting a tagger to them.
struct TrainJob {
  std::vector<std::string> files = {};  ///< "-" is standard input
  TrainOptions options = {};
  RecipeOption recipe = {};
  CalibrationOptions calibration = {};
  TrainLimit limit = {};
  sequence::CrfTrainerOptions crf = {};  ///< of every family except Gaussian processes
  GpModelOptions gp = {};
  GpInferenceOptions gp_inference = {};
};

struct TaggingData;
struct TrainedTagger;
class TaggingDataReader;

/// Sequences to score a model on, kept until the numbers of its labels and attributes are known.
struct DevSequences {
  std::vector<ItemSequence> columns = {};
  std::vector<AttributeSequence> attributes = {};
  std::size_t count = 0;  ///< with those that are empty
  bool empty() const { return columns.empty() && attributes.empty(); }
};

/// Labelled sequences in memory to train or tune on. Only what training needs of a sequence is kept.
class TrainingSequences {
 public:
  /// Sequences of columns, from which a template makes attributes; "" is the built-in one. Items whose label is
  /// `unknown_label`, if that is not empty, have none. A column of `groups` may name a sequence's group. Throws
  /// InputError for a text that is not a template.
  static TrainingSequences of_columns(const std::string& template_text = "", const std::string& unknown_label = "",
                                      GroupChoice groups = {});
  /// Sequences of items with attributes.
  static TrainingSequences of_attributes(const std::string& unknown_label = "");
  /// Sequences to tune `tagger` on: their items are of its kind, and attributes and labels that it does not have count
  /// as unknown.
  static TrainingSequences of_tagger(const Tagger& tagger, const std::string& unknown_label = "");
  /// Sequences of a shard, for ShardObjective: `features` is what merge_features() returned, and attributes that it
  /// does not have are left out.
  static TrainingSequences of_features(std::string_view features, const std::string& unknown_label = "");
  ~TrainingSequences();
  TrainingSequences(TrainingSequences&&) noexcept;

  /// Adds a sequence of columns: the cells and the label of each item. Throws UsageError if labels are more or fewer
  /// than items, InputError if cells are more or fewer than in other items, and for an empty label. A sequence without
  /// items is left out.
  void add(std::span<const std::vector<std::string>> items, std::span<const std::string> labels);
  /// Adds a sequence of items with attributes and labels.
  void add(const AttributeSequence& sequence);
  /// Adds a sequence that is not trained on, only scored, as those of option 'dev'. Throws as add() does.
  void add_dev(std::span<const std::vector<std::string>> items, std::span<const std::string> labels);
  void add_dev(const AttributeSequence& sequence);

  std::size_t sequence_count() const { return count_; }

  /// Encodes all sequences; the object must not be used again. Throws UsageError if it has none. purpose: what they are
  /// for, as the message says it, such as "train on".
  TaggingData finish(const char* purpose) &&;

 private:
  friend TrainedTagger train(TrainingSequences sequences, TrainJob job, const Run& run);
  friend sequence::Policy tune_tagger(const Tagger& tagger, TrainingSequences sequences,
                                      const sequence::TuneOptions& options, const Run& run);
  explicit TrainingSequences(std::unique_ptr<TaggingDataReader> reader);
  void require_items(const char* purpose) const;

  std::unique_ptr<TaggingDataReader> reader_;
  DevSequences dev_;
  std::size_t count_ = 0;
  bool has_items_ = false;
  const void* tagger_ = nullptr;  // whose numbers the sequences have; null: their own
};

/// Report on a training.
struct TrainReport {
  std::string text;  ///< for people
  std::string json;  ///< the same and more: one object
};

/// A tagger that was trained in memory.
struct TrainedTagger {
  std::string bytes;  ///< those of its file: Tagger::load reads them
  TrainReport report;
};

/// Reads the files, cross-validates if asked to, fits a tagger of the job's family and writes it to options.output. If
/// stopped by the run, it writes the tagger as it stands. Throws UsageError for options that contradict each other,
/// InputError (file:line) for input that is not labelled text, CancelledError if it was stopped before there was
/// anything to write, and LimitError if the objective is not finite.
TrainReport train(TrainJob job, const Run& run);

/// The same with sequences in memory instead of files; options.output is not used, options.dev and options.warm_start
/// are files as ever.
TrainedTagger train(TrainingSequences sequences, TrainJob job, const Run& run);

}  // namespace fovea::tagging
