// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf_features.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

/// A growing set of labels that lists its members; clearing it takes time proportional to their number.
class LabelSet {
 public:
  explicit LabelSet(int label_count) : contains_(label_count, 0) {}

  void insert(Value label) {
    if (contains_[label]) return;
    contains_[label] = 1;
    members_.push_back(label);
  }
  void append_sorted_to(std::vector<Value>& labels) {
    std::sort(members_.begin(), members_.end());
    labels.insert(labels.end(), members_.begin(), members_.end());
    for (const Value label : members_) contains_[label] = 0;
    members_.clear();
  }

 private:
  std::vector<char> contains_;
  std::vector<Value> members_;
};

/// row -> union of the labels of its columns.
struct LabelRows {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<Value> labels;

  void end_row() { offsets.push_back(static_cast<std::uint32_t>(labels.size())); }
};

LabelRows labels_of_bundles(const TrainingSet& set, const TransposedItems& transposed) {
  LabelRows result;
  LabelSet seen(set.label_count);
  for (std::size_t b = 0; b < transposed.bundles.row_count(); ++b) {
    for (const std::uint32_t item : transposed.bundles.row(b))
      if (set.labels[item] != kUnknownLabel) seen.insert(set.labels[item]);
    seen.append_sorted_to(result.labels);
    result.end_row();
  }
  return result;
}

LabelRows labels_of_attributes(const TrainingSet& set, const TransposedItems& transposed) {
  const LabelRows bundles = labels_of_bundles(set, transposed);
  LabelRows result;
  LabelSet seen(set.label_count);
  for (std::size_t a = 0; a < transposed.attributes.row_count(); ++a) {
    for (const std::uint32_t bundle : transposed.attributes.row(a))
      for (std::uint32_t e = bundles.offsets[bundle]; e < bundles.offsets[bundle + 1]; ++e)
        seen.insert(bundles.labels[e]);
    seen.append_sorted_to(result.labels);
    result.end_row();
  }
  return result;
}

LabelRows all_labels(const TrainingSet& set) {
  LabelRows result;
  for (std::size_t a = 0; a < set.attribute_count; ++a) {
    for (int k = 0; k < set.label_count; ++k) result.labels.push_back(static_cast<Value>(k));
    result.end_row();
  }
  return result;
}

using Labels = std::array<Value, kMaxFactorSize>;

void add_windows(const TrainingSet& set, std::size_t begin, std::size_t end, std::uint16_t size,
                 std::set<Labels>& found) {
  for (std::size_t t = begin; t + size <= end; ++t) {
    Labels labels{};
    std::copy_n(set.labels.begin() + t, size, labels.begin());
    if (std::find(labels.begin(), labels.begin() + size, kUnknownLabel) == labels.begin() + size) found.insert(labels);
  }
}

std::vector<LabelNgram> collect_ngrams(const TrainingSet& set, int factor_size, bool all_pairs) {
  std::vector<LabelNgram> ngrams;
  for (std::uint16_t size = 2; size <= factor_size; ++size) {
    std::set<Labels> found;
    for (std::size_t s = 0; s < set.items.sequence_count(); ++s)
      add_windows(set, set.items.sequence_begin[s], set.items.sequence_begin[s + 1], size, found);
    if (all_pairs && size == 2)
      for (int i = 0; i < set.label_count; ++i)
        for (int j = 0; j < set.label_count; ++j) found.insert({static_cast<Value>(i), static_cast<Value>(j)});
    for (const Labels& labels : found) ngrams.push_back({.labels = labels, .size = size, .score = 0});
  }
  return ngrams;
}

}  // namespace

std::vector<LabelNgram> CrfFeatures::scored_ngrams(std::span<const float> x) const {
  FOVEA_CHECK(x.size() == dimension());
  std::vector<LabelNgram> scored = ngrams;
  for (std::size_t i = 0; i < scored.size(); ++i) scored[i].score = x[labels.size() + i];
  return scored;
}

CrfFeatures observed_features(const TrainingSet& set, const TransposedItems& transposed, int factor_size, bool all) {
  FOVEA_CHECK(factor_size >= 1 && factor_size <= kMaxFactorSize);
  LabelRows pairs = all ? all_labels(set) : labels_of_attributes(set, transposed);
  return {.label_count = set.label_count,
          .factor_size = factor_size,
          .offsets = std::move(pairs.offsets),
          .labels = std::move(pairs.labels),
          .ngrams = collect_ngrams(set, factor_size, all)};
}

}  // namespace fovea::sequence
