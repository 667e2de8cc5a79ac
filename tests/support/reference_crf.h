// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::testing {

/// The training objective of a linear-chain CRF by its definition, in double, by enumerating all labelings.
/// label_count^length may be a few thousand.
class ReferenceCrf {
 public:
  ReferenceCrf(const sequence::TrainingSet& set, const sequence::CrfFeatures& features, double l2)
      : set_(&set), features_(&features), l2_(l2) {}

  /// f(x) = sum over sequences of log Z - log Z(labelings that agree with the known labels) + l2 |x|^2, and df/dx.
  double evaluate(const std::vector<double>& x, std::vector<double>* gradient = nullptr) const {
    double f = 0;
    if (gradient) gradient->assign(x.size(), 0.0);
    for (std::size_t s = 0; s < set_->items.sequence_count(); ++s)
      f += log_sum(s, false, x, 1, gradient) - log_sum(s, true, x, -1, gradient);
    for (std::size_t i = 0; i < x.size(); ++i) {
      f += l2_ * x[i] * x[i];
      if (gradient) (*gradient)[i] += 2 * l2_ * x[i];
    }
    return f;
  }

  /// Calls visit(labels) for every labeling of sequence s, or for those that agree with the known labels.
  template <class Visit>
  void for_each_labeling(std::size_t s, bool clamped, const Visit& visit) const {
    const std::size_t first = set_->items.sequence_begin[s], length = set_->sequence_length(s);
    std::vector<Value> labels(length, 0);
    for (;;) {
      bool agrees = true;
      for (std::size_t t = 0; t < length; ++t) {
        const Value known = set_->labels[first + t];
        agrees = agrees && (known == sequence::kUnknownLabel || known == labels[t]);
      }
      if (agrees || !clamped) visit(labels);
      std::size_t t = 0;
      while (t < length && ++labels[t] == set_->label_count) labels[t++] = 0;
      if (t == length) return;
    }
  }

  /// F(x, y) of one labeling, which is how often each feature fires.
  std::vector<double> counts(std::size_t s, const std::vector<Value>& labels) const {
    std::vector<double> result(features_->dimension());
    for (std::size_t t = 0; t < labels.size(); ++t) {
      sequence::for_each_feature(
          *set_, *features_, set_->items.sequence_begin[s] + t,
          [&](std::uint32_t e, Value label, float value) { result[e] += label == labels[t] ? value : 0; });
      for (std::size_t i = 0; i < features_->ngrams.size(); ++i) {
        const sequence::LabelNgram& ngram = features_->ngrams[i];
        if (t + 1 < ngram.size) continue;
        bool fires = true;
        for (int j = 0; j < ngram.size; ++j) fires = fires && ngram.labels[j] == labels[t + 1 - ngram.size + j];
        result[features_->labels.size() + i] += fires;
      }
    }
    return result;
  }

  double score(std::size_t s, const std::vector<Value>& labels, const std::vector<double>& x) const {
    const std::vector<double> fired = counts(s, labels);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += fired[i] * x[i];
    return sum;
  }

 private:
  double log_sum(std::size_t s, bool clamped, const std::vector<double>& x, double sign,
                 std::vector<double>* gradient) const {
    double sum = 0;
    for_each_labeling(s, clamped, [&](const std::vector<Value>& labels) { sum += std::exp(score(s, labels, x)); });
    if (gradient)
      for_each_labeling(s, clamped, [&](const std::vector<Value>& labels) {
        const double p = std::exp(score(s, labels, x)) / sum;
        const std::vector<double> fired = counts(s, labels);
        for (std::size_t i = 0; i < fired.size(); ++i) (*gradient)[i] += sign * p * fired[i];
      });
    return std::log(sum);
  }

  const sequence::TrainingSet* set_;
  const sequence::CrfFeatures* features_;
  double l2_;
};

/// No items yet; each attribute is a bundle of its own.
inline sequence::TrainingSet empty_training_set(int label_count, std::uint32_t attribute_count) {
  sequence::TrainingSet set;
  set.label_count = label_count;
  set.attribute_count = attribute_count;
  for (std::uint32_t attribute = 0; attribute < attribute_count; ++attribute) {
    set.items.bundles.columns.push_back(attribute);
    set.items.bundles.end_row();
  }
  return set;
}

struct RandomTrainingShape {
  int label_count = 3;
  std::vector<std::uint32_t> lengths = {4, 1, 6, 3};
  std::size_t attribute_count = 12;
  bool with_values = false;  ///< items hold their bundles with values other than 1
  double unknown = 0;        ///< share of items without a label
};

/// Items with two random bundles of up to three attributes each, and random labels.
inline sequence::TrainingSet random_training_set(const RandomTrainingShape& shape, std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(engine() % n); };
  sequence::TrainingSet set;
  set.attribute_count = shape.attribute_count;
  set.label_count = shape.label_count;
  const std::size_t bundle_count = 2 * shape.attribute_count;
  for (std::size_t b = 0; b < bundle_count; ++b) {
    for (std::uint32_t i = below(3) + 1; i-- > 0;) set.items.bundles.columns.push_back(below(shape.attribute_count));
    set.items.bundles.end_row();
  }
  for (const std::uint32_t length : shape.lengths) {
    for (std::uint32_t t = 0; t < length; ++t) {
      for (int i = 0; i < 2; ++i) {
        set.items.items.columns.push_back(below(bundle_count));
        if (shape.with_values) set.items.items.values.push_back(.25f * static_cast<float>(1 + below(8)) - 1);
      }
      set.items.items.end_row();
      const bool unknown = below(1000) < 1000 * shape.unknown;
      set.labels.push_back(unknown ? sequence::kUnknownLabel : static_cast<Value>(below(shape.label_count)));
    }
    set.items.sequence_begin.push_back(static_cast<std::uint32_t>(set.labels.size()));
  }
  return set;
}

/// Parameters of moderate size.
inline std::vector<float> random_parameters(std::size_t dimension, std::uint32_t seed, double scale = .7) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> draw(0, static_cast<float>(scale));
  std::vector<float> x(dimension);
  for (float& v : x) v = draw(engine);
  return x;
}

}  // namespace fovea::testing
