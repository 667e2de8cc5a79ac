// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/tagging_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "fovea/base/error.h"
#include "fovea/base/pipeline.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"

namespace fovea::tagging {
namespace {

constexpr std::size_t kBlockSequences = 64;

}  // namespace

GroupChoice GroupChoice::of_text(const std::string& text) {
  if (text.empty()) return {};
  if (text == "file") return {.by_file = true};
  std::size_t column = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), column);
  if (error != std::errc() || end != text.data() + text.size() || column == 0)
    throw UsageError(fmt::format("option 'groups' '{}': give 'file' or the number of a column, from 1 on", text));
  return {.column = column};
}

Dictionary copy_of(const FrozenDictionary& frozen) {
  Dictionary copy;
  for (std::uint32_t id = 0; id < frozen.size(); ++id) copy.add(frozen.text(id));
  return copy;
}

FeatureTemplate read_template(const std::string& path) {
  constexpr std::size_t kMaxTemplateBytes = std::size_t{1} << 20;
  io::ByteSource source(path);
  const std::string name = source.name();
  return FeatureTemplate::parse(io::read_text(std::move(source), kMaxTemplateBytes, "a template"), name);
}

TaggingDataReader::TaggingDataReader(Options options) : options_(std::move(options)) {}

TaggingDataReader::TaggingDataReader(const TaggerVocabulary& model, UnknownAttributes unknown,
                                     std::string unknown_label, GroupChoice groups)
    : options_{.format = model.format,
               .feature_template = model.feature_template,
               .unknown_label = std::move(unknown_label),
               .separator = model.separator,
               .groups = groups},
      initial_attributes_(copy_of(model.attributes)),
      unknown_(unknown),
      model_labels_(model.labels.size()),
      model_columns_(model.observation_columns) {
  for (const std::string& label : model.labels) labels_.add(label);
}

void TaggingDataReader::read(io::ByteSource source, const Run& run) {
  const std::string name = source.name();
  const std::size_t before = label_ids_.size();
  ++file_;
  if (options_.groups.column > 0 && options_.format != TaggingFormat::kColumns)
    throw UsageError("option 'groups' with a column needs text in columns; 'file' makes each file a group");
  if (options_.format == TaggingFormat::kColumns) read_columns(std::move(source), run);
  else if (options_.format == TaggingFormat::kPixels) read_attributes<PixelReader>(std::move(source), run);
  else if (options_.format == TaggingFormat::kPixelValues) read_attributes<PixelValueReader>(std::move(source), run);
  else read_attributes<CrfsuiteReader>(std::move(source), run);
  if (label_ids_.size() == before)
    throw InputError({.file = name}, "no item in the file", "Give a file with labelled items, one a line");
}

void TaggingDataReader::report(const Run& run) const {
  if (run.is_cancelled()) throw CancelledError("interrupted while reading");
  if (run.progress) run.progress({.phase = "reading", .done = static_cast<double>(label_ids_.size())});
}

/// Indexes sequences as they are read, while another thread appends those before.
void TaggingDataReader::read_columns(io::ByteSource source, const Run& run) {
  struct Block {
    std::array<ItemSequence, kBlockSequences> sequences;
    std::array<Encoder::IndexedSequence, kBlockSequences> indexed;
    std::size_t count = 0;
  };
  ConllReader reader(std::move(source), options_.separator);
  const std::string name = reader.name();
  bool ended = false;
  run_pipeline(
      run.threads, [] { return std::make_unique<Block>(); },
      [&](Block& block) {
        for (block.count = 0; !ended && block.count < kBlockSequences; ++block.count) {
          ItemSequence& sequence = block.sequences[block.count];
          if ((ended = !reader.next(sequence))) break;
          start_columns(sequence.column_count(), {.file = name, .line = sequence.first_line()});
          encoder_->index(sequence, block.indexed[block.count]);
        }
        return block.count > 0;
      },
      [](const Block&) {},
      [&](const Block& block) {
        for (std::size_t s = 0; s < block.count; ++s) {
          encoder_->append(block.indexed[s]);
          add_labels(block.sequences[s], {.file = name, .line = block.sequences[s].first_line()});
        }
        report(run);
      });
  note_separator(reader.format());
}

