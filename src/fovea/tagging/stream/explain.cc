// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

Value number_of(const TaggerModel& model, const std::string& label) {
  const auto found = std::find(model.labels.begin(), model.labels.end(), label);
  if (found == model.labels.end())
    throw UsageError(
        fmt::format("the tagger has no label '{}'; its labels are {}", label, fmt::join(model.labels, ", ")));
  return static_cast<Value>(found - model.labels.begin());
}

std::vector<Value> numbers_of(const TaggerModel& model, const std::vector<std::string>& labels) {
  std::vector<Value> numbers;
  for (const std::string& label : labels) numbers.push_back(number_of(model, label));
  return numbers;
}

template <class Given>
std::vector<Value> labels_of(const Tagger& tagger, const Given& given, const TagJob& job, const Run& run) {
  const TaggerModel& model = explainable_model(tagger);
  const TaggedInMemory tagged = tag(tagger, std::span(&given, 1), job, run);
  if (run.is_cancelled()) throw CancelledError("interrupted while tagging");
  return numbers_of(model, tagged.sequences[0].labels);
}

std::optional<Value> other_of(const Tagger& tagger, const std::string& other) {
  return other.empty() ? std::optional<Value>() : number_of(*tagger.ngrams(), other);
}

}  // namespace

const TaggerModel& explainable_model(const Tagger& tagger) {
  if (!tagger.ngrams())
    throw UsageError(
        "labels of a Gaussian process tagger cannot be explained: they are not decided by sums of weights");
  return *tagger.ngrams();
}

LabelExplanation explain(const Tagger& tagger, const TagItems& items, std::size_t item, const std::string& other,
                         const TagJob& job, const Run& run) {
  const std::vector<Value> labels = labels_of(tagger, items, job, run);  // checks the items
  if (tagger.reads_columns()) {
    ItemSequence sequence;
    to_sequence(items, sequence);
    return explain_label(*tagger.ngrams(), sequence, labels, item, other_of(tagger, other));
  }
  AttributeSequence sequence;
  to_sequence(items, sequence);
  return explain_label(*tagger.ngrams(), sequence, labels, item, other_of(tagger, other));
}

LabelExplanation explain(const Tagger& tagger, const AttributeSequence& sequence, std::size_t item,
                         const std::string& other, const TagJob& job, const Run& run) {
  const std::vector<Value> labels = labels_of(tagger, sequence, job, run);
  return explain_label(*tagger.ngrams(), sequence, labels, item, other_of(tagger, other));
}

}  // namespace fovea::tagging
