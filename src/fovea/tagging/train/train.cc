// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/train.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/margin/structured_svm.h"
#include "fovea/tagging/evaluate/tagger_evaluation.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fovea/tagging/train/calibration_fit.h"
#include "fovea/tagging/train/gp_training.h"

namespace fovea::tagging {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCalibrationFolds = 5;

/// One call of train().
class Training {
 public:
  /// The tagger goes to `target`.
  Training(TrainJob job, ContainerTarget target) : job_(std::move(job)), target_(std::move(target)) {
    apply_recipe(job_);
    check_features();
    check_family();
    const Budget limit = parse_budget({}, job_.limit.time_limit);
    if (limit.seconds_per_item) throw UsageError("training is one item: leave out '/item' in option 'time-limit'");
    most_seconds_ = limit.seconds;
  }

  TrainReport run(const Run& whole) {
    const Run run = whole.ending_after(most_seconds_);
    TaggingDataReader reader =
        warm_start_ ? TaggingDataReader(*warm_start_, UnknownAttributes::kAdd, job_.options.unknown_label,
                                        GroupChoice::of_text(job_.calibration.groups))
                    : TaggingDataReader(reader_options());
    run.begin_phase("reading");
    for (const std::string& file : job_.files) reader.read(io::ByteSource(file), run);
    facts_ = {{"files", job_.files}};
    return this->run(std::move(reader), {}, run);
  }

  TrainReport run(TaggingDataReader reader, const DevSequences& dev_sequences, const Run& whole) {
    const Run run = whole.ending_after(most_seconds_);
    run.begin_phase("features");
    TaggingData data = std::move(reader).finish();
    if (!job_.calibration.groups.empty() && data.groups.empty())
      throw UsageError("option 'groups' needs files, or sequences in memory that were made with it");
    drop_rare(data);
    follow_template(data, run);
    facts_["sequences"] = data.sequence_count();
    facts_["items"] = data.token_count();
    run.begin_phase("training");
    if (job_.options.folds > 0) cross_validate(data, run);
    std::optional<TaggingData> dev;
    if (!job_.options.dev.empty() || !dev_sequences.empty()) dev = read_dev(data, dev_sequences, run);
    return job_.options.family == TaggerFamily::kGp ? fit_gp(data, dev, run) : fit(data, dev, run);
  }

 private:
  void check_features() {
    if (has_pixels(job_.options.features) &&
        (!job_.options.template_file.empty() || job_.options.format != TextFormat::kColumns))
      throw UsageError(
          fmt::format("option 'features {}' excludes option 'template' and option 'format', which are about text",
                      word_of(job_.options.features)));
    if (job_.options.warm_start.empty()) return;
    warm_start_ = TaggerModel::load(job_.options.warm_start);
    if (has_pixels(job_.options.features)) check_model_features(*warm_start_, FeaturesChoice::kPixels);
  }

  void check_family() {
    if (job_.options.family == TaggerFamily::kGp && warm_start_)
      throw UsageError(
          "option 'family gp' excludes option 'warm-start'; option 'resume' goes on from a tagger of Gaussian "
          "processes");
    if (job_.options.family == TaggerFamily::kGp && job_.crf.factor_size > 2)
      throw UsageError(fmt::format("option 'factor-size {}': option 'family gp' scores label pairs, 2 at most",
                                   job_.crf.factor_size));
    check_svm();
    check_options_of_other_families();
    const bool doeblin = job_.options.family == TaggerFamily::kDoeblin;
    if (doeblin && job_.crf.gradient != sequence::CrfGradient::kAuto &&
        job_.crf.gradient != sequence::CrfGradient::kDoeblin)
      throw UsageError("option 'family doeblin' has its own gradient; leave option 'gradient' out");
    if (!doeblin && job_.crf.gradient == sequence::CrfGradient::kDoeblin)
      throw UsageError("option 'gradient doeblin' needs option 'family doeblin'");
    if (doeblin && job_.crf.factor_size < 3 && job_.crf.restart_rate != 1)
      throw UsageError(
          "option 'family doeblin' needs option 'factor-size 3' or more: a chain of label pairs is exact by itself");
    if (doeblin) job_.crf.gradient = sequence::CrfGradient::kDoeblin;
  }