void TaggingDataReader::append(const ItemSequence& sequence, const std::string& name) {
  const InputLocation where{.file = name, .line = sequence.first_line()};
  start_columns(sequence.column_count(), where);
  encoder_->append(sequence);
  add_labels(sequence, where);
}

void TaggingDataReader::add_labels(const ItemSequence& sequence, InputLocation where) {
  if (options_.groups.column > 0 && sequence.size() > 0)
    groups_.push_back(group_names_.add(sequence.cell(0, options_.groups.column - 1)));
  else if (options_.groups.by_file) groups_.push_back(file_);
  for (std::size_t t = 0; t < sequence.size(); ++t, ++where.line)
    add_label(sequence.cell(t, observation_columns_), where);
}

void TaggingDataReader::append(const AttributeSequence& sequence, const std::string& name) {
  if (!encoder_) encoder_.emplace(std::move(initial_attributes_), unknown_);
  InputLocation where{.file = name, .line = sequence.first_line()};
  encoder_->append(sequence);
  if (options_.groups.by_file) groups_.push_back(file_);
  for (std::size_t t = 0; t < sequence.size(); ++t, ++where.line) add_label(sequence.label(t), where);
}

template <class Reader>
void TaggingDataReader::read_attributes(io::ByteSource source, const Run& run) {
  Reader reader(std::move(source));
  AttributeSequence sequence;
  for (std::size_t count = 0; reader.next(sequence); ++count) {
    append(sequence, reader.name());
    if (count % kBlockSequences == 0) report(run);
  }
}

/// Called for each sequence: the first one sets the columns, the others must agree.
void TaggingDataReader::start_columns(std::size_t columns, const InputLocation& where) {
  if (observation_columns_ + 1 == columns && encoder_) return;
  if (columns < 2)
    throw InputError(where, "one column, which would be the label", "Give at least one column before the label");
  if (encoder_)
    throw InputError(where, fmt::format("{} columns, but the files before have {}", columns, observation_columns_ + 1),
                     "Give files with the same columns");
  if (model_columns_ > 0 && columns != model_columns_ + 1)
    throw InputError(where,
                     fmt::format("{} columns, but the model was trained on {}, the last of them its label", columns,
                                 model_columns_ + 1),
                     "Give a file with the columns of the model's training");
  observation_columns_ = columns - 1;
  check_groups(where);
  if (!options_.feature_template) options_.feature_template = FeatureTemplate::default_for(observation_columns_);
  options_.feature_template->require_columns(observation_columns_, where.file);
  encoder_.emplace(*options_.feature_template, std::move(initial_attributes_), unknown_);
}

void TaggingDataReader::check_groups(const InputLocation& where) const {
  if (options_.groups.column > observation_columns_)
    throw InputError(where,
                     fmt::format("option 'groups {}': there are {} columns, the last of them the label",
                                 options_.groups.column, observation_columns_ + 1),
                     "Give the number of a column before the label");
}

void TaggingDataReader::note_separator(const ConllFormat& format) {
  const ColumnSeparator found = format.tabs_only ? ColumnSeparator::kTabs : ColumnSeparator::kBlanks;
  separator_ = !separator_ || *separator_ == found ? found : ColumnSeparator::kDetect;
}

void TaggingDataReader::add_label(std::string_view name, const InputLocation& where) {
  if (!options_.unknown_label.empty() && name == options_.unknown_label)
    return label_ids_.push_back(sequence::kUnknownLabel);
  if (name.empty()) throw InputError(where, "the label is missing", "The last column of every line is its label");
  if (name.find('\n') != name.npos)
    throw InputError(where, "a label that holds a line feed", "Give labels of one line");
  label_ids_.push_back(static_cast<Value>(labels_.add(name)));
  if (labels_.size() > kMaxLabels + model_labels_)
    throw InputError(where, fmt::format("more than {} different labels", kMaxLabels),
                     "The last column must be the label");
}

