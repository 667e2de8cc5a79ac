// SPDX-License-Identifier: Apache-2.0
#include "fovea/exact/chain/viterbi.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/infinity.h"
#include "fovea/exact/chain/pair_viterbi.h"
#include "fovea/exact/chain/state_viterbi.h"

namespace fovea {

struct Viterbi::Workspace {
  explicit Workspace(const LabelNgrams& ngrams) : states(ngrams) { bind(true); }

  void bind(bool structure_changed) {
    if (is_pairwise()) pairs.bind(states.ngrams());
    else state_viterbi.bind(states, structure_changed);
  }
  bool is_pairwise() const { return states.ngrams().factor_size() <= 2; }
  double trace_back(const Chains& chains, std::size_t sequence, Assignment& labeling) const;
  std::uint32_t best_before(const float* alpha, std::uint32_t state) const;

  ChainStates states;
  internal::PairScores pairs;
  internal::PairViterbiScratch pair_scratch;
  internal::StateViterbi state_viterbi;
};

Viterbi::Viterbi(const LabelNgrams& ngrams) : workspace_(std::make_unique<Workspace>(ngrams)) {}
Viterbi::~Viterbi() = default;
Viterbi::Viterbi(Viterbi&&) noexcept = default;

void Viterbi::rebind(const LabelNgrams& ngrams) { workspace_->bind(!workspace_->states.rebind(ngrams)); }

const ChainStates& Viterbi::states() const { return workspace_->states; }

void Viterbi::require_match(const Chains& chains, const Assignment& labeling) const {
  FOVEA_CHECK(chains.ngrams().label_count() == states().ngrams().label_count());
  FOVEA_CHECK(labeling.size() == chains.position_count());
}

double Viterbi::decode(const Chains& chains, std::size_t sequence, Assignment& labeling) {
  require_match(chains, labeling);
  const std::size_t length = chains.end(sequence) - chains.begin(sequence);
  if (length == 0) return 0;
  if (viterbi_bytes(states(), length) > kMaxBytes)
    throw LimitError(fmt::format(
        "decoding {} tokens exactly needs {} MiB, more than {}; use a beam or a smaller factor size, or split the text",
        length, viterbi_bytes(states(), length) >> 20, kMaxBytes >> 20));
  if (workspace_->is_pairwise()) {
    const internal::PairSequence pairs = {chains.unary(chains.begin(sequence)), length,
                                          labeling.data() + chains.begin(sequence)};
    return internal::pair_viterbi(workspace_->pairs, {&pairs, 1}, workspace_->pair_scratch);
  }
  workspace_->state_viterbi.forward(chains.unary(chains.begin(sequence)), length);
  return workspace_->trace_back(chains, sequence, labeling);
}

double Viterbi::decode_all(const Chains& chains, Assignment& labeling) {
  double score = 0;
  if (workspace_->is_pairwise()) {
    require_match(chains, labeling);
    std::vector<internal::PairSequence> sequences;
    for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
      const std::size_t begin = chains.begin(s), length = chains.end(s) - begin;
      if (length > 0) sequences.push_back({chains.unary(begin), length, labeling.data() + begin});
    }
    return internal::pair_viterbi(workspace_->pairs, sequences, workspace_->pair_scratch);
  }
  for (std::size_t s = 0; s < chains.sequence_count(); ++s) score += decode(chains, s, labeling);
  return score;
}

double Viterbi::Workspace::trace_back(const Chains& chains, std::size_t sequence, Assignment& labeling) const {
  const std::size_t begin = chains.begin(sequence), end = chains.end(sequence);
  const float* last = state_viterbi.alpha(end - begin - 1);
  const std::size_t slot = std::max_element(last, last + state_viterbi.row_size()) - last;
  if (last[slot] == kImpossibleF) {
    std::fill(labeling.begin() + begin, labeling.begin() + end, 0);
    return kImpossibleF;
  }
  std::uint32_t state = state_viterbi.state_of(slot);
  double score = 0;
  for (std::size_t p = end; p-- > begin;) {
    const Value label = states.last(state);
    labeling[p] = label;
    state = p == begin ? 0 : best_before(state_viterbi.alpha(p - 1 - begin), state);
    score += double{chains.unary(p)[label]} + double{states.row(state)[label]};
  }
  return score;
}

std::uint32_t Viterbi::Workspace::best_before(const float* previous, std::uint32_t state) const {
  const Value label = states.last(state);
  std::uint32_t best = states.parent(state);
  float best_score = kImpossibleF;
  states.for_each_predecessor(state, [&](std::uint32_t s) {
    const float score = previous[state_viterbi.slot_of(s)] + states.row(s)[label];
    if (score > best_score) best_score = score, best = s;
  });
  return best;
}

std::size_t viterbi_bytes(const ChainStates& states, std::size_t length) {
  return (length + 1) * row_stride(states.count()) * sizeof(float);
}

double viterbi_flops(const ChainStates& states, std::size_t length) {
  return 2.0 * static_cast<double>(length) * static_cast<double>(states.count()) * states.ngrams().label_count();
}

std::size_t viterbi_bytes(const LabelNgrams& ngrams, std::size_t length) {
  return viterbi_bytes(ChainStates(ngrams), length);
}

double viterbi_flops(const LabelNgrams& ngrams, std::size_t length) {
  return viterbi_flops(ChainStates(ngrams), length);
}

}  // namespace fovea
