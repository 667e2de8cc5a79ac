// SPDX-License-Identifier: Apache-2.0
// fovea train: fits a tagger to labelled sequences.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/cli/run/commands.h"
#include "fovea/cli/tagging/features_option.h"
#include "fovea/cli/tagging/gp_training.h"
#include "fovea/cli/tagging/training_facts.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/sequence/learn/margin/structured_svm.h"
#include "fovea/tagging/evaluate/tagger_evaluation.h"
#include "fovea/tagging/model/tagger_family.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TrainCommandOptions {
  std::string output;
  tagging::TaggerFamily family = tagging::TaggerFamily::kCrf;
  std::string template_file;
  tagging::ItemKind features = tagging::ItemKind::kText;
  tagging::TextFormat format = tagging::TextFormat::kColumns;
  std::string unknown_label;
  std::string dev;
  int folds = 0;
  std::string warm_start;
  std::string checkpoint;
  std::string resume;

  template <class V>
  static void describe(V&& visit) {
    using O = TrainCommandOptions;
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
                   .description = "What items are: text, by --template or --format; or the pixels of handwritten "
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
    using O = TrainCommandOptions;
    visit(&O::warm_start,
          OptionInfo{.name = "warm-start",
                     .description = "Model to go on from: its labels, attributes and template are kept, "
                                    "its weights are the start.",
                     .value_name = "MODEL",
                     .file = FileRole::kInput});
    visit(&O::checkpoint, OptionInfo{.name = "checkpoint",
                                     .description = "Where to keep the state of training, written once a minute; "
                                                    "with --family gp, the tagger as it stands; --family svm has none.",
                                     .value_name = "FILE",
                                     .file = FileRole::kCheckpoint});
    visit(&O::resume, OptionInfo{.name = "resume",
                                 .description = "Checkpoint of the same training on the same files, to go on from; "
                                                "with --family gp any tagger, by every --inference but "
                                                "natural-gradient.",
                                 .value_name = "FILE",
                                 .file = FileRole::kResume});
  }
};

/// How to fit; threads and seed are common options of all commands.
struct FitOptions : sequence::CrfTrainerOptions {
  template <class V>
  static void describe(V&& visit) {
    sequence::CrfTrainerOptions::describe([&](auto field, const OptionInfo& info) {
      const std::string_view name = info.name;
      if (name != "threads" && name != "seed") visit(field, info);
    });
  }
};

