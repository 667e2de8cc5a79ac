// SPDX-License-Identifier: Apache-2.0
#include "bench/support/problem.h"

namespace fovea::bench {
namespace {

tagging::TaggingData read_data(const tagging::TaggerModel& model, const std::string& path) {
  tagging::TaggingDataReader reader(model, tagging::UnknownAttributes::kDrop);
  reader.read(io::ByteSource(path), {});
  return std::move(reader).finish();
}

}  // namespace

Problem::Problem(const std::string& model_path, const std::string& data_path, std::string score)
    : model_(tagging::TaggerModel::load(model_path)),
      ngrams_(model_.weights.label_ngrams()),
      data_(read_data(model_, data_path)),
      sequences_(ngrams_),
      score_(std::move(score)) {
  tagging::score_encoded(data_.set.items, model_.weights, sequences_);
  gold_ = tagging::gold_labeling(data_, sequences_);
}

double Problem::quality(const Assignment& labeling) const {
  const tagging::TaggingMetrics metrics = tagging::score_labeling(data_, sequences_, labeling);
  return score_ == "f1" ? metrics.entities().f1() : metrics.accuracy();
}

sequence::TuningQuality Problem::tuning_quality() const {
  if (score_ != "f1") return sequence::label_accuracy(sequences_, gold_);
  return {.of = [this](const Assignment& labels) { return quality(labels); },
          .measure = "entity F1",
          .units = tagging::score_labeling(data_, sequences_, gold_).entities().gold};
}

Assignment random_labeling(const sequence::LabelSequences& sequences, Random& random) {
  Assignment labels = sequences.make_labeling();
  const auto label_count = static_cast<std::uint32_t>(sequences.ngrams().label_count());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
      labels[p] = static_cast<Value>(random.uniform_index(label_count));
  return labels;
}

}  // namespace fovea::bench
