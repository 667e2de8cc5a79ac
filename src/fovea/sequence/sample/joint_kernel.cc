// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/joint_kernel.h"

#include <algorithm>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/sequence/sample/stretch.h"

namespace fovea::sequence {
namespace {

/// Decides one stretch after another.
class JointVisits {
 public:
  JointVisits(const LabelSequences& sequences, const OpenLabels& open, JointAnswer answer, Assignment& labeling,
              const mcmc::VisitRecord& record)
      : open_(open),
        reach_(sequences.ngrams().order()),
        answer_(answer),
        labeling_(labeling),
        record_(record),
        stretch_(sequences) {}

  /// Takes the next site; sites come in increasing order.
  void visit(VariableId site) {
    if (size_ > 0 && (site > end_ - 1 + reach_ || size_ == SequenceJoint::kMaxStretch)) decide();
    if (size_ == 0) stretch_.begin(labeling_, first_ = end_ = site);
    for (; end_ < site; ++end_) stretch_.add({labeling_.data() + end_, 1});
    const std::span<const Value> labels = open_.at(site);
    stretch_.add(labels.empty() ? std::span<const Value>(labeling_.data() + site, 1) : labels);
    ++end_;
    ++size_;
  }

  mcmc::StepInfo finish(std::size_t visits) {
    if (size_ > 0) decide();
    return {.work = {.transitions = visits, .factors = factors_}, .changes = changes_};
  }

 private:
  void decide() {
    stretch_.score(SequenceJoint::kMaxWindows);
    factors_ += stretch_.window_count();
    labels_.resize(stretch_.size());
    if (find(labels_.data())) {
      for (std::size_t t = 0; t < labels_.size(); ++t) {
        Value& label = labeling_[first_ + t];
        if (label == labels_[t]) continue;
        label = labels_[t];
        if (record_.changed) record_.changed[changes_] = static_cast<VariableId>(first_ + t);
        ++changes_;
      }
    }
    size_ = 0;
  }

  bool find(Value* labels) {
    if (answer_ == JointAnswer::kBest) return stretch_.find_best(labels);
    if (!stretch_.find_marginal(labels, record_.doubt ? record_.doubt + first_ : nullptr)) return false;
    return !stretch_.constrained() || stretch_.possible(labels) || stretch_.find_best(labels);
  }

  const OpenLabels& open_;
  std::size_t reach_;
  JointAnswer answer_;
  Assignment& labeling_;
  mcmc::VisitRecord record_;
  internal::Stretch stretch_;
  std::size_t first_ = 0, end_ = 0, size_ = 0;  // positions [first, end), sites among them
  std::vector<Value> labels_;
  std::uint64_t factors_ = 0;
  std::size_t changes_ = 0;
};

}  // namespace

SequenceJoint::SequenceJoint(const LabelSequences& sequences, const OpenLabels& open, JointAnswer answer)
    : sequences_(&sequences), open_(&open), answer_(answer) {
  FOVEA_CHECK(sequences.ngrams().factor_size() > 1);
}

mcmc::StepInfo SequenceJoint::step(Assignment& labeling, std::span<const VariableId> batch, Random&,
                                   const mcmc::VisitRecord& record) const {
  std::vector<VariableId> sites(batch.begin(), batch.end());
  std::sort(sites.begin(), sites.end());
  JointVisits visits(*sequences_, *open_, answer_, labeling, record);
  for (const VariableId site : sites) visits.visit(site);
  return visits.finish(batch.size());
}

}  // namespace fovea::sequence
