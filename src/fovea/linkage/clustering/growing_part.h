// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "fovea/linkage/clustering/attribute_pairs.h"
#include "fovea/linkage/clustering/member_sums.h"
#include "fovea/linkage/clustering/pair_clustering.h"
#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::linkage {

/// A set of records that grows one by one, and sums of pair scores with it: computed pair by pair, or by MemberSums
/// where the model has them and enough records will follow.
class GrowingPart {
 public:
  /// Starts again with one member, to which up to `others` will be added.
  template <class Model>
  void begin(const Model& model, RecordId first, std::size_t others) {
    members_.clear();
    if constexpr (std::same_as<Model, AttributePairs>) begin_sums(model, others);
    add(first);
  }

  void add(RecordId m) {
    members_.push_back(m);
    if (has_sums_) sums_->add(m);
  }

  /// Sum of the pair scores of m with all members; m must not be a member.
  template <class Model>
  mcmc::GroupedSum sum_of_scores(const Model& model, RecordId m) const {
    if constexpr (std::same_as<Model, AttributePairs>)
      if (has_sums_) return {.sum = sums_->sum(m), .lookups = model.attribute_count()};
    return {.sum = linkage::sum_of_scores(model, m, members_), .factors = members_.size()};
  }

  std::span<const RecordId> members() const { return members_; }

 private:
  /// Uses sums where they pay off: a pair score costs about as much as 5 values of the sums, and a record is compared
  /// with half of `others` on average as the part grows.
  void begin_sums(const AttributePairs& model, std::size_t others) {
    has_sums_ = others >= 16 && others >= MemberSums::dense_values(model) / 4;
    if (!has_sums_) return;
    if (sums_model_ == &model) sums_->clear();
    else sums_.emplace(model);
    sums_model_ = &model;
  }

  std::vector<RecordId> members_;
  bool has_sums_ = false;
  std::optional<MemberSums> sums_;
  const AttributePairs* sums_model_ = nullptr;  // the model of sums_
};

}  // namespace fovea::linkage
