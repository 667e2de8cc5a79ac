// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/sequence/learn/crf_features.h"
#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// A trained linear-chain CRF: the weights of (attribute, label) pairs and of label n-grams. Immutable; copies share
/// the arrays, which after load() lie in the memory map of the file.
class CrfWeights {
 public:
  CrfWeights() = default;
  /// The features with the values in a flat parameter vector (the order of CrfFeatures). With `prune`, pairs and
  /// n-grams of weight 0 (as L1 leaves many) are dropped.
  CrfWeights(const CrfFeatures& features, std::span<const float> x, bool prune = false);

  int label_count() const { return label_count_; }
  int factor_size() const { return factor_size_; }
  std::size_t attribute_count() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }

  /// Attribute a has weights()[e] for label labels()[e], e in [offsets()[a], offsets()[a + 1]); labels ascend.
  std::span<const std::uint32_t> offsets() const { return offsets_; }
  std::span<const Value> labels() const { return labels_; }
  std::span<const float> weights() const { return weights_; }
  const std::vector<LabelNgram>& ngrams() const { return ngrams_; }

  LabelNgrams label_ngrams() const { return LabelNgrams(label_count_, factor_size_, ngrams_); }
  /// The label pairs alone, and `more`: the chain from which the strong Doeblin family restarts.
  LabelNgrams label_pairs(std::span<const LabelNgram> more = {}) const;

  /// Prefetches what add_scores() will read for many attributes, some of which may be kNoId.
  void prefetch(std::span<const std::uint32_t> attributes) const;

  /// row[k] += value * weight(attribute, k)
  void add_scores(std::uint32_t attribute, float value, float* row) const {
    for (std::uint32_t e = offsets_[attribute]; e < offsets_[attribute + 1]; ++e)
      row[labels_[e]] += value * weights_[e];
  }

  /// Returns the weights as the start of a training on other features, which may have more or fewer attributes, labels
  /// and n-grams (those unknown here start at 0). Attribute and label ids must mean the same.
  std::vector<float> as_parameters(const CrfFeatures& features) const;

  /// Returns a copy with the weights of attribute a multiplied by factors[a]; attributes beyond `factors` keep theirs.
  CrfWeights times(std::span<const float> factors) const;

  /// Returns a copy with all weights, of n-grams too, divided by `divisor` > 0.
  CrfWeights divided_by(double divisor) const;

  /// Adds sections whose names begin with `prefix` (at most 20 bytes).
  void save(ContainerWriter& container, std::string_view prefix) const;
  /// Throws InputError if the sections are missing, do not fit each other, or hold a weight that is not finite.
  static CrfWeights load(const Container& container, std::string_view prefix);

 private:
  int label_count_ = 0;
  int factor_size_ = 1;
  std::span<const std::uint32_t> offsets_;
  std::span<const Value> labels_;
  std::span<const float> weights_;
  std::vector<LabelNgram> ngrams_;
  std::shared_ptr<const void> owner_;  // of the arrays that the spans refer to
};

}  // namespace fovea::sequence
