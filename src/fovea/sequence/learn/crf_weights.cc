// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::sequence {
namespace {

struct Arrays {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<Value> labels;
  std::vector<float> weights;
};

/// The shape of the model, as stored.
struct Shape {
  std::uint32_t label_count = 0;
  std::uint32_t factor_size = 0;
};

/// A LabelNgram as stored, without padding bytes of the compiler's choice.
struct StoredNgram {
  std::array<Value, kMaxFactorSize> labels;
  std::uint16_t size;
  std::uint16_t unused;
  float score;
};
static_assert(sizeof(StoredNgram) == 20);

/// True if all values are finite. No branch per weight, so that a large model is checked at the speed of memory.
bool all_finite(std::span<const float> values) {
  std::uint32_t bad = 0;
  for (const float v : values) bad |= (std::bit_cast<std::uint32_t>(v) & 0x7F800000u) == 0x7F800000u;
  return bad == 0;
}

std::string section(std::string_view prefix, std::string_view name) { return std::string(prefix) + std::string(name); }

/// True if all labels are < label_count and ascend within each attribute: only where one begins may a label be as low
/// as the one before it. No branch per label.
bool ascending_labels(std::span<const std::uint32_t> offsets, std::span<const Value> labels, std::size_t label_count) {
  std::size_t beyond = 0, falls = 0, allowed = 0;
  for (const Value label : labels) beyond += label >= label_count;
  for (std::size_t e = 1; e < labels.size(); ++e) falls += labels[e] <= labels[e - 1];
  for (std::size_t a = 0; a + 1 < offsets.size(); ++a)
    if (const std::uint32_t e = offsets[a]; e > 0 && e < offsets[a + 1]) allowed += labels[e] <= labels[e - 1];
  return beyond == 0 && falls == allowed;
}

LabelNgram checked_ngram(const StoredNgram& stored, const Shape& shape, const Container& container,
                         std::string_view name) {
  if (stored.size < 2 || stored.size > shape.factor_size)
    container.refuse(name, "n-gram sizes must lie in [2, factor size]");
  for (int i = 0; i < stored.size; ++i)
    if (stored.labels[i] >= shape.label_count) container.refuse(name, "labels must be < label count");
  if (!std::isfinite(stored.score)) container.refuse(name, "all weights must be finite numbers");
  return {.labels = stored.labels, .size = stored.size, .score = stored.score};
}

Shape load_shape(const Container& container, const std::string& name) {
  const auto shapes = container.array<Shape>(name);
  if (shapes.size() != 1) container.refuse(name, "it must hold one entry");
  const Shape shape = shapes[0];
  if (shape.label_count == 0 || shape.label_count >= kUnknownLabel)
    container.refuse(name, "the label count must lie in [1, 65534]");
  if (shape.factor_size == 0 || shape.factor_size > kMaxFactorSize)
    container.refuse(name, "the factor size must lie in [1, 6]");
  return shape;
}

}  // namespace

CrfWeights::CrfWeights(const CrfFeatures& features, std::span<const float> x, bool prune)
    : label_count_(features.label_count), factor_size_(features.factor_size) {
  FOVEA_CHECK(x.size() == features.dimension());
  auto arrays = std::make_shared<Arrays>();
  arrays->offsets.reserve(features.offsets.size());
  for (std::size_t a = 0; a < features.attribute_count(); ++a) {
    for (std::uint32_t e = features.offsets[a]; e < features.offsets[a + 1]; ++e) {
      if (prune && x[e] == 0) continue;
      arrays->labels.push_back(features.labels[e]);
      arrays->weights.push_back(x[e]);
    }
    arrays->offsets.push_back(static_cast<std::uint32_t>(arrays->labels.size()));
  }
  ngrams_ = features.scored_ngrams(x);
  if (prune) std::erase_if(ngrams_, [](const LabelNgram& ngram) { return ngram.score == 0; });
  offsets_ = arrays->offsets;
  labels_ = arrays->labels;
  weights_ = arrays->weights;
  owner_ = std::move(arrays);
}

