// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/tagger_evaluation.h"

#include <algorithm>

#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/tagging/family/gp_tagger.h"

namespace fovea::tagging {
namespace {

/// Appends row r of `from`.
void append_row(const SparseRows& from, std::size_t r, SparseRows& to) {
  for (std::uint32_t e = from.offsets[r]; e < from.offsets[r + 1]; ++e) {
    to.columns.push_back(from.columns[e]);
    if (!from.values.empty()) to.values.push_back(from.values[e]);
  }
  to.end_row();
}

}  // namespace

TaggingMetrics evaluate_tagger(const sequence::CrfWeights& weights, const TaggingData& data, double restart_rate) {
  const sequence::LabelNgrams ngrams = weights.label_ngrams();
  sequence::LabelSequences label_sequences(ngrams);
  score_encoded(data.set.items, weights, label_sequences);
  sequence::DecodeOptions options{
      .method = restart_rate > 0 ? sequence::DecodeMethod::kDoeblin : sequence::DecodeMethod::kAuto,
      .restart_rate = restart_rate};
  const sequence::LabelNgrams pairs = weights.label_pairs();
  sequence::SequenceDecoder decoder(ngrams, nullptr, sequence::plan(ngrams, nullptr, options).options, {}, &pairs);
  sequence::DecodeResult result;
  decoder.decode(label_sequences, {.random = Random()}, result);
  return score_labeling(data, label_sequences, result.labels);
}

TaggingMetrics evaluate_tagger(const gp::AveragedGps& processes, const TaggingData& data) {
  const gp::Prediction prediction = processes.predict(gp_sequences(data.set.items));
  const std::size_t labels = prediction.label_count;
  TaggingMetrics metrics;
  std::vector<std::string_view> gold, predicted;
  for (std::size_t s = 0; s < data.sequence_count(); ++s) {
    gold.clear();
    predicted.clear();
    for (std::size_t item = data.set.items.sequence_begin[s]; item < data.set.items.sequence_begin[s + 1]; ++item) {
      if (data.set.labels[item] == sequence::kUnknownLabel) continue;
      const double* p = prediction.marginals.data() + item * labels;
      gold.push_back(data.labels[data.set.labels[item]]);
      predicted.push_back(data.labels[static_cast<std::size_t>(std::max_element(p, p + labels) - p)]);
    }
    metrics.add(gold, predicted);
  }
  return metrics;
}

gp::MarginalScore score_gp_marginals(const gp::Prediction& prediction, const TaggingData& data) {
  const std::size_t labels = prediction.label_count;
  gp::MarginalScore score;
  double known = 0, possible = 0;
  for (std::size_t item = 0; item < data.set.labels.size(); ++item) {
    const Value gold = data.set.labels[item];
    if (gold == sequence::kUnknownLabel) continue;
    const double* p = prediction.marginals.data() + item * labels;
    score.error += std::max_element(p, p + labels) - p != gold;
    ++known;
    if (gold >= labels) continue;
    score.log_density += std::log(std::max(p[gold], std::numeric_limits<double>::min()));
    ++possible;
  }
  score.error /= std::max(1.0, known);
  score.log_density /= std::max(1.0, possible);
  return score;
}

double tagging_score(const TaggingMetrics& metrics) {
  return metrics.has_entities() ? metrics.entities().f1() : metrics.accuracy();
}

std::vector<std::size_t> folds_of(const TaggingData& data, std::size_t folds) {
  std::vector<std::size_t> fold(data.sequence_count());
  for (std::size_t s = 0; s < fold.size(); ++s)
    fold[s] = (data.groups.empty() ? s : std::size_t{data.groups[s]}) % folds;
  return fold;
}

TaggingData fold_of(const TaggingData& data, std::span<const std::size_t> folds, std::size_t fold, bool held_out) {
  TaggingData part;
  part.labels = data.labels;
  part.set.attribute_count = data.set.attribute_count;
  part.set.label_count = data.set.label_count;
  part.set.items.bundles = data.set.items.bundles;
  for (std::size_t s = 0; s < data.sequence_count(); ++s) {
    if ((folds[s] == fold) != held_out) continue;
    for (std::size_t item = data.set.items.sequence_begin[s]; item < data.set.items.sequence_begin[s + 1]; ++item) {
      append_row(data.set.items.items, item, part.set.items.items);
      part.set.labels.push_back(data.set.labels[item]);
    }
    part.set.items.sequence_begin.push_back(static_cast<std::uint32_t>(part.set.labels.size()));
  }
  return part;
}

}  // namespace fovea::tagging