class Train : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(
        files_, {.name = "FILE", .description = "Labelled sequences; - is standard input.", .file = FileRole::kInput},
        Binder::Presence::kRequired);
    binder.options(options_);
    binder.options(training_, "What to fit, and how");
    gp_.bind(binder);
  }

  void run(const Context& context) override {
    if (options_.output.empty()) throw UsageError("--output is needed: where to write the model");
    check_features();
    check_family();
    tagging::TaggingData data = read(context);
    follow_template(data, context);
    facts_ = {{"files", files_}, {"sequences", data.sequence_count()}, {"items", data.token_count()}};
    if (options_.folds > 0) cross_validate(data, context);
    std::optional<tagging::TaggingData> dev;
    if (!options_.dev.empty()) dev = read_dev(data, context);
    if (options_.family == tagging::TaggerFamily::kGp) fit_gp(data, dev, context);
    else fit(data, dev, context);
  }

 private:
  void check_features() {
    if (options_.features == tagging::ItemKind::kPixels &&
        (!options_.template_file.empty() || options_.format != tagging::TextFormat::kColumns))
      throw UsageError("--features pixels excludes --template and --format, which are about text");
    if (options_.warm_start.empty()) return;
    warm_start_ = tagging::TaggerModel::load(options_.warm_start);
    if (options_.features == tagging::ItemKind::kPixels) check_model_features(*warm_start_, FeaturesChoice::kPixels);
  }

  void check_family() {
    if (options_.family == tagging::TaggerFamily::kGp && warm_start_)
      throw UsageError("--family gp excludes --warm-start; --resume goes on from a tagger of Gaussian processes");
    if (options_.family == tagging::TaggerFamily::kGp && training_.factor_size > 2)
      throw UsageError(fmt::format("factor-size {}: --family gp scores label pairs, 2 at most", training_.factor_size));
    check_svm();
    const bool doeblin = options_.family == tagging::TaggerFamily::kDoeblin;
    if (doeblin && training_.gradient != sequence::CrfGradient::kAuto &&
        training_.gradient != sequence::CrfGradient::kDoeblin)
      throw UsageError("--family doeblin has its own gradient; leave --gradient out");
    if (!doeblin && training_.gradient == sequence::CrfGradient::kDoeblin)
      throw UsageError("--gradient doeblin needs --family doeblin");
    if (doeblin && training_.factor_size < 3 && training_.restart_rate != 1)
      throw UsageError("--family doeblin needs --factor-size 3 or more: a chain of label pairs is exact by itself");
    if (doeblin) training_.gradient = sequence::CrfGradient::kDoeblin;
  }

  bool is_svm() const { return options_.family == tagging::TaggerFamily::kSvm; }

  void check_svm() const {
    if (!is_svm() && training_.gap_tolerance != FitOptions().gap_tolerance)
      throw UsageError("--gap-tolerance needs --family svm");
    if (!is_svm()) return;
    if (!options_.checkpoint.empty() || !options_.resume.empty())
      throw UsageError("--family svm keeps no state to go on from: leave --checkpoint and --resume out");
    if (warm_start_) throw UsageError("--family svm excludes --warm-start: it starts from weights of 0");
    if (!options_.unknown_label.empty())
      throw UsageError("--family svm excludes --unknown-label: it needs a label for every item, which a CRF does not");
    (void)sequence::StructuredSvmTrainer(training_);
  }

  /// Of the chain that a model in training is judged by; 0 where there is none.
  double dev_restart_rate() const {
    if (training_.gradient != sequence::CrfGradient::kDoeblin) return 0;
    return training_.restart_rate > 0 ? training_.restart_rate : .25;
  }

  tagging::TaggingData read(const Context& context) {
    tagging::TaggingDataReader reader =
        warm_start_ ? tagging::TaggingDataReader(*warm_start_, tagging::UnknownAttributes::kAdd, options_.unknown_label)
                    : tagging::TaggingDataReader(reader_options());
    for (const std::string& file : files_)
      reader.read(io::ByteSource(file), context.console.progress(), &context.cancel);
    tagging::TaggingData data = std::move(reader).finish();
    if (training_.cut_off > 1 && !warm_start_) {
      tagging::drop_rare_attributes(data.set.items, data.attributes, static_cast<std::uint64_t>(training_.cut_off));
      data.set.attribute_count = data.attributes.size();
    }
    return data;
  }

  /// Without a B line there are no label pairs, as in CRF++.
  void follow_template(const tagging::TaggingData& data, const Context& context) {
    if (!data.feature_template || data.feature_template->label_ngrams()) return;
    if (options_.family == tagging::TaggerFamily::kGp)
      return context.console.warn("the template has no B line, but --family gp scores label pairs all the same");
    if (training_.factor_size > 2)
      throw UsageError(fmt::format("--factor-size {} asks for label n-grams, but the template has no B line; add one",
                                   training_.factor_size));
    if (training_.factor_size == 1 || (warm_start_ && warm_start_->weights.factor_size() > 1)) return;
    training_.factor_size = 1;
    context.console.note("the template has no B line: label pairs are not scored, as in CRF++; add the line for them");
  }

  tagging::TaggingDataReader::Options reader_options() const {
    tagging::TaggingDataReader::Options options{.unknown_label = options_.unknown_label};
    if (options_.features == tagging::ItemKind::kPixels) options.format = tagging::TaggingFormat::kPixels;
    else if (options_.format == tagging::TextFormat::kAttributes) options.format = tagging::TaggingFormat::kAttributes;
    if (!options_.template_file.empty()) options.feature_template = tagging::read_template(options_.template_file);
    return options;
  }

  tagging::TaggerVocabulary vocabulary_of(const tagging::TaggingData& data) const {
    tagging::TaggerVocabulary vocabulary;
    vocabulary.labels.assign(data.labels.begin(), data.labels.begin() + data.set.label_count);
    vocabulary.format = data.format;
    vocabulary.feature_template = data.feature_template;
    vocabulary.observation_columns = data.observation_columns;
    vocabulary.separator = data.separator;
    vocabulary.attributes = data.attributes.freeze();
    vocabulary.training = stored_facts(facts_);
    return vocabulary;
  }

  tagging::TaggerModel model_of(const tagging::TaggingData& data, sequence::CrfWeights weights,
                                double restart_rate = 0) const {
    tagging::TaggerModel model;
    static_cast<tagging::TaggerVocabulary&>(model) = vocabulary_of(data);
    model.weights = std::move(weights);
    model.restart_rate = restart_rate;
    model.fingerprint = tagging::tagger_fingerprint(model);
    return model;
  }

  tagging::TaggingData read_dev(const tagging::TaggingData& data, const Context& context) const {
    tagging::TaggingDataReader reader(vocabulary_of(data), tagging::UnknownAttributes::kDrop, options_.unknown_label);
    reader.read(io::ByteSource(options_.dev), context.console.progress(), &context.cancel);
    return std::move(reader).finish();
  }

  sequence::CrfTrainer::Result train_weights(const sequence::TrainingSet& set, const sequence::TrainingControl& control,
                                             const sequence::CrfWeights* warm_start, const Context& context) const {
    sequence::CrfTrainerOptions options = training_;
    options.threads = context.common.threads;
    options.seed = context.common.seed;
    if (is_svm()) return sequence::StructuredSvmTrainer(options).train(set, control);
    return sequence::CrfTrainer(options).train(set, control, warm_start);
  }

  static sequence::TrainingControl cancellable(const Context& context) {
    sequence::TrainingControl control;
    control.cancel = &context.cancel;
    control.warn = context.console.warnings();
    return control;
  }

  void fit(const tagging::TaggingData& data, const std::optional<tagging::TaggingData>& dev, const Context& context) {
    sequence::TrainingControl control = cancellable(context);
    control.checkpoint_path = options_.checkpoint;
    control.resume_path = options_.resume;
    double dev_score = 0;
    if (const ProgressFunction progress = context.console.progress()) {
      control.observer = [&dev, &dev_score, progress](const optimize::IterationRecord& record) {
        dev_score = record.dev_score.value_or(dev_score);
        progress({.phase = "training",
                  .done = static_cast<double>(record.iteration),
                  .seconds = record.seconds,
                  .figure = dev                      ? "dev score"
                            : record.objective_error ? "-log p of an item"
                                                     : "objective",
                  .value = dev ? dev_score : record.objective});
        return true;
      };
      if (dev)
        control.dev_score = [&](const sequence::CrfWeights& w) {
          return tagging::tagging_score(tagging::evaluate_tagger(w, *dev, dev_restart_rate()));
        };
    }
    sequence::CrfTrainer::Result result =
        train_weights(data.set, control, warm_start_ ? &warm_start_->weights : nullptr, context);
    context.console.clear_progress();
    if (context.cancel.cancelled() && result.summary.last.iteration == 0)
      throw CancelledError("stopped before the first iteration; no model was written");
    if (!result.summary.usable())
      throw LimitError("training gave no usable weights: the objective is not finite; raise --l2");
    for (const sequence::ScaledAttribute& scaled : result.summary.scaled)
      context.console.warn(fmt::format("the values of attribute '{}' reach {:.3g}: trained on values divided by that",
                                       data.attributes.text(scaled.attribute), scaled.scale));
    finish(data, dev, std::move(result), context);
  }

  void finish(const tagging::TaggingData& data, const std::optional<tagging::TaggingData>& dev,
              sequence::CrfTrainer::Result result, const Context& context) {
    const sequence::TrainSummary& summary = result.summary;
    if (is_svm()) facts_["family"] = word_of(options_.family);
    facts_["features"] = summary.pair_features + summary.ngram_features;
    facts_["objective"] = summary.last.objective;
    if (summary.last.gap) facts_["gap"] = *summary.last.gap;
    facts_["iterations"] = summary.last.iteration;
    facts_["ended_by"] = optimize::to_string(summary.termination);
    facts_["gradient"] = summary.used_gradient;
    facts_["optimizer"] = summary.used_optimizer;
    if (summary.restart_rate > 0) facts_["restart_rate"] = summary.restart_rate;
    for (const optimize::IterationRecord& pass : summary.curve)
      facts_["curve"].push_back(
          {{"pass", pass.iteration}, {"objective", pass.objective}, {"error", pass.objective_error.value_or(0)}});
    facts_["seconds"] = summary.seconds;
    facts_["options"] = Json::parse(options_json(training_));
    std::string text = summary.full();
    if (dev) {
      const tagging::TaggingMetrics metrics = tagging::evaluate_tagger(result.weights, *dev, summary.restart_rate);
      facts_["dev"] = {{"score", tagging::tagging_score(metrics)}, {"accuracy", metrics.accuracy()}};
      text += fmt::format("dev: {}\n", metrics.brief());
    }
    model_of(data, std::move(result.weights), summary.restart_rate).save(options_.output, data.attributes);
    report(text, context);
  }

  void fit_gp(const tagging::TaggingData& data, const std::optional<tagging::TaggingData>& dev,
              const Context& context) {
    const GpTraining::Files files = {
        .output = options_.output, .checkpoint = options_.checkpoint, .resume = options_.resume};
    report(gp_.train(data, dev, vocabulary_of(data), files, facts_, context), context);
  }

  void report(const std::string& text, const Context& context) const {
    if (context.common.json)
      context.console.out() << facts_.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    else if (!context.common.quiet) context.console.out() << text;
  }

  void cross_validate(const tagging::TaggingData& data, const Context& context) {
    const auto folds = static_cast<std::size_t>(options_.folds);
    if (folds < 2 || folds > data.sequence_count())
      throw UsageError(
          fmt::format("--folds {}: must be 2 to the number of sequences, {}", folds, data.sequence_count()));
    facts_["folds"] = Json::array();
    for (std::size_t fold = 0; fold < folds; ++fold) {
      const tagging::TaggingData part = tagging::fold_of(data, folds, fold, false);
      const tagging::TaggingMetrics metrics = score_fold(part, tagging::fold_of(data, folds, fold, true), context);
      if (context.cancel.cancelled()) throw CancelledError("interrupted while cross-validating");
      facts_["folds"].push_back({{"score", tagging::tagging_score(metrics)}, {"accuracy", metrics.accuracy()}});
      context.console.note(fmt::format("fold {} of {}: {}", fold + 1, folds, metrics.brief()));
    }
  }

  tagging::TaggingMetrics score_fold(const tagging::TaggingData& part, const tagging::TaggingData& held_out,
                                     const Context& context) const {
    if (options_.family == tagging::TaggerFamily::kGp) return gp_.cross_validate(part, held_out, context);
    const sequence::CrfTrainer::Result result = train_weights(part.set, cancellable(context), nullptr, context);
    return tagging::evaluate_tagger(result.weights, held_out, result.summary.restart_rate);
  }

  std::vector<std::string> files_;
  TrainCommandOptions options_;
  FitOptions training_;
  GpTraining gp_;
  std::optional<tagging::TaggerModel> warm_start_;
  Json facts_;
};

}  // namespace