TaggingData TaggingDataReader::finish() && {
  FOVEA_CHECK(encoder_.has_value());
  Encoder::Result encoded = std::move(*encoder_).finish();
  encoder_.reset();
  TaggingData data;
  data.set.items = std::move(encoded.items);
  data.set.labels = std::move(label_ids_);
  data.set.attribute_count = encoded.attributes.size();
  data.set.label_count = static_cast<int>(unknown_ == UnknownAttributes::kDrop ? model_labels_ : labels_.size());
  data.attributes = std::move(encoded.attributes);
  for (std::uint32_t id = 0; id < labels_.size(); ++id) data.labels.emplace_back(labels_.text(id));
  data.format = options_.format;
  data.feature_template = std::move(options_.feature_template);
  data.observation_columns = observation_columns_;
  if (separator_) data.separator = *separator_;
  data.groups = std::move(groups_);
  return data;
}

void score_encoded(const EncodedItems& items, const sequence::CrfWeights& weights,
                   sequence::LabelSequences& label_sequences) {
  const std::size_t stride = label_sequences.ngrams().stride();
  AlignedVector<float> bundle_rows(items.bundles.row_count() * stride);
  for (std::size_t b = 0; b < items.bundles.row_count(); ++b)
    for (std::uint32_t e = items.bundles.offsets[b]; e < items.bundles.offsets[b + 1]; ++e)
      weights.add_scores(items.bundles.columns[e], items.bundles.value(e), bundle_rows.data() + b * stride);
  std::vector<std::uint32_t> lengths;
  for (std::size_t s = 0; s < items.sequence_count(); ++s)
    lengths.push_back(items.sequence_begin[s + 1] - items.sequence_begin[s]);
  label_sequences.reset(lengths);
  for (std::size_t s = 0; s < items.sequence_count(); ++s) {
    float* row = label_sequences.unary(label_sequences.begin(s));
    for (std::size_t item = items.sequence_begin[s]; item < items.sequence_begin[s + 1]; ++item, row += stride)
      for (std::uint32_t e = items.items.offsets[item]; e < items.items.offsets[item + 1]; ++e) {
        const float* bundle = bundle_rows.data() + items.items.columns[e] * stride;
        const float value = items.items.value(e);
        for (std::size_t k = 0; k < stride; ++k) row[k] += value * bundle[k];
      }
  }
}

Assignment gold_labeling(const TaggingData& data, const sequence::LabelSequences& label_sequences) {
  Assignment gold(label_sequences.position_count(), label_sequences.ngrams().pad());
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
    for (std::size_t p = label_sequences.begin(s), item = data.set.items.sequence_begin[s]; p < label_sequences.end(s);
         ++p, ++item)
      if (data.set.labels[item] < data.set.label_count) gold[p] = data.set.labels[item];
  return gold;
}

TaggingMetrics score_labeling(const TaggingData& data, const sequence::LabelSequences& label_sequences,
                              const Assignment& labeling) {
  TaggingMetrics metrics;
  std::vector<std::string_view> gold, predicted;
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
    const std::size_t first = data.set.items.sequence_begin[s];
    const std::span labels(data.set.labels.data() + first, label_sequences.end(s) - label_sequences.begin(s));
    if (std::find(labels.begin(), labels.end(), sequence::kUnknownLabel) != labels.end()) continue;
    gold.clear();
    predicted.clear();
    for (std::size_t t = 0; t < labels.size(); ++t) {
      gold.push_back(data.labels[labels[t]]);
      predicted.push_back(data.labels[labeling[label_sequences.begin(s) + t]]);
    }
    metrics.add(gold, predicted);
  }
  return metrics;
}

}  // namespace fovea::tagging