std::vector<float> CrfWeights::as_parameters(const CrfFeatures& features) const {
  std::vector<float> x(features.dimension());
  for (std::size_t a = 0; a < std::min(attribute_count(), features.attribute_count()); ++a) {
    std::uint32_t e = offsets_[a];
    for (std::uint32_t f = features.offsets[a]; f < features.offsets[a + 1]; ++f) {
      while (e < offsets_[a + 1] && labels_[e] < features.labels[f]) ++e;
      if (e < offsets_[a + 1] && labels_[e] == features.labels[f]) x[f] = weights_[e];
    }
  }
  std::map<std::array<Value, kMaxFactorSize + 1>, float> scores;
  const auto key = [](const LabelNgram& ngram) {
    std::array<Value, kMaxFactorSize + 1> k{};
    std::copy_n(ngram.labels.begin(), ngram.size, k.begin());
    k.back() = ngram.size;
    return k;
  };
  for (const LabelNgram& ngram : ngrams_) scores[key(ngram)] += ngram.score;
  for (std::size_t i = 0; i < features.ngrams.size(); ++i)
    if (const auto found = scores.find(key(features.ngrams[i])); found != scores.end())
      x[features.labels.size() + i] = found->second;
  return x;
}

CrfWeights CrfWeights::times(std::span<const float> factors) const {
  auto weights = std::make_shared<std::vector<float>>(weights_.begin(), weights_.end());
  for (std::size_t a = 0; a < std::min(attribute_count(), factors.size()); ++a)
    for (std::uint32_t e = offsets_[a]; e < offsets_[a + 1]; ++e) (*weights)[e] *= factors[a];
  CrfWeights result = *this;
  result.weights_ = *weights;
  result.owner_ =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(owner_, std::move(weights));
  return result;
}

CrfWeights CrfWeights::divided_by(double divisor) const {
  FOVEA_CHECK(divisor > 0);
  const std::vector<float> factors(attribute_count(), static_cast<float>(1 / divisor));
  CrfWeights result = times(factors);
  for (LabelNgram& ngram : result.ngrams_) ngram.score = static_cast<float>(ngram.score / divisor);
  return result;
}

LabelNgrams CrfWeights::label_pairs(std::span<const LabelNgram> more) const {
  std::vector<LabelNgram> pairs(more.begin(), more.end());
  for (const LabelNgram& ngram : ngrams_)
    if (ngram.size == 2) pairs.push_back(ngram);
  return LabelNgrams(label_count_, pairs.empty() ? 1 : 2, pairs);
}

/// Makes two passes, because the second reads what the first has prefetched.
void CrfWeights::prefetch(std::span<const std::uint32_t> attributes) const {
  for (const std::uint32_t a : attributes)
    if (a < attribute_count()) __builtin_prefetch(&offsets_[a]);
  for (const std::uint32_t a : attributes) {
    if (a >= attribute_count()) continue;
    __builtin_prefetch(labels_.data() + offsets_[a]);
    __builtin_prefetch(weights_.data() + offsets_[a]);
  }
}

void CrfWeights::save(ContainerWriter& container, std::string_view prefix) const {
  const Shape shape{static_cast<std::uint32_t>(label_count_), static_cast<std::uint32_t>(factor_size_)};
  std::vector<StoredNgram> stored;
  for (const LabelNgram& ngram : ngrams_) stored.push_back({ngram.labels, ngram.size, 0, ngram.score});
  container.add_array(section(prefix, "shape"), std::span(&shape, 1));
  container.add_array(section(prefix, "offsets"), offsets_);
  container.add_array(section(prefix, "labels"), labels_);
  container.add_array(section(prefix, "weights"), weights_);
  container.add_array(section(prefix, "ngrams"), std::span<const StoredNgram>(stored));
}

CrfWeights CrfWeights::load(const Container& container, std::string_view prefix) {
  const Shape shape = load_shape(container, section(prefix, "shape"));
  CrfWeights result;
  result.label_count_ = static_cast<int>(shape.label_count);
  result.factor_size_ = static_cast<int>(shape.factor_size);
  result.offsets_ = container.array<std::uint32_t>(section(prefix, "offsets"));
  result.labels_ = container.array<Value>(section(prefix, "labels"));
  result.weights_ = container.array<float>(section(prefix, "weights"));
  result.owner_ = std::make_shared<Container>(container);
  if (result.offsets_.empty() || result.offsets_.front() != 0 || result.offsets_.back() != result.weights_.size() ||
      !std::is_sorted(result.offsets_.begin(), result.offsets_.end()))
    container.refuse(section(prefix, "offsets"), "offsets must ascend from 0 to the number of weights");
  if (result.labels_.size() != result.weights_.size() ||
      !ascending_labels(result.offsets_, result.labels_, shape.label_count))
    container.refuse(section(prefix, "labels"),
                     "it must hold one label per weight, each < label count, ascending per attribute");
  if (!all_finite(result.weights_)) container.refuse(section(prefix, "weights"), "all weights must be finite numbers");
  const std::string name = section(prefix, "ngrams");
  for (const StoredNgram& stored : container.array<StoredNgram>(name))
    result.ngrams_.push_back(checked_ngram(stored, shape, container, name));
  return result;
}

}  // namespace fovea::sequence
