// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/shard_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf/attribute_scales.h"
#include "fovea/sequence/learn/crf_objective.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {
namespace {

using sequence::CrfFeatures;
using sequence::CrfTrainerOptions;

constexpr float kMostCounted =
    1 << 24;  // up to which a float holds each whole number, so that the order does not matter

float sum_of_counts(float a, float b) { return std::min(a + b, kMostCounted); }

TaggerModel features_in(std::string_view bytes) {
  return TaggerModel::load(ContainerSource::memory(bytes, "the features of a shard"));
}

std::string bytes_of(TaggerModel& model, const Dictionary& attributes) {
  model.attributes = attributes.freeze();
  std::string bytes;
  model.save(ContainerTarget::memory(bytes), attributes);
  return bytes;
}

/// The features that a tagger has weights for.
CrfFeatures features_of(const sequence::CrfWeights& weights) {
  return {.label_count = weights.label_count(),
          .factor_size = weights.factor_size(),
          .offsets = {weights.offsets().begin(), weights.offsets().end()},
          .labels = {weights.labels().begin(), weights.labels().end()},
          .ngrams = weights.ngrams()};
}

/// Counts the items at which each feature of a set occurs.
std::vector<float> counts_of(const sequence::TrainingSet& set, const CrfFeatures& features) {
  std::vector<float> counts(features.dimension());
  for (std::size_t item = 0; item < set.labels.size(); ++item)
    sequence::for_each_feature(set, features, item, [&](std::uint32_t feature, Value label, float) {
      if (label == set.labels[item]) counts[feature] = sum_of_counts(counts[feature], 1);
    });
  std::fill(counts.begin() + static_cast<std::ptrdiff_t>(features.labels.size()), counts.end(), 1.0F);
  return counts;
}

/// Merges taggers whose weights are counts.
class FeatureMerge {
 public:
  explicit FeatureMerge(std::vector<TaggerModel> parts) : parts_(std::move(parts)) {
    for (const TaggerModel& part : parts_) {
      check_same(part);
      labels_.insert(part.labels.begin(), part.labels.end());
    }
    for (const TaggerModel& part : parts_) {
      std::vector<Value>& numbers = number_of_.emplace_back();
      for (const std::string& label : part.labels)
        numbers.push_back(static_cast<Value>(std::distance(labels_.begin(), labels_.find(label))));
    }
  }

  std::string merged(int cut_off) {
    features_.label_count = static_cast<int>(labels_.size());
    features_.factor_size = parts_.front().weights.factor_size();
    add_attributes(static_cast<float>(cut_off));
    add_ngrams();
    TaggerModel model;
    model.labels.assign(labels_.begin(), labels_.end());
    model.format = parts_.front().format;
    model.feature_template = parts_.front().feature_template;
    model.observation_columns = parts_.front().observation_columns;
    model.weights = sequence::CrfWeights(features_, counts_);
    return bytes_of(model, attributes_);
  }

 private:
  void check_same(const TaggerModel& part) const {
    const TaggerModel& first = parts_.front();
    const auto text = [](const TaggerModel& model) {
      return model.feature_template ? model.feature_template->text() : "";
    };
    if (part.format == first.format && part.observation_columns == first.observation_columns &&
        part.weights.factor_size() == first.weights.factor_size() && text(part) == text(first))
      return;
    throw InputError({.file = "the features of a shard"},
                     fmt::format("items of {} cells, but those of other shards have {}", part.observation_columns,
                                 first.observation_columns),
                     "Give all items the same kind and number of cells");
  }

  void add_attributes(float least) {
    struct Place {
      std::string_view text;
      std::uint32_t part, attribute;
    };
    std::vector<Place> places;
    for (std::uint32_t p = 0; p < parts_.size(); ++p)
      for (std::uint32_t a = 0; a < parts_[p].attributes.size(); ++a)
        places.push_back({parts_[p].attributes.text(a), p, a});
    std::ranges::stable_sort(places, {}, &Place::text);
    for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
      std::map<Value, float> of_label;
      float items = 0;
      for (end = begin; end < places.size() && places[end].text == places[begin].text; ++end) {
        const auto& [text, part, attribute] = places[end];
        const sequence::CrfWeights& weights = parts_[part].weights;
        for (std::uint32_t e = weights.offsets()[attribute]; e < weights.offsets()[attribute + 1]; ++e) {
          float& count = of_label[number_of_[part][weights.labels()[e]]];
          count = sum_of_counts(count, weights.weights()[e]);
          items = sum_of_counts(items, weights.weights()[e]);
        }
      }
      if (items < least && least > 1) continue;
      attributes_.add(places[begin].text);
      for (const auto& [label, count] : of_label) {
        features_.labels.push_back(label);
        counts_.push_back(count);
      }
      features_.offsets.push_back(static_cast<std::uint32_t>(features_.labels.size()));
    }
  }

  void add_ngrams() {
    std::set<std::pair<std::uint16_t, std::array<Value, sequence::kMaxFactorSize>>> found;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (sequence::LabelNgram ngram : parts_[p].weights.ngrams()) {
        for (int i = 0; i < ngram.size; ++i) ngram.labels[i] = number_of_[p][ngram.labels[i]];
        found.emplace(ngram.size, ngram.labels);
      }
    for (const auto& [size, labels] : found) {
      features_.ngrams.push_back({.labels = labels, .size = size, .score = 0});
      counts_.push_back(1);
    }
  }

