// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/tagging/tagger_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fovea/base/container.h"
#include "fovea/base/error.h"

namespace fovea {
namespace {

constexpr const char* kTaggerKind = "tagger";
constexpr const char* kWeights = "weights.";
constexpr const char* kAttributes = "attributes";
constexpr const char* kRestartRate = "restart rate";
constexpr std::string_view kPixels = "pixels";

std::string join_labels(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + '\n';  // no label holds a line feed
  return text;
}

std::vector<std::string> split_labels(std::string_view text) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    labels.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return labels;
}

/// Models of ready-made attributes say nothing: they are older than the choice.
void read_format(const Container& container, TaggerModel& model) {
  if (container.has("template")) return;
  model.format = container.has("features") ? TaggingFormat::kPixels : TaggingFormat::kAttributes;
  if (container.has("features") && container.bytes("features") != kPixels)
    container.refuse("features", fmt::format("'{}', or none", kPixels));
}

void read_template(const Container& container, TaggerModel& model) {
  if (!container.has("template")) return;
  model.feature_template = FeatureTemplate::parse(container.bytes("template"), container.path());
  const auto columns = container.array<std::uint64_t>("columns");
  if (columns.size() != 1 || columns[0] < model.feature_template->column_count())
    container.refuse("columns", "one number, at least the columns that the template reads");
  model.observation_columns = columns[0];
}

void read_restart_rate(const Container& container, TaggerModel& model) {
  if (!container.has(kRestartRate)) return;
  const auto rate = container.array<double>(kRestartRate);
  if (rate.size() != 1 || !(rate[0] > 0 && rate[0] <= 1)) container.refuse(kRestartRate, "one number in (0, 1]");
  model.restart_rate = rate[0];
}

void check(const Container& container, const TaggerModel& model) {
  if (model.labels.empty()) container.refuse("labels", "at least one label");
  if (model.weights.label_count() != model.label_count())
    container.refuse("weights.shape", fmt::format("as many labels as are named, {}", model.label_count()));
  if (model.weights.attribute_count() != model.attributes.size())
    container.refuse("weights.offsets", fmt::format("as many attributes as are named, {}", model.attributes.size()));
  if (nlohmann::json::parse(model.training, nullptr, false).is_discarded())
    container.refuse("training", "a JSON object");
}

template <class T>
std::uint64_t hash_array(std::span<const T> values, std::uint64_t seed) {
  return hash_text({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, seed);
}

}  // namespace

std::uint64_t tagger_fingerprint(const TaggerModel& model) {
  std::uint64_t hash = hash_text(join_labels(model.labels));
  if (model.feature_template) hash = hash_text(model.feature_template->text(), hash);
  hash = hash_array(model.weights.offsets(), hash);
  hash = hash_array(model.weights.labels(), hash);
  hash = hash_array(model.weights.weights(), hash);
  for (const LabelNgram& ngram : model.weights.ngrams()) {
    hash = hash_array(std::span<const Value>(ngram.labels), hash ^ ngram.size);
    hash = hash_array(std::span<const float>(&ngram.score, 1), hash);
  }
  return hash;
}

void TaggerModel::save(const std::string& path, const Dictionary& dictionary) const {
  ContainerWriter writer(kTaggerKind, kVersion);
  writer.add("labels", join_labels(labels));
  if (feature_template) {
    const std::uint64_t columns = observation_columns;
    writer.add("template", feature_template->text());
    writer.add_array("columns", std::span<const std::uint64_t>(&columns, 1));
  }
  if (format == TaggingFormat::kPixels) writer.add("features", kPixels);
  if (restart_rate > 0) writer.add_array(kRestartRate, std::span<const double>(&restart_rate, 1));
  writer.add("training", training);
  writer.add_array("fingerprint", std::span<const std::uint64_t>(&fingerprint, 1));
  dictionary.save(writer, kAttributes);
  weights.save(writer, kWeights);
  writer.write(path);
}

TaggerModel TaggerModel::load(const std::string& path) {
  const auto container = std::make_shared<const Container>(Container::open(path, kTaggerKind, kVersion));
  TaggerModel model;
  model.labels = split_labels(container->bytes("labels"));
  read_format(*container, model);
  read_template(*container, model);
  read_restart_rate(*container, model);
  model.training = std::string(container->bytes("training"));
  const auto fingerprint = container->array<std::uint64_t>("fingerprint");
  if (fingerprint.size() != 1) container->refuse("fingerprint", "one number");
  model.fingerprint = fingerprint[0];
  model.attributes = FrozenDictionary::open(*container, kAttributes);
  model.weights = CrfWeights::load(*container, kWeights);
  model.storage = container;
  check(*container, model);
  return model;
}

}  // namespace fovea