CommandEntry train_command() {
  return {.name = "train",
          .summary = "Fit a tagger to labelled sequences.",
          .description =
              "Reads columns with the label last, one item a line, blank lines between sequences; .gz, .xz and .zst "
              "are unpacked. Handwritten letters with --features pixels. Fits a linear-chain CRF of any order, or one "
              "to be used through a "
              "Markov chain that surely mixes (--family doeblin), or Gaussian processes, which say how sure they are "
              "(--family gp), or a structured SVM (--family svm), which has margins instead of probabilities. Ctrl-C "
              "writes the model as it stands.",
          .examples =
              "  fovea train --template ner.template --factor-size 4 train.txt.gz -o ner.model\n"
              "  fovea train train.txt.gz --dev dev.txt.gz --l2 0.5 -o ner.model\n"
              "  fovea train --family doeblin --factor-size 4 train.txt.gz -o chain.model\n"
              "  fovea train --family gp --kernel 'linear(1)' train.txt.gz -o np.gp\n"
              "  fovea train --family svm --l2 0.1 --folds 5 train.txt.gz -o np.model\n"
              "  fovea train --format attributes train.crfsuite -o ner.model\n"
              "  fovea train --features pixels --factor-size 4 fold[1-9].tsv.gz -o ocr.model\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<Train>(); }};
}

}  // namespace fovea::cli
