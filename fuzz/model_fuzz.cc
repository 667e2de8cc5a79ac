// SPDX-License-Identifier: Apache-2.0
// Tagger models: one section of a good model is replaced, with matching checksums. Whatever it holds, the model either
// is refused with an InputError or tags a sentence. The input is the number of the section, then its bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/tagging/model/item_scorer.h"
#include "fovea/tagging/model/tagging_data.h"
#include "fuzz/changed_section.h"
#include "fuzz/require.h"

namespace {

using fovea::fuzz::require;

void write_good(const std::string& path) {
  fovea::tagging::TaggingDataReader reader(fovea::tagging::TaggingDataReader::Options{});
  reader.read(fovea::io::ByteSource::from_memory("a x L\nb y M\n\nb y M\na y N\n", "text"), {});
  const fovea::tagging::TaggingData data = std::move(reader).finish();
  fovea::tagging::TaggerModel model;
  model.labels = data.labels;
  model.feature_template = data.feature_template;
  model.observation_columns = data.observation_columns;
  model.attributes = data.attributes.freeze();
  model.weights = fovea::sequence::CrfTrainer({.factor_size = 3}).train(data.set, {.threads = 1}).weights;
  model.fingerprint = fovea::tagging::tagger_fingerprint(model);
  model.save(path, data.attributes);
}

void tag(const fovea::tagging::TaggerModel& model) {
  if (!model.feature_template) return;
  fovea::tagging::ItemSequence sequence;
  const std::size_t columns = model.feature_template->column_count();
  sequence.clear(columns);
  const std::vector<fovea::tagging::ItemSequence::Cell> line(columns, {0, 1});
  for (const char* cell : {"a", "b", "c"}) sequence.add_line(cell, line);
  const fovea::sequence::LabelNgrams ngrams = model.weights.label_ngrams();
  fovea::sequence::LabelSequences sequences(ngrams);
  fovea::tagging::ItemScorer(model).score({&sequence, 1}, sequences);
  fovea::sequence::DecodeResult result;
  fovea::sequence::SequenceDecoder(ngrams, nullptr, {.method = fovea::sequence::DecodeMethod::kBeam})
      .decode(sequences, {.random = fovea::Random(1)}, result);
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p) require(result.labels[p] < model.labels.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fovea::fuzz::ChangedSection good("tagger", fovea::tagging::TaggerModel::kVersion, write_good);
  if (size == 0) return 0;
  const std::string path = good.with(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    tag(fovea::tagging::TaggerModel::load(path));
  } catch (const fovea::InputError&) {
  }
  return 0;
}
