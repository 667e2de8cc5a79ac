// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/open_labels.h"

namespace fovea::sequence {

/// Single-site Gibbs sampling over LabelSequences, vectorised over the labels of one site:
///
///   p(y_p = k | rest)  ~  exp(unary_p(k) + sum_{j < q} row(j, context_j)[k]),
///
/// one row per window that covers position p. The batch is visited in the given order. In colour order (positions a
/// factor size apart, sequence/sample/orders.h) consecutive sites do not depend on each other, so the processor
/// overlaps them: this, not the arithmetic, makes it several times faster than left to right.
///
/// If all labels of a site score -inf (its neighbours already break a hard constraint), it keeps its label.
/// Thread-safe: visits write only to the caller's labeling and record.
class SequenceGibbs {
 public:
  using TargetLaw = mcmc::Invariant;

  /// `sequences` must outlive the kernel.
  explicit SequenceGibbs(const LabelSequences& sequences) : sequences_(&sequences) {}

  mcmc::StepInfo step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                      const mcmc::VisitRecord& record = {}) const;
  /// The same draws, with the full SiteInfo of each site. `sites` has room for batch.size() of them, or is empty for
  /// none.
  mcmc::StepInfo step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                      std::span<mcmc::SiteInfo> sites) const;

 private:
  const LabelSequences* sequences_;
};

/// Iterated conditional modes: a visit sets the site to its best label given the rest (the current label wins ties,
/// then the lowest label). Never lowers the score; takes a Random only to be interchangeable with SequenceGibbs.
class SequenceIcm {
 public:
  using TargetLaw = mcmc::Heuristic;

  explicit SequenceIcm(const LabelSequences& sequences) : sequences_(&sequences) {}

  mcmc::StepInfo step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                      const mcmc::VisitRecord& record = {}) const;
  mcmc::StepInfo step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                      std::span<mcmc::SiteInfo> sites) const;

 private:
  const LabelSequences* sequences_;
};

/// The law of a token's label by its own scores alone: p(k) ~ exp(scale unary(k) + bias(k)). A model that also scores
/// label n-grams leaves part of the evidence to them; a fitted scale and bias stand in for that part.
struct UnaryLaw {
  float scale = 1;                 ///< > 0
  AlignedVector<float> bias = {};  ///< [stride of the sequences]; empty: 0
};

/// Sets every token to its likeliest label by its own scores (ties: the current, then the lowest) and doubt[position]
/// to 1 - the probability of that label: the cheapest start. A token without a possible label keeps its own and gets
/// doubt 1. Unless `open` is null, it receives, for tokens where several labels have at least `open_share` times the
/// likeliest one's probability, these labels.
void unary_start(const LabelSequences& sequences, Assignment& labeling, float* doubt, const UnaryLaw& law = {},
                 OpenLabels* open = nullptr, double open_share = 1);

/// Adds p(. | rest) at each position of the batch to sums[position][stride()]: the Rao-Blackwellised estimate of its
/// marginal from the present state. A position without a possible label adds nothing.
void add_conditionals(const LabelSequences& sequences, const Assignment& labeling, std::span<const VariableId> batch,
                      float* sums);

}  // namespace fovea::sequence
