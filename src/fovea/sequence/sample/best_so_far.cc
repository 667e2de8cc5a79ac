// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/best_so_far.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::sequence {

BestSoFar::BestSoFar(const LabelSequences& label_sequences, const Assignment& start)
    : label_sequences_(&label_sequences),
      best_(start),
      current_(start),
      sequence_(start.size()),
      sequences_(label_sequences.sequence_count()),
      changed_(start.size()) {
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
    std::fill(sequence_.begin() + label_sequences.begin(s), sequence_.begin() + label_sequences.end(s),
              static_cast<std::uint32_t>(s));
}

void BestSoFar::observe(std::span<const VariableId> batch, const mcmc::StepInfo& info, const Assignment& current) {
  FOVEA_CHECK(info.gains.size() == batch.size() || info.sites.size() == batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const VariableId p = batch[i];
    if (current_[p] == current[p]) continue;
    current_[p] = current[p];
    const std::uint32_t s = sequence_[p];
    Sequence& sequence = sequences_[s];
    const std::size_t begin = label_sequences_->begin(s);
    if (begin + sequence.unsettled < label_sequences_->end(s)) changed_[begin + sequence.unsettled++] = p;
    sequence.above_best += double{info.gains.empty() ? info.sites[i].log_gain : info.gains[i]};
    if (sequence.above_best > 0) keep_current(s);
  }
}

void BestSoFar::keep_current(std::size_t s) {
  const std::size_t begin = label_sequences_->begin(s), end = label_sequences_->end(s);
  Sequence& sequence = sequences_[s];
  if (begin + sequence.unsettled == end) std::copy(&current_[begin], &current_[begin] + (end - begin), &best_[begin]);
  else
    for (std::size_t i = 0; i < sequence.unsettled; ++i) best_[changed_[begin + i]] = current_[changed_[begin + i]];
  sequence = {};
}

}  // namespace fovea::sequence