  /// An option that does nothing would mislead.
  void check_options_of_other_families() const {
    const bool is_gp = job_.options.family == TaggerFamily::kGp;
    if (is_gp) {
      if (const char* name = changed_option(job_.crf, {"factor-size", "cut-off"}))
        throw UsageError(fmt::format("option 'family gp' takes no option '{}'; leave it out", name));
      return;
    }
    const char* name = changed_option(job_.gp);
    if (!name) name = changed_option(job_.gp_inference);
    if (name) throw UsageError(fmt::format("option '{}' needs option 'family gp'", name));
  }

  bool is_svm() const { return job_.options.family == TaggerFamily::kSvm; }

  void check_svm() const {
    if (!is_svm() && job_.crf.gap_tolerance) throw UsageError("option 'gap-tolerance' needs option 'family svm'");
    if (!is_svm()) return;
    if (!job_.options.checkpoint.empty() || !job_.options.resume.empty())
      throw UsageError(
          "option 'family svm' keeps no state to go on from: leave option 'checkpoint' and option 'resume' out");
    if (warm_start_) throw UsageError("option 'family svm' excludes option 'warm-start': it starts from weights of 0");
    if (!job_.options.unknown_label.empty())
      throw UsageError(
          "option 'family svm' excludes option 'unknown-label': it needs a label for every item, which a CRF does not");
    (void)sequence::StructuredSvmTrainer(job_.crf);
  }

  /// Restart rate of the chain by which a model in training is judged; 0 without such a chain.
  double dev_restart_rate() const {
    if (job_.crf.gradient != sequence::CrfGradient::kDoeblin) return 0;
    return job_.crf.restart_rate > 0 ? job_.crf.restart_rate : .25;
  }

  void drop_rare(TaggingData& data) const {
    if (job_.crf.cut_off <= 1 || warm_start_) return;
    drop_rare_attributes(data.set.items, data.attributes, static_cast<std::uint64_t>(job_.crf.cut_off));
    data.set.attribute_count = data.attributes.size();
  }

  /// Leaves label pairs out if the template has no B line, as in CRF++.
  void follow_template(const TaggingData& data, const Run& run) {
    if (!data.feature_template || data.feature_template->label_ngrams()) return;
    if (job_.options.family == TaggerFamily::kGp)
      return run.warn_of("the template has no B line, but option 'family gp' scores label pairs anyway");
    if (job_.crf.factor_size > 2)
      throw UsageError(
          fmt::format("option 'factor-size {}' asks for label n-grams, but the template has no B line; add one",
                      job_.crf.factor_size));
    if (job_.crf.factor_size == 1 || (warm_start_ && warm_start_->weights.factor_size() > 1)) return;
    job_.crf.factor_size = 1;
    run.note_that("the template has no B line: label pairs are not scored, as in CRF++; add the line for them");
  }

  TaggingDataReader::Options reader_options() const {
    TaggingDataReader::Options options{.unknown_label = job_.options.unknown_label,
                                       .groups = GroupChoice::of_text(job_.calibration.groups)};
    if (job_.options.features == ItemKind::kPixels) options.format = TaggingFormat::kPixels;
    else if (job_.options.features == ItemKind::kPixelValues) options.format = TaggingFormat::kPixelValues;
    else if (job_.options.format == TextFormat::kAttributes) options.format = TaggingFormat::kAttributes;
    if (!job_.options.template_file.empty()) options.feature_template = read_template(job_.options.template_file);
    else if (const std::string text = recipe_template(job_.recipe.recipe);
             options.format == TaggingFormat::kColumns && !text.empty())
      options.feature_template =
          FeatureTemplate::parse(text, fmt::format("<template of {}>", word_of(job_.recipe.recipe)));
    return options;
  }

  TaggerVocabulary vocabulary_of(const TaggingData& data) const {
    TaggerVocabulary vocabulary;
    vocabulary.labels.assign(data.labels.begin(), data.labels.begin() + data.set.label_count);
    vocabulary.format = data.format;
    vocabulary.feature_template = data.feature_template;
    vocabulary.observation_columns = data.observation_columns;
    vocabulary.separator = data.separator;
    vocabulary.attributes = data.attributes.freeze();
    vocabulary.training = stored_facts(facts_);
    return vocabulary;
  }

  TaggerModel model_of(const TaggingData& data, sequence::CrfWeights weights, double restart_rate = 0) const {
    TaggerModel model;
    static_cast<TaggerVocabulary&>(model) = vocabulary_of(data);
    model.weights = std::move(weights);
    model.restart_rate = restart_rate;
    model.fingerprint = tagger_fingerprint(model);
    return model;
  }

