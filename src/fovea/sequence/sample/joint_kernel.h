// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/base/random.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/model/open_labels.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {

/// Labels to which a joint visit sets the sites of a stretch.
enum class JointAnswer {
  kBest,      ///< the likeliest labels of the stretch
  kMarginal,  ///< the likeliest label of each site, summed over the others (kBest where that breaks a hard constraint)
};

/// Decides neighbouring sites together, exactly, over a few labels each.
///
/// The sites of a batch fall into stretches: sites of one stretch are linked by common windows, sites of different
/// stretches are not. Given all labels outside the batch, and with the open labels at its sites, a stretch is a small
/// chain whose states are the last factor_size - 1 labels:
///
///   p(y_stretch | rest)  ~  exp(sum_p unary_p(y_p) + sum of the windows that touch the stretch),  y_p in open(p).
///
/// With one or two open labels at most sites this costs a few window scores per site, at any factor size. It is the
/// last step of a cascade (Weiss, Taskar 2010, "Structured prediction cascades"; Charniak et al. 2006, "Multilevel
/// coarse-to-fine PCFG parsing"): a cheap model prunes, the full model decides what is left.
///
/// A site without open labels keeps its label. If one window has more than kMaxWindows combinations, the lightest
/// labels are dropped. A stretch longer than kMaxStretch sites is decided piece by piece.
class SequenceJoint {
 public:
  using TargetLaw = mcmc::Heuristic;
  static constexpr std::size_t kMaxWindows = 4096;
  static constexpr std::size_t kMaxStretch = 1024;

  /// `sequences`, of factor size 2 or more, and `open` must outlive the kernel.
  SequenceJoint(const LabelSequences& sequences, const OpenLabels& open, JointAnswer answer);

  /// `record.doubt` is written for kMarginal only. Positions that change are recorded in increasing order.
  mcmc::StepInfo step(Assignment& labeling, std::span<const VariableId> batch, Random& random,
                      const mcmc::VisitRecord& record = {}) const;

 private:
  const LabelSequences* sequences_;
  const OpenLabels* open_;
  JointAnswer answer_;
};

}  // namespace fovea::sequence
