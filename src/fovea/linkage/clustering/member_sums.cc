// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/member_sums.h"

#include <algorithm>

namespace fovea::linkage {

MemberSums::MemberSums(const AttributePairs& model)
    : model_(&model), dense_(dense_values(model)), sparse_(model.sparse().size()) {}

std::size_t MemberSums::dense_values(const AttributePairs& model) {
  std::size_t values = 0;
  for (const AttributePairs::DenseAttribute& attribute : model.dense()) values += attribute.value_count;
  return values;
}

void MemberSums::clear() {
  weight_ = 0;
  std::ranges::fill(dense_, 0.0);
  for (SparseSums& sums : sparse_) {
    sums.present = 0;
    sums.excess.clear();
  }
}

double MemberSums::sum(RecordId m) const {
  double sum = model_->bias() * weight_;
  const double* sums = dense_.data();
  for (const AttributePairs::DenseAttribute& attribute : model_->dense()) {
    sum += sums[attribute.values[m]];
    sums += attribute.value_count;
  }
  for (std::size_t a = 0; a < sparse_.size(); ++a) {
    const AttributePairs::SparseAttribute& attribute = model_->sparse()[a];
    sum += attribute.missing_score * weight_;
    const std::uint32_t value = attribute.values[m];
    if (value == kMissingValue) continue;
    sum += (attribute.scores.default_score() - attribute.missing_score) * sparse_[a].present;
    if (attribute.scores.exceptions(value).empty()) continue;
    if (const auto found = sparse_[a].excess.find(value); found != sparse_[a].excess.end()) sum += found->second.sum;
  }
  return sum * model_->weight(m);
}

void MemberSums::change(RecordId m, int sign) {
  const double signed_weight = sign * model_->weight(m);
  weight_ += signed_weight;
  double* sums = dense_.data();
  for (const AttributePairs::DenseAttribute& attribute : model_->dense())
    for (const float score : attribute.scores_with(attribute.values[m])) *sums++ += signed_weight * double{score};
  for (std::size_t a = 0; a < sparse_.size(); ++a) change_sparse(model_->sparse()[a], sparse_[a], m, sign);
}

/// Sums without members are dropped, so that neither memory nor rounding errors outlast the members.
void MemberSums::change_sparse(const AttributePairs::SparseAttribute& attribute, SparseSums& sums, RecordId m,
                               int sign) {
  const std::uint32_t value = attribute.values[m];
  if (value == kMissingValue) return;
  const double signed_weight = sign * model_->weight(m);
  sums.present += signed_weight;
  for (const SparseScores::Exception& exception : attribute.scores.exceptions(value)) {
    Excess& excess = sums.excess[exception.value];
    excess.sum += signed_weight * double{exception.excess};
    excess.members += static_cast<std::uint32_t>(sign);
    if (excess.members == 0) sums.excess.erase(exception.value);
  }
}

}  // namespace fovea::linkage
