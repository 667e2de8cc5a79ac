// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/viterbi.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/sequence/exact/n_best.h"
#include "fovea/sequence/exact/pair_viterbi.h"
#include "fovea/sequence/exact/state_viterbi.h"

namespace fovea::sequence {
namespace {

/// True if a finite score is beyond 2^12 in size: single floats would compare sums of 16 such scores only to 2^-8. The
/// bits of floats of one sign are in the order of their values. No branch, so that scores are checked at the speed of
/// memory.
bool reaches_far(std::span<const float> scores) {
  constexpr std::uint32_t kSafe = std::bit_cast<std::uint32_t>(0x1p12f), kInfinite = 0x7F800000u;
  std::uint32_t far = 0;
  for (const float score : scores)
    far |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(score) & 0x7FFFFFFFu) - kSafe < kInfinite - kSafe);
  return far != 0;
}

}  // namespace

struct Viterbi::Workspace {
  explicit Workspace(const LabelNgrams& ngrams) : states(ngrams) { bind(true); }

  void bind(bool structure_changed) {
    if (is_pairwise()) pairs.bind(states.ngrams());
    else state_viterbi.bind(states, structure_changed);
  }
  bool is_pairwise() const { return states.ngrams().factor_size() <= 2; }
  bool needs_doubles(const LabelSequences& label_sequences, std::size_t sequence) const;
  double decode_in_doubles(const LabelSequences& label_sequences, std::size_t sequence, Assignment& labeling) const;
  double trace_back(const LabelSequences& label_sequences, std::size_t sequence, Assignment& labeling) const;
  std::uint32_t best_before(const float* alpha, std::uint32_t state) const;

  SequenceStates states;
  internal::PairScores pairs;
  internal::PairViterbiScratch pair_scratch;
  internal::StateViterbi state_viterbi;
};

Viterbi::Viterbi(const LabelNgrams& ngrams) : workspace_(std::make_unique<Workspace>(ngrams)) {}
Viterbi::~Viterbi() = default;
Viterbi::Viterbi(Viterbi&&) noexcept = default;

void Viterbi::rebind(const LabelNgrams& ngrams) { workspace_->bind(!workspace_->states.rebind(ngrams)); }

const SequenceStates& Viterbi::states() const { return workspace_->states; }

void Viterbi::require_match(const LabelSequences& label_sequences, const Assignment& labeling) const {
  FOVEA_CHECK(label_sequences.ngrams().label_count() == states().ngrams().label_count());
  FOVEA_CHECK(labeling.size() == label_sequences.position_count());
}

double Viterbi::decode(const LabelSequences& label_sequences, std::size_t sequence, Assignment& labeling) {
  require_match(label_sequences, labeling);
  const std::size_t length = label_sequences.end(sequence) - label_sequences.begin(sequence);
  if (length == 0) return 0;
  if (viterbi_bytes(states(), length) > kMaxBytes)
    throw LimitError(fmt::format(
        "decoding {} tokens exactly needs {} MiB, more than {}; use a beam or a smaller factor size, or split the text",
        length, viterbi_bytes(states(), length) >> 20, kMaxBytes >> 20));
  if (workspace_->needs_doubles(label_sequences, sequence))
    return workspace_->decode_in_doubles(label_sequences, sequence, labeling);
  if (workspace_->is_pairwise()) {
    const internal::PairSequence pairs = {label_sequences.unary(label_sequences.begin(sequence)), length,
                                          labeling.data() + label_sequences.begin(sequence)};
    return internal::pair_viterbi(workspace_->pairs, {&pairs, 1}, workspace_->pair_scratch);
  }
  workspace_->state_viterbi.forward(label_sequences.unary(label_sequences.begin(sequence)), length);
  return workspace_->trace_back(label_sequences, sequence, labeling);
}

double Viterbi::decode_all(const LabelSequences& label_sequences, Assignment& labeling) {
  double score = 0;
  if (workspace_->is_pairwise()) {
    require_match(label_sequences, labeling);
    std::vector<internal::PairSequence> sequences;
    for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
      const std::size_t begin = label_sequences.begin(s), length = label_sequences.end(s) - begin;
      if (length == 0) continue;
      if (workspace_->needs_doubles(label_sequences, s))
        score += workspace_->decode_in_doubles(label_sequences, s, labeling);
      else sequences.push_back({label_sequences.unary(begin), length, labeling.data() + begin});
    }
    return score + internal::pair_viterbi(workspace_->pairs, sequences, workspace_->pair_scratch);
  }
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) score += decode(label_sequences, s, labeling);
  return score;
}

/// False where doubles would take more memory than is allowed.
bool Viterbi::Workspace::needs_doubles(const LabelSequences& label_sequences, std::size_t sequence) const {
  const std::size_t begin = label_sequences.begin(sequence), length = label_sequences.end(sequence) - begin;
  return reaches_far({label_sequences.unary(begin), length * label_sequences.ngrams().stride()}) &&
         length * states.count() * sizeof(double) <= kMaxNBestBytes;
}

double Viterbi::Workspace::decode_in_doubles(const LabelSequences& label_sequences, std::size_t sequence,
                                             Assignment& labeling) const {
  const auto found = n_best(states, label_sequences, sequence, 1);
  const auto first = labeling.begin() + static_cast<std::ptrdiff_t>(label_sequences.begin(sequence));
  if (found.empty()) {
    std::fill(first, labeling.begin() + static_cast<std::ptrdiff_t>(label_sequences.end(sequence)), 0);
    return kImpossible;
  }
  std::copy(found[0].values.begin(), found[0].values.end(), first);
  return found[0].score;
}

double Viterbi::Workspace::trace_back(const LabelSequences& label_sequences, std::size_t sequence,
                                      Assignment& labeling) const {
  const std::size_t begin = label_sequences.begin(sequence), end = label_sequences.end(sequence);
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
    score += double{label_sequences.unary(p)[label]} + double{states.row(state)[label]};
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

std::size_t viterbi_bytes(const SequenceStates& states, std::size_t length) {
  return (length + 1) * row_stride(states.count()) * sizeof(float);
}

double viterbi_flops(const SequenceStates& states, std::size_t length) {
  return 2.0 * static_cast<double>(length) * static_cast<double>(states.count()) * states.ngrams().label_count();
}

std::size_t viterbi_bytes(const LabelNgrams& ngrams, std::size_t length) {
  return viterbi_bytes(SequenceStates(ngrams), length);
}

double viterbi_flops(const LabelNgrams& ngrams, std::size_t length) {
  return viterbi_flops(SequenceStates(ngrams), length);
}

}  // namespace fovea::sequence