  TaggingData read_dev(const TaggingData& data, const DevSequences& sequences, const Run& run) const {
    TaggingDataReader reader(vocabulary_of(data), UnknownAttributes::kDrop, job_.options.unknown_label);
    if (!job_.options.dev.empty()) reader.read(io::ByteSource(job_.options.dev), run);
    for (const ItemSequence& sequence : sequences.columns) reader.append(sequence, "a sequence of dev");
    for (const AttributeSequence& sequence : sequences.attributes) reader.append(sequence, "a sequence of dev");
    return std::move(reader).finish();
  }

  sequence::CrfTrainer::Result train_weights(const sequence::TrainingSet& set, const sequence::TrainingHooks& hooks,
                                             const sequence::CrfWeights* warm_start, const Run& run) const {
    if (is_svm()) return sequence::StructuredSvmTrainer(job_.crf).train(set, run, hooks);
    return sequence::CrfTrainer(job_.crf).train(set, run, hooks, warm_start);
  }

  TrainReport fit(const TaggingData& data, const std::optional<TaggingData>& dev, const Run& run) {
    sequence::TrainingHooks hooks;
    hooks.checkpoint_path = job_.options.checkpoint;
    hooks.resume_path = job_.options.resume;
    double dev_score = 0;
    if (const ProgressFunction progress = run.progress) {
      hooks.observer = [&dev, &dev_score, progress](const optimize::IterationRecord& record) {
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
        hooks.dev_score = [&](const sequence::CrfWeights& w) {
          return tagging_score(evaluate_tagger(w, *dev, dev_restart_rate()));
        };
    }
    sequence::CrfTrainer::Result result =
        train_weights(data.set, hooks, warm_start_ ? &warm_start_->weights : nullptr, run);
    if (run.is_cancelled() && result.summary.last.iteration == 0)
      throw CancelledError("stopped before the first iteration; no model was written");
    if (!result.summary.usable())
      throw LimitError("training gave no usable weights: the objective is not finite; raise option 'l2'");
    for (const sequence::ScaledAttribute& scaled : result.summary.scaled)
      run.warn_of(fmt::format("the values of attribute '{}' reach {:.3g}: trained on values divided by that",
                              data.attributes.text(scaled.attribute), scaled.scale));
    if (job_.calibration.calibrate) calibrate(data, dev, result, run);
    run.begin_phase("writing");
    return finish(data, dev, std::move(result));
  }

  /// Divides the weights by the temperature that labels left out ask for. A stop leaves them as they are, and says so.
  void calibrate(const TaggingData& data, const std::optional<TaggingData>& dev, sequence::CrfTrainer::Result& result,
                 const Run& run) {
    facts_["calibrated"] = false;
    std::vector<LeftOutPart> parts;
    if (dev) {
      const std::vector<std::size_t> all(dev->sequence_count());
      parts.push_back({result.weights, result.summary.restart_rate, fold_of(*dev, all, 0, true)});
    } else {
      const std::vector<std::size_t> left_out_in = folds_of(data, kCalibrationFolds);
      for (std::size_t fold = 0; fold < kCalibrationFolds && !run.stop.requested(); ++fold) {
        run.begin_phase("calibration");
        if (run.progress)
          run.progress({.phase = "calibration", .done = static_cast<double>(fold), .total = double{kCalibrationFolds}});
        const TaggingData others = fold_of(data, left_out_in, fold, false);
        if (others.sequence_count() == 0 || others.sequence_count() == data.sequence_count()) continue;
        sequence::CrfTrainer::Result left_out = train_weights(others.set, {}, nullptr, run);
        if (left_out.summary.usable())
          parts.push_back(
              {std::move(left_out.weights), left_out.summary.restart_rate, fold_of(data, left_out_in, fold, true)});
      }
    }
    if (parts.empty() && !run.stop.requested())
      return run.warn_of("too few sequences to leave some out: the model is not calibrated");
    if (!run.stop.requested()) calibration_ = fit_temperature(parts, run);
    if (run.stop.requested() && calibration_.items == 0)
      return run.warn_of("stopped before the temperature was known: the model is not calibrated");
    if (calibration_.items == 0) return run.warn_of("no label is known: the model is not calibrated");
    result.weights = result.weights.divided_by(calibration_.temperature);
    facts_["calibrated"] = true;
    facts_["temperature"] = calibration_.temperature;
    facts_["left_out_log_loss"] = calibration_.log_loss;
    facts_["left_out_log_loss_uncalibrated"] = calibration_.log_loss_without;
  }

  TrainReport finish(const TaggingData& data, const std::optional<TaggingData>& dev,
                     sequence::CrfTrainer::Result result) {
    const sequence::TrainSummary& summary = result.summary;
    if (is_svm()) facts_["family"] = word_of(job_.options.family);
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
    if (job_.recipe.recipe != sequence::PaperRecipe::kNone) facts_["recipe"] = word_of(job_.recipe.recipe);
    facts_["options"] = Json::parse(options_json(job_.crf));
    std::string text = summary.full();
    if (calibration_.items > 0)
      text +=
          fmt::format("calibrated: temperature {:.3f}; log loss of labels left out {:.4f} an item, {:.4f} without\n",
                      calibration_.temperature, calibration_.log_loss, calibration_.log_loss_without);
    if (dev) {
      const TaggingMetrics metrics = evaluate_tagger(result.weights, *dev, summary.restart_rate);
      facts_["dev"] = {{"score", tagging_score(metrics)}, {"accuracy", metrics.accuracy()}};
      text += fmt::format("dev: {}\n", metrics.brief());
    }
    model_of(data, std::move(result.weights), summary.restart_rate).save(target_, data.attributes);
    return report(text);
  }

  TrainReport fit_gp(const TaggingData& data, const std::optional<TaggingData>& dev, const Run& run) {
    const GpTraining::Files files = {
        .output = target_, .checkpoint = job_.options.checkpoint, .resume = job_.options.resume};
    const std::string text =
        GpTraining(job_.gp, job_.gp_inference).train(data, dev, vocabulary_of(data), files, facts_, run);
    return report(text);
  }

  TrainReport report(const std::string& text) const {
    return {.text = text, .json = facts_.dump(-1, ' ', false, Json::error_handler_t::replace)};
  }

  void cross_validate(const TaggingData& data, const Run& run) {
    const auto folds = static_cast<std::size_t>(job_.options.folds);
    if (folds < 2 || folds > data.sequence_count())
      throw UsageError(
          fmt::format("option 'folds {}': must be 2 to the number of sequences, {}", folds, data.sequence_count()));
    const std::vector<std::size_t> left_out_in = folds_of(data, folds);
    facts_["folds"] = Json::array();
    for (std::size_t fold = 0; fold < folds; ++fold) {
      const TaggingData part = fold_of(data, left_out_in, fold, false),
                        held_out = fold_of(data, left_out_in, fold, true);
      if (part.sequence_count() == 0 || held_out.sequence_count() == 0)
        throw UsageError(fmt::format("option 'folds {}': more than there are groups of sequences", folds));
      const TaggingMetrics metrics = score_fold(part, held_out, run);
      if (run.is_cancelled()) throw CancelledError("interrupted while cross-validating");
      if (run.stop.requested())
        return run.warn_of(fmt::format("the time ended in fold {} of {}: later folds are not scored", fold + 1, folds));
      facts_["folds"].push_back({{"score", tagging_score(metrics)}, {"accuracy", metrics.accuracy()}});
      run.note_that(fmt::format("fold {} of {}: {}", fold + 1, folds, metrics.brief()));
    }
  }

  TaggingMetrics score_fold(const TaggingData& part, const TaggingData& held_out, const Run& run) const {
    if (job_.options.family == TaggerFamily::kGp)
      return GpTraining(job_.gp, job_.gp_inference).cross_validate(part, held_out, run);
    const sequence::CrfTrainer::Result result = train_weights(part.set, {}, nullptr, run);
    return evaluate_tagger(result.weights, held_out, result.summary.restart_rate);
  }

  TrainJob job_;
  ContainerTarget target_;
  std::optional<TaggerModel> warm_start_;
  Json facts_;
  LeftOutScore calibration_;
  double most_seconds_ = Budget::kUnlimited;
};

}  // namespace

TrainReport train(TrainJob job, const Run& run) {
  if (job.options.output.empty()) throw UsageError("option 'output' is needed: where to write the model");
  const std::string output = job.options.output;
  return Training(std::move(job), output).run(run);
}

TrainedTagger train(TrainingSequences sequences, TrainJob job, const Run& run) {
  if (!job.options.warm_start.empty())
    throw UsageError("option 'warm-start' needs files to train on: sequences in memory are numbered already");
  if (sequences.tagger_) throw UsageError("these sequences are numbered for tuning a tagger, not for training one");
  sequences.require_items("train");
  TrainedTagger trained;
  trained.report = Training(std::move(job), ContainerTarget::memory(trained.bytes))
                       .run(std::move(*sequences.reader_), sequences.dev_, run);
  return trained;
}

TrainingSequences::TrainingSequences(std::unique_ptr<TaggingDataReader> reader) : reader_(std::move(reader)) {}
TrainingSequences::~TrainingSequences() = default;
TrainingSequences::TrainingSequences(TrainingSequences&&) noexcept = default;

TrainingSequences TrainingSequences::of_columns(const std::string& template_text, const std::string& unknown_label,
                                                GroupChoice groups) {
  TaggingDataReader::Options options = {.unknown_label = unknown_label, .groups = groups};
  if (!template_text.empty()) options.feature_template = FeatureTemplate::parse(template_text, "the template");
  return TrainingSequences(std::make_unique<TaggingDataReader>(std::move(options)));
}

TrainingSequences TrainingSequences::of_attributes(const std::string& unknown_label) {
  return TrainingSequences(std::make_unique<TaggingDataReader>(
      TaggingDataReader::Options{.format = TaggingFormat::kAttributes, .unknown_label = unknown_label}));
}

TrainingSequences TrainingSequences::of_tagger(const Tagger& tagger, const std::string& unknown_label) {
  TrainingSequences sequences(
      std::make_unique<TaggingDataReader>(tagger.vocabulary(), UnknownAttributes::kDrop, unknown_label));
  sequences.tagger_ = &tagger.vocabulary();
  return sequences;
}

TrainingSequences TrainingSequences::of_features(std::string_view features, const std::string& unknown_label) {
  const TaggerModel model = TaggerModel::load(ContainerSource::memory(features, "the features of the shards"));
  return TrainingSequences(std::make_unique<TaggingDataReader>(model, UnknownAttributes::kDrop, unknown_label));
}

TaggingData TrainingSequences::finish(const char* purpose) && {
  require_items(purpose);
  return std::move(*reader_).finish();
}

void TrainingSequences::require_items(const char* purpose) const {
  if (count_ == 0) throw UsageError(fmt::format("there is no sequence to {} on", purpose));
  if (!has_items_) throw UsageError(fmt::format("there is no item to {} on: all sequences are empty", purpose));
}

namespace {

/// The items with their labels behind the other cells. `name` stands for the sequence in messages.
ItemSequence labelled_columns(std::span<const std::vector<std::string>> items, std::span<const std::string> labels,
                              const std::string& name) {
  if (items.size() != labels.size())
    throw UsageError(fmt::format("{}: {} labels for {} items", name, labels.size(), items.size()));
  ItemSequence sequence;
  std::vector<std::string_view> cells;
  sequence.clear(1);
  for (std::size_t t = 0; t < items.size(); ++t) {
    cells.assign(items[t].begin(), items[t].end());
    cells.push_back(labels[t]);
    if (t > 0 && cells.size() != sequence.column_count())
      throw InputError(
          {.file = fmt::format("{}, item {}", name, t + 1)},
          fmt::format("{} cells, but the items before have {}", items[t].size(), sequence.column_count() - 1));
    sequence.add_cells(cells);
  }
  return sequence;
}

}  // namespace

void TrainingSequences::add(std::span<const std::vector<std::string>> items, std::span<const std::string> labels) {
  const std::string name = fmt::format("sequence {}", ++count_);
  const ItemSequence sequence = labelled_columns(items, labels, name);
  if (sequence.empty()) return;
  has_items_ = true;
  reader_->append(sequence, name);
}

void TrainingSequences::add(const AttributeSequence& sequence) {
  const std::string name = fmt::format("sequence {}", ++count_);
  if (sequence.empty()) return;
  has_items_ = true;
  reader_->append(sequence, name);
}

void TrainingSequences::add_dev(std::span<const std::vector<std::string>> items, std::span<const std::string> labels) {
  ItemSequence sequence = labelled_columns(items, labels, fmt::format("dev sequence {}", ++dev_.count));
  if (!sequence.empty()) dev_.columns.push_back(std::move(sequence));
}

void TrainingSequences::add_dev(const AttributeSequence& sequence) {
  ++dev_.count;
  if (!sequence.empty()) dev_.attributes.push_back(sequence);
}

}  // namespace fovea::tagging
