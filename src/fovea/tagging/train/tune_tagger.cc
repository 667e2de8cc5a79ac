// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/tune_tagger.h"

#include <utility>

#include "fovea/base/error.h"
#include "fovea/tagging/model/model_input.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

namespace {

/// The F1 of entities where labels mark some, else the share of right labels.
sequence::TuningQuality quality_on(const TaggingData& data, const sequence::LabelSequences& sequences,
                                   const Assignment& gold) {
  const TaggingMetrics perfect = score_labeling(data, sequences, gold);
  const std::uint64_t entities = perfect.entities().gold;
  if (!perfect.has_entities() || entities == 0) return sequence::label_accuracy(sequences, gold);
  return {.of = [&](const Assignment& labels) { return score_labeling(data, sequences, labels).entities().f1(); },
          .measure = "entity F1",
          .units = entities};
}

sequence::Policy tune_on(const TaggerModel& model, const TaggingData& data, const sequence::TuneOptions& options,
                         const Run& run) {
  const sequence::LabelNgrams ngrams = model.weights.label_ngrams();
  sequence::LabelSequences sequences(ngrams);
  score_encoded(data.set.items, model.weights, sequences);
  const Assignment gold = gold_labeling(data, sequences);
  sequence::Policy policy = sequence::tune(sequences, quality_on(data, sequences, gold), options, run);
  if (run.is_cancelled()) throw CancelledError("interrupted before the policy was complete");
  bind_policy(model, policy);
  return policy;
}

}  // namespace

sequence::Policy tune_tagger(const TuneJob& job, const Run& run) {
  if (job.files.empty()) throw UsageError("FILE is needed: labelled sequences that the tagger was not trained on");
  const Tagger tagger = Tagger::load(job.model);
  const TaggerModel& model = tagger.policy_model();
  check_model_features(model, job.features.features);
  TaggingDataReader reader(model, UnknownAttributes::kDrop, job.unknown_label);
  for (const std::string& file : job.files) reader.read(io::ByteSource(file), run);
  return tune_on(model, std::move(reader).finish(), job.options, run);
}

sequence::Policy tune_tagger(const Tagger& tagger, TrainingSequences sequences, const sequence::TuneOptions& options,
                             const Run& run) {
  const TaggerModel& model = tagger.policy_model();
  if (sequences.tagger_ != &tagger.vocabulary())
    throw UsageError("the sequences are not numbered for this tagger: make them by TrainingSequences::of_tagger");
  sequences.require_items("tune");
  return tune_on(model, std::move(*sequences.reader_).finish(), options, run);
}

}  // namespace fovea::tagging