  std::vector<TaggerModel> parts_;
  std::set<std::string> labels_;
  std::vector<std::vector<Value>> number_of_;  // [part][its label] number of the label among all
  Dictionary attributes_;
  CrfFeatures features_;
  std::vector<float> counts_;
};

}  // namespace

void check_shard_options(const CrfTrainerOptions& options) {
  (void)sequence::CrfTrainer(options);
  CrfTrainerOptions others = options;
  const CrfTrainerOptions defaults;
  others.factor_size = defaults.factor_size;
  others.l1 = defaults.l1;
  others.l2 = defaults.l2;
  others.iterations = defaults.iterations;
  others.tolerance = defaults.tolerance;
  others.epsilon = defaults.epsilon;
  others.cut_off = defaults.cut_off;
  if (options_json(others) != options_json(defaults))
    throw UsageError(
        "training on shards has the options factor-size, l1, l2, iterations, tolerance, epsilon and cut-off; leave "
        "others out");
}

std::string count_features(TrainingSequences sequences, const CrfTrainerOptions& options) {
  check_shard_options(options);
  TaggingData data = std::move(sequences).finish("count features of");
  if (data.labels.empty()) return "";
  const bool scores_labels_alone = data.feature_template && !data.feature_template->label_ngrams();
  if (scores_labels_alone && options.factor_size > 2)
    throw UsageError(
        fmt::format("option 'factor-size {}' asks for label n-grams, but the template has no B line; add one",
                    options.factor_size));
  if (const auto scaled = sequence::AttributeScales(data.set).scaled(); !scaled.empty())
    throw InputError({.file = "the sequences"},
                     fmt::format("the values of attribute '{}' reach {:.3g}", data.attributes.text(scaled[0].attribute),
                                 scaled[0].scale),
                     "Divide them, so that they stay below 1e4");
  const sequence::TransposedItems transposed(data.set.items, data.set.attribute_count);
  const CrfFeatures features =
      sequence::observed_features(data.set, transposed, scores_labels_alone ? 1 : options.factor_size);
  TaggerModel model;
  model.labels = data.labels;
  model.format = data.format;
  model.feature_template = data.feature_template;
  model.observation_columns = data.observation_columns;
  model.weights = sequence::CrfWeights(features, counts_of(data.set, features));
  return bytes_of(model, data.attributes);
}

std::string merge_features(std::span<const std::string_view> parts, int cut_off) {
  std::vector<TaggerModel> models;
  for (const std::string_view part : parts)
    if (!part.empty()) models.push_back(features_in(part));
  if (models.empty()) throw UsageError("no label is known: training needs items with labels");
  return FeatureMerge(std::move(models)).merged(cut_off);
}

/// The objective and all that it refers to.
struct ShardObjective::Parts {
  TaggingData data;
  CrfFeatures features;
  std::unique_ptr<sequence::CrfObjective> objective;
};

ShardObjective::ShardObjective(const std::string& features, TrainingSequences sequences, int threads)
    : parts_(std::make_unique<Parts>()) {
  parts_->data = std::move(sequences).finish("train on");
  parts_->features = features_of(features_in(features).weights);
  parts_->objective = std::make_unique<sequence::CrfObjective>(
      parts_->data.set, parts_->features, sequence::CrfObjective::Options{.l2 = 0, .threads = threads});
}

ShardObjective::~ShardObjective() = default;
ShardObjective::ShardObjective(ShardObjective&&) noexcept = default;

std::size_t ShardObjective::dimension() const { return parts_->features.dimension(); }

double ShardObjective::evaluate(std::span<const float> x, std::span<float> gradient) {
  return parts_->objective->evaluate(x, gradient);
}

std::vector<float> ShardObjective::curvature(std::span<const float> x) { return parts_->objective->curvature(x); }

TrainedTagger train_on_shards(const std::string& features, const CrfTrainerOptions& options,
                              const sequence::CrfSums& sums, const Run& run) {
  check_shard_options(options);
  TaggerModel model = features_in(features);
  const CrfFeatures described = features_of(model.weights);
  run.begin_phase("training");
  const auto [x, summary] = sequence::train_on_sums(described.dimension(), options, sums, run);
  if (!summary.usable())
    throw LimitError("training gave no usable weights: the objective is not finite; raise option 'l2'");
  const nlohmann::ordered_json facts = {{"features", described.dimension()},
                                        {"objective", summary.last.objective},
                                        {"iterations", summary.last.iteration},
                                        {"evaluations", summary.last.evaluations},
                                        {"ended_by", optimize::to_string(summary.termination)},
                                        {"seconds", summary.last.seconds},
                                        {"options", nlohmann::ordered_json::parse(options_json(options))}};
  model.weights = sequence::CrfWeights(described, x, options.l1 > 0);
  nlohmann::ordered_json stored = facts;
  stored.erase("seconds");  // equal trainings give equal bytes
  model.training = stored.dump();
  model.fingerprint = tagger_fingerprint(model);
  TrainedTagger trained{.bytes = bytes_of(model, copy_of(model.attributes)), .report = {}};
  trained.report = {.text = summary.brief() + "\n", .json = facts.dump()};
  return trained;
}

}  // namespace fovea::tagging
