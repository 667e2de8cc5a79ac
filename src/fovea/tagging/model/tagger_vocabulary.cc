// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/tagger_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace fovea::tagging {
namespace {

constexpr const char* kAttributes = "attributes";
constexpr const char* kSeparator = "separator";
constexpr std::string_view kPixels = "pixels", kPixelValues = "pixel-values";
constexpr std::string_view kTabs = "tabs";
constexpr std::string_view kBlanks = "blanks";

std::vector<std::string> split_labels(std::string_view text) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    labels.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return labels;
}

/// Models of ready-made attributes store no format: they are older than the choice.
void read_format(const Container& container, TaggerVocabulary& vocabulary) {
  if (container.has("template")) return;
  vocabulary.format = TaggingFormat::kAttributes;
  if (!container.has("features")) return;
  const std::string_view items = container.bytes("features");
  if (items != kPixels && items != kPixelValues)
    container.refuse("features", fmt::format("'{}', '{}', or none", kPixels, kPixelValues));
  vocabulary.format = items == kPixels ? TaggingFormat::kPixels : TaggingFormat::kPixelValues;
}

void load_template(const Container& container, TaggerVocabulary& vocabulary) {
  if (!container.has("template")) return;
  vocabulary.feature_template = FeatureTemplate::parse(container.bytes("template"), container.path());
  const auto columns = container.array<std::uint64_t>("columns");
  if (columns.size() != 1 || columns[0] < vocabulary.feature_template->column_count())
    container.refuse("columns", "one number, at least the columns that the template reads");
  vocabulary.observation_columns = columns[0];
}

void read_separator(const Container& container, TaggerVocabulary& vocabulary) {
  if (!container.has(kSeparator)) return;
  const std::string_view name = container.bytes(kSeparator);
  if (name != kTabs && name != kBlanks) container.refuse(kSeparator, fmt::format("'{}', '{}' or none", kTabs, kBlanks));
  vocabulary.separator = name == kTabs ? ColumnSeparator::kTabs : ColumnSeparator::kBlanks;
}

}  // namespace

std::string join_labels(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + '\n';  // no label holds a line feed
  return text;
}

void TaggerVocabulary::save_vocabulary(ContainerWriter& writer, const Dictionary& dictionary) const {
  writer.add("labels", join_labels(labels));
  if (feature_template) {
    const std::uint64_t columns = observation_columns;
    writer.add("template", feature_template->text());
    writer.add_array("columns", std::span<const std::uint64_t>(&columns, 1));
    if (separator != ColumnSeparator::kDetect)
      writer.add(kSeparator, separator == ColumnSeparator::kTabs ? kTabs : kBlanks);
  }
  if (has_pixels(format)) writer.add("features", format == TaggingFormat::kPixels ? kPixels : kPixelValues);
  writer.add("training", training);
  dictionary.save(writer, kAttributes);
}

void TaggerVocabulary::load_vocabulary(const std::shared_ptr<const Container>& container) {
  labels = split_labels(container->bytes("labels"));
  if (labels.empty()) container->refuse("labels", "at least one label");
  read_format(*container, *this);
  load_template(*container, *this);
  read_separator(*container, *this);
  training = std::string(container->bytes("training"));
  if (nlohmann::json::parse(training, nullptr, false).is_discarded()) container->refuse("training", "a JSON object");
  attributes = FrozenDictionary::open(*container, kAttributes);
  storage = container;
}

}  // namespace fovea::tagging
