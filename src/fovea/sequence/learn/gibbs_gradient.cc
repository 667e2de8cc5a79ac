// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/gibbs_gradient.h"

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf_features.h"

namespace fovea::sequence {

GibbsGradient::GibbsGradient(const TrainingSet& set, const CrfFeatures& features, const NgramTables& tables,
                             std::span<const float> x)
    : set_(&set),
      features_(&features),
      tables_(&tables),
      x_(x),
      weights_(tables.stride()),
      gradient_(features.dimension()) {
  FOVEA_CHECK(x.size() == features.dimension());
}

void GibbsGradient::begin(std::size_t s) {
  first_item_ = set_->items.sequence_begin[s];
  length_ = set_->items.sequence_begin[s + 1] - first_item_;
  const std::size_t order = tables_->order();
  labels_.assign(length_ + 2 * order, tables_->pad());
  truth_ = labels_;
  for (std::size_t t = 0; t < length_; ++t) {
    const Value known = set_->labels[first_item_ + t];
    truth_[order + t] = known == kUnknownLabel ? tables_->pad() : known;
  }
  residual_.assign(length_ * features_->label_count, 0.0f);
  score_items();
}

void GibbsGradient::score_items() {
  const std::size_t stride = tables_->stride();
  unary_.assign(length_ * stride, 0.0f);
  for (std::size_t t = 0; t < length_; ++t) {
    float* row = unary_.data() + t * stride;
    for_each_feature(*set_, *features_, first_item_ + t,
                     [&](std::uint32_t e, Value label, float value) { row[label] += value * x_[e]; });
  }
}

void GibbsGradient::add_labeling(const std::vector<Value>& labels, float weight) {
  const std::size_t order = tables_->order();
  std::vector<Value> masked = labels;  // tokens without a known label take no part
  for (std::size_t t = 0; t < length_; ++t) {
    Value& label = masked[order + t];
    if (truth_[order + t] == tables_->pad()) label = tables_->pad();
    if (label == tables_->pad()) continue;
    residual_[t * features_->label_count + label] += weight;
    residual_[t * features_->label_count + truth_[order + t]] -= weight;
    differing_ += label != truth_[order + t];
    ++compared_;
  }
  const auto first_ngram = static_cast<std::uint32_t>(features_->labels.size());
  for (std::size_t t = 0; t < length_; ++t) {
    tables_->for_each_ending_at(masked.data() + order + t,
                                [&](std::uint32_t id) { gradient_.add(first_ngram + id, weight); });
    tables_->for_each_ending_at(truth_.data() + order + t,
                                [&](std::uint32_t id) { gradient_.add(first_ngram + id, -weight); });
  }
}

std::span<const std::pair<std::uint32_t, float>> GibbsGradient::finish() {
  for (std::size_t t = 0; t < length_; ++t) add_item(t);
  return gradient_.take();
}

void GibbsGradient::add_item(std::size_t t) {
  const float* residual = residual_.data() + t * features_->label_count;
  if (std::all_of(residual, residual + features_->label_count, [](float r) { return r == 0; })) return;
  for_each_feature(*set_, *features_, first_item_ + t, [&](std::uint32_t e, Value label, float value) {
    if (residual[label] != 0) gradient_.add(e, value * residual[label]);
  });
}

}  // namespace fovea::sequence
